/**
 * Notices that the process grows while peers make it hold bytes. What they made it hold is garbage soon, and V8 collects it late: buffers lie
 * outside of its heap.
 *
 *   held bytes ──each LOOK_BYTES──▶ look at the size ──grown by more than the budget──▶ relieve
 */
import { BUDGETS } from './budgets.ts'

/** Small against the growth that is noticed, and so much that a look every time costs nothing. */
const LOOK_BYTES = 2 * 1024 * 1024
/** A large process grows by more before it is relieved, because that takes longer. */
const GROWTH_PART = 1 / 8

interface MemoryGrowthOptions {
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

  constructor(options: MemoryGrowthOptions) {
    this.#options = options
  }

  /** A peer made the process hold so many bytes more. Called for each such chunk. */
  held(bytes: number): void {
    this.#unseenBytes += bytes
    if (this.#unseenBytes < LOOK_BYTES) return
    this.#unseenBytes = 0
    const { sizeOf, relieve } = this.#options
    const size = sizeOf()
    this.#base = Math.min(this.#base, size)
    if (size - this.#base < Math.max(BUDGETS.memoryGrowthBytes.value, this.#base * GROWTH_PART)) return
    relieve()
    this.#base = sizeOf()
  }
}
