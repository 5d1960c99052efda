/** Exponential backoff. Pure. */
interface BackoffRange {
  readonly firstMs: number
  readonly maxMs: number
}

/** ms before the attempt that follows `failures` failures in a row: 0 after none, `firstMs` after one, then twice as long each time. */
export const backoffMs = (failures: number, { firstMs, maxMs }: BackoffRange): number =>
  failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - 1), maxMs)

/** The same, spread over its upper half, so that clients that failed together do not return together. `jitter`: from 0 to 1. */
export const jitteredBackoffMs = (failures: number, range: BackoffRange, jitter: number): number =>
  backoffMs(failures, range) * (0.5 + jitter / 2)
