/** Counts the calls of all connections. It is called for every frame, so nothing here allocates memory. */
export interface CallMeter {
  /** Microseconds of a monotonic clock as a 32-bit integer that wraps, because V8 allocates memory for other numbers. */
  now(): number
  /** A call got its response. `startedAt`: by `now`. `code`: of the ERRORS table; undefined for a success. */
  answered(cmd: string, startedAt: number, code: number | undefined): void
}
