/** Counts durations in fixed buckets. Counting allocates no memory. */

/**
 * Upper bounds of the buckets, in microseconds. From 5 ms they are bounds that the RPC conventions of OpenTelemetry advise; those below are
 * for calls that the daemon answers itself; the last is the default deadline of a call.
 */
export const BUCKET_BOUNDS_US: readonly number[] = [
  100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
  30_000_000,
]

const SUM = BUCKET_BOUNDS_US.length + 1

export class Histogram {
  /** One count per bucket, one for what is longer than the last bound, and the sum in microseconds. */
  readonly #values = new Float64Array(SUM + 1)

  observe(microseconds: number, count = 1): void {
    let bucket = 0
    while (bucket < BUCKET_BOUNDS_US.length && microseconds > (BUCKET_BOUNDS_US[bucket] as number)) bucket++
    this.#values[bucket] = (this.#values[bucket] as number) + count
    this.#values[SUM] = (this.#values[SUM] as number) + microseconds * count
  }

  /** How many durations each bucket has, and the longer ones. */
  get counts(): number[] {
    return [...this.#values.subarray(0, SUM)]
  }

  get sumMicroseconds(): number {
    return this.#values[SUM] as number
  }
}
