/**
 * Notices that the process grows while peers make it hold bytes. What they made it hold is garbage soon, and V8 collects it late: buffers lie
 * outside of its heap.
 *
 *   held bytes ──each LOOK_BYTES──▶ look at the size ──grown by more than the budget──▶ relieve
 */
import { BUDGETS } from './budgets.ts'
import type { Clock } from './clock.ts'

/** Less than one of the largest frames, whose values take many times its bytes. A look takes some 20 µs. */
const LOOK_BYTES = 512 * 1024
/** A large process grows by more before it is relieved, because that takes longer. */
const GROWTH_PART = 1 / 8

/** The least time between two reliefs: as long as the last one took, so that half of the time is left for games. */
const REST_PART = 1

interface MemoryGrowthOptions {
  readonly clock: Pick<Clock, 'elapsed'>
  /** The size of the process now, in bytes. */
  readonly sizeOf: () => number
  /** Makes it as small as possible. */
  readonly relieve: () => void
}

export class MemoryGrowth {
  readonly #options: MemoryGrowthOptions
  #unseenBytes = 0
  /** The smallest size since it was last relieved. */
  #base = Number.POSITIVE_INFINITY
  /** When the next relief may begin, by the monotonic clock. */
  #restsUntil = 0

  constructor(options: MemoryGrowthOptions) {
    this.#options = options
  }

  /**
   * A peer made the process hold so many bytes more, or held them and left. Called for each such chunk. A program that the user allowed causes no relief, which is
   * time that its games would miss: `isGranted` is asked at a look only.
   */
  held(bytes: number, isGranted: () => boolean): void {
    this.#unseenBytes += bytes
    if (this.#unseenBytes < LOOK_BYTES) return
    this.#unseenBytes = 0
    const { clock, sizeOf, relieve } = this.#options
    if (clock.elapsed() < this.#restsUntil || isGranted()) return
    const size = sizeOf()
    this.#base = Math.min(this.#base, size)
    if (size - this.#base < Math.max(BUDGETS.memoryGrowthBytes.value, this.#base * GROWTH_PART)) return
    const began = clock.elapsed()
    relieve()
    this.#restsUntil = clock.elapsed() + REST_PART * (clock.elapsed() - began)
    this.#base = sizeOf()
  }
}
