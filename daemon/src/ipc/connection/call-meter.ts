/** Counts the calls of all connections, and how long they take. Called for every frame, so it allocates no memory and seldom reads the clock. */
export interface CallMeter {
  /** Microseconds of a monotonic clock, as a 32-bit integer that wraps: V8 allocates memory for other numbers. */
  now(): number
  /**
   * A call got its response. `code`: of the ERRORS table; undefined for a success. `startedAt`: when its frame was read, by `now`; undefined for a
   * call that is answered while the connection is read, and ends with `readEnded`.
   */
  answered(cmd: string, startedAt: number | undefined, code: number | undefined): void
  /** All frames of one read of a connection are handled, and what they answered is written. `startedAt`: when the read began. */
  readEnded(startedAt: number): void
}
