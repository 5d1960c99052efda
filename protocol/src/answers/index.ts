/** How answers of the platform are brought into the shape that callers are promised. */
export * from './channels.ts'
export * from './connections.ts'
export type { AnswerFacts } from './facts.ts'
export * from './history.ts'
export * from './premium.ts'
