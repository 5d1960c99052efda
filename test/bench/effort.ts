/** How much work a run does. The full one stays under two and a half minutes, the quick one under half a minute. */

export interface Effort {
  /** Turns of each contestant in a row that is measured in turns. */
  readonly rounds: number
  /** Calls before anything counts, so that every contestant runs compiled code. */
  readonly warmCalls: number
  /** Calls per turn. */
  readonly pipelinedCalls: number
  readonly lockStepCalls: number
  readonly crowdCalls: number
  readonly forwardedCalls: number
  readonly handshakeRounds: number
  /** Time in which the wake-ups of idle servers are counted, in ms. */
  readonly idleMs: number
  /** Starts of each program. */
  readonly starts: number
}

export const FULL: Effort = {
  rounds: 15,
  warmCalls: 25_600,
  pipelinedCalls: 12_800,
  lockStepCalls: 3_000,
  crowdCalls: 20_000,
  forwardedCalls: 600,
  handshakeRounds: 7,
  idleMs: 20_000,
  starts: 9,
}

export const QUICK: Effort = {
  rounds: 5,
  warmCalls: 12_800,
  pipelinedCalls: 6_400,
  lockStepCalls: 1_500,
  crowdCalls: 10_000,
  forwardedCalls: 200,
  handshakeRounds: 3,
  idleMs: 4_000,
  starts: 3,
}

/** Sleepers in a runtime wake in seconds, not in milliseconds: a minute sees them all. */
export const LONG: Effort = { ...FULL, idleMs: 60_000 }
