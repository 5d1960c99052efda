/** What is counted for a time: each count is given back when the window of its resource is over. No timer: the past is dropped when somebody asks. */
import type { Clock } from '@sallyport/core/clock'
import { Ledger, type Share } from './ledger.ts'
import type { ResourceRow } from './resources.ts'

/** One that may be counted; until that is decided, it takes its place. */
export interface Reservation {
  /** It counts for the rest of the window. */
  keep(): void
  /** It does not count. */
  giveBack(): void
}

interface Counted {
  readonly key: string
  readonly share: Share
  readonly until: number
}

export class Window {
  readonly ledger: Ledger
  readonly #clock: Clock
  readonly #windowMs: number
  /** In the order in which they end. */
  readonly #counted = new Set<Counted>()
  /** How many reservations each program has that are not decided yet. */
  readonly #undecided = new Map<string, number>()

  constructor(row: ResourceRow, clock: Clock) {
    this.ledger = new Ledger(row)
    this.#clock = clock
    this.#windowMs = row.windowMs ?? 0
  }

  /** ms until this program may be counted again; 0 = now. */
  waitMs(key: string): number {
    if (this.ledger.sum === 0) return 0
    this.#dropPast()
    const held = this.ledger.heldBy(key)
    if (held < this.ledger.mostFor(held)) return 0
    const counted = [...this.#counted]
    const first = counted.find((one) => one.key === key) ?? counted[0]
    return first === undefined ? 0 : Math.max(1, first.until - this.#clock.now())
  }

  /** Whether a reservation of this program is not decided yet. */
  isUndecided(key: string): boolean {
    return this.#undecided.has(key)
  }

  /** Undefined when the program has no place left. */
  reserve(key: string): Reservation | undefined {
    this.#dropPast()
    const share = this.ledger.share(key)
    if (!share.take(1)) {
      share.end()
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
      if (isKept) this.#counted.add({ key, share, until: this.#clock.now() + this.#windowMs })
      else share.end()
    }
    return { keep: () => decide(true), giveBack: () => decide(false) }
  }

  /** Counts one, when there is a place for it. */
  count(key: string): boolean {
    const reservation = this.reserve(key)
    reservation?.keep()
    return reservation !== undefined
  }

  #dropPast(): void {
    const now = this.#clock.now()
    for (const one of this.#counted) {
      if (one.until > now) return
      this.#counted.delete(one)
      one.share.end()
    }
  }
}
