/** Counter with a time window: each count is released when its window is over. It has no timer; expired counts are removed at the next use. */
import { BoundedMap } from '@sallyport/core/bounded-map'
import type { Clock } from '@sallyport/core/clock'
import { type IsGranted, Ledger, type Share } from './ledger.ts'
import type { ResourceRow } from './resources.ts'

/** A count that is not decided yet; it occupies its place until then. */
export interface Reservation {
  /** It counts for the rest of the window. */
  keep(): void
  /** It does not count. */
  giveBack(): void
}

interface Counted {
  readonly key: string
  readonly share: Share
  /** Monotonic ms, so that a clock that is set back prolongs no window. */
  readonly until: number
}

export class Window {
  readonly ledger: Ledger
  readonly #clock: Clock
  readonly #windowMs: number
  /** In the order of their expiry. */
  readonly #counted: BoundedMap<Counted, Counted>
  /** Number of undecided reservations of each program. */
  readonly #undecided = new Map<string, number>()

  constructor(row: ResourceRow, clock: Clock) {
    this.ledger = new Ledger(row)
    this.#counted = new BoundedMap(row.ofAll)
    this.#clock = clock
    this.#windowMs = row.windowMs ?? 0
  }

  /** ms until this program may be counted again; 0 = now. */
  waitMs(key: string, isGranted?: IsGranted): number {
    if (this.ledger.sum === 0) return 0
    this.#dropPast()
    if (this.ledger.allows(key, 1, isGranted)) return 0
    const counted = [...this.#counted.keys()]
    const first = counted.find((one) => one.key === key) ?? counted[0]
    return first === undefined ? 0 : Math.max(1, first.until - this.#clock.elapsed())
  }

  /** Whether a reservation of this program is not decided yet. */
  isUndecided(key: string): boolean {
    return this.#undecided.has(key)
  }

  /** Undefined when the program is at its limit. */
  reserve(key: string, isGranted?: IsGranted): Reservation | undefined {
    this.#dropPast()
    const share = this.ledger.share(key, isGranted)
    if (!share.tryCharge(1)) {
      share.close()
      return undefined
    }
    this.#undecided.set(key, (this.#undecided.get(key) ?? 0) + 1)
    let isDecided = false
    const decide = (isKept: boolean) => {
      if (isDecided) return
      isDecided = true
      const left = (this.#undecided.get(key) ?? 1) - 1
      if (left === 0) this.#undecided.delete(key)
      else this.#undecided.set(key, left)
      if (!isKept) return share.close()
      const counted = { key, share, until: this.#clock.elapsed() + this.#windowMs }
      this.#counted.set(counted, counted)
    }
    return { keep: () => decide(true), giveBack: () => decide(false) }
  }

  /** Counts one unless the program is at its limit. */
  count(key: string): boolean {
    const reservation = this.reserve(key)
    reservation?.keep()
    return reservation !== undefined
  }

  #dropPast(): void {
    const now = this.#clock.elapsed()
    this.#counted.deleteOldest(({ share, until }) => {
      const isPast = until <= now
      if (isPast) share.close()
      return isPast
    })
  }
}
