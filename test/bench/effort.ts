/** How much work a run does. The full one takes some twelve minutes, the quick one under three. */

export interface Effort {
  /** Turns of each contestant in a row that is measured in turns. */
  readonly rounds: number
  /** Calls before anything counts, so that every contestant runs compiled code. */
  readonly warmCalls: number
  /** Calls per turn. */
  readonly pipelinedCalls: number
  readonly lockStepCalls: number
  readonly crowdCalls: number
  /** Calls of each server in the row of cold calls, 0.6 s apart. */
  readonly coldCalls: number
  readonly forwardedCalls: number
  /** Forwarded calls before anything counts. */
  readonly forwardedWarmCalls: number
  /** Programs that make a thousand calls with a key and as many without, before anything counts and after: sixteen fill the list of keys. */
  readonly keyedWarmTurns: number
  readonly keyedTurns: number
  readonly handshakeRounds: number
  /** Events per turn, and turns, for publishing to a crowd. */
  readonly fanOutEvents: number
  readonly fanOutRounds: number
  /**
   * Rest before the wake-ups of idle servers are counted, in ms. The daemon asks the platform for the names of ten applications a minute, returns
   * memory some ten seconds after its last frame, and V8 collects garbage until 46 s after it.
   */
  readonly restMs: number
  /** Time in which they are counted, in ms. */
  readonly idleMs: number
  /** Starts of each program. */
  readonly starts: number
  /** Starts for each first call. */
  readonly firstCalls: number
  /** Turns of each side of a row that shows growth, and starts for each of its points. */
  readonly growthRounds: number
  readonly growthStarts: number
  /** Rest before the memory of a crowd counts, in ms: the daemon returns what it can some six seconds after the last game came. */
  readonly crowdRestMs: number
  /** The same for each point of the row that shows growth; a hasty run does not wait for the release. */
  readonly growthRestMs: number
  /** Rest before the memory of a server counts, in ms: some of it goes back a while after the last call. */
  readonly settleMs: number
}

export const FULL: Effort = {
  rounds: 21,
  warmCalls: 25_600,
  pipelinedCalls: 6_400,
  lockStepCalls: 1_200,
  crowdCalls: 8_000,
  coldCalls: 100,
  forwardedCalls: 300,
  forwardedWarmCalls: 12_000,
  keyedWarmTurns: 4,
  keyedTurns: 12,
  handshakeRounds: 7,
  fanOutEvents: 1_000,
  fanOutRounds: 5,
  restMs: 180_000,
  idleMs: 20_000,
  starts: 9,
  firstCalls: 5,
  growthRounds: 7,
  growthStarts: 5,
  crowdRestMs: 10_000,
  growthRestMs: 10_000,
  settleMs: 20_000,
}

export const QUICK: Effort = {
  rounds: 5,
  warmCalls: 6_400,
  pipelinedCalls: 3_200,
  lockStepCalls: 600,
  crowdCalls: 3_000,
  coldCalls: 10,
  forwardedCalls: 100,
  forwardedWarmCalls: 3_000,
  keyedWarmTurns: 2,
  keyedTurns: 5,
  handshakeRounds: 2,
  fanOutEvents: 300,
  fanOutRounds: 1,
  restMs: 1_000,
  idleMs: 3_000,
  starts: 3,
  firstCalls: 2,
  growthRounds: 3,
  growthStarts: 2,
  crowdRestMs: 7_000,
  growthRestMs: 2_000,
  settleMs: 14_000,
}

/** Counts wake-ups over a whole minute. */
export const LONG: Effort = { ...FULL, idleMs: 60_000 }
