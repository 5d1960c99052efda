/** What is loaded when the first operator watches. */
export { EventTraces } from './event-traces.ts'
export { WholeTraces } from './whole-traces.ts'
