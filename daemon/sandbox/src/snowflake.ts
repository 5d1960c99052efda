/** Ids: the time in the upper bits, so that they sort by age, and a counter in the lower bits. */
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'

export { compareIds, snowflakeTime } from '@sallyport/protocol'

/** The first millisecond of the id range. */
const EPOCH_MS = 1_420_070_400_000n
const REMAINDER_BITS = 22n
const MAX = (1n << 64n) - 1n

const snowflakeAt = (ms: number, remainder = 0n): bigint => ((BigInt(ms) - EPOCH_MS) << REMAINDER_BITS) | remainder

/** Whether the text is an id: decimal digits within 64 bits, and not zero. */
export const isSnowflake = (text: string): boolean => /^[1-9][0-9]{0,19}$/.test(text) && BigInt(text) <= MAX

/** An id derived from the seed and a label, dated within 2024. */
export function seededId(seed: string, label: string): string {
  const bits = createHash('sha256').update(`${seed}\n${label}`).digest().readBigUInt64BE()
  const withinYear = Number(bits >> 24n) % (365 * 86_400_000)
  return snowflakeAt(Date.UTC(2024, 0, 1) + withinYear, bits & 0x3fffffn).toString()
}

/** Increasing ids, also when the clock stops or goes back. */
export class SnowflakeSource {
  readonly #clock: Clock
  #last: bigint

  /** All new ids are greater than those of `used`. */
  constructor(clock: Clock, used: Iterable<string>) {
    this.#clock = clock
    this.#last = 0n
    for (const id of used) {
      const value = BigInt(id)
      if (value > this.#last) this.#last = value
    }
  }

  next(): string {
    const fromClock = snowflakeAt(this.#clock.now())
    this.#last = fromClock > this.#last ? fromClock : this.#last + 1n
    return this.#last.toString()
  }
}
