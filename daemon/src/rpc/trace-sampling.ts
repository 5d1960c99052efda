/**
 * Chooses what is traced: everything up to a number in a second. Of more, a share that makes a smaller number, because no user reads so many and
 * each costs the games. The share is that of the second before, spread evenly.
 */
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'

export class TraceSampling {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #most: number
  readonly #ofMore: number
  #endsAt = 0
  /** In this second. */
  #came = 0
  #taken = 0
  #share = 1
  /** Becomes 1 with each one that is due. */
  #due = 0
  #skipped = 0
  #seen = 0

  /** `most`: in a second. `ofMore`: how many of a second with more. */
  constructor(clock: Pick<Clock, 'elapsed'>, most: number, ofMore: number) {
    this.#clock = clock
    this.#most = most
    this.#ofMore = ofMore
  }

  /** The part that is traced now, from 0 to 1. */
  get share(): number {
    this.#look()
    return this.#share
  }

  /** How many were not traced so far. */
  get skipped(): number {
    return this.#skipped
  }

  /** How many came so far. */
  get seen(): number {
    return this.#seen
  }

  /** Whether the one that came now is traced. */
  takes(): boolean {
    this.#look()
    this.#came++
    this.#seen++
    this.#due += this.#share
    if (this.#due < 1 || this.#taken >= (this.#share < 1 ? this.#ofMore : this.#most)) {
      this.#skipped++
      return false
    }
    this.#due -= 1
    this.#taken++
    return true
  }

  #look(): void {
    const now = this.#clock.elapsed()
    if (now < this.#endsAt) return
    const isNext = now < this.#endsAt + SECOND_MS
    this.#share = isNext && this.#came > this.#most ? this.#ofMore / this.#came : 1
    this.#endsAt = now + SECOND_MS
    this.#came = this.#taken = 0
    // What is due was not taken while the number was reached; the rest below 1 is kept, so that shares add up.
    this.#due %= 1
  }
}
