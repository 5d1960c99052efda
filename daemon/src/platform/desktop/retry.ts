/** When to look for a client again by itself: soon after something happened there, then less and less, and not at all where the system tells. */
import type { Clock } from '@sallyport/core/clock'
import type { NotFound } from './search.ts'

const FIRST_MS = 50
const MAX_MS = 60_000
/** A socket is there a moment before anybody listens on it; one on which nobody does for longer was left behind. */
const TRIES_AT_A_SOCKET = 6
/** Each try of one that says nothing is a connection that it has to bear. */
const SILENT_MS = 5_000

export class Retry {
  readonly #clock: Clock
  #tries = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Something happened: soon again. */
  restart(): void {
    this.stop()
    this.#tries = 0
  }

  /** Plans the next try after a connection broke. */
  afterLoss(task: () => void): void {
    this.#plan(0, task)
  }

  /** Plans the next try after one that found no client; none where `isTold`, that is the system tells of changes, and nothing else is to be waited for. */
  after(outcome: NotFound, isTold: boolean, task: () => void): void {
    this.stop()
    if (isTold && (outcome === 'nobody' || outcome === 'turned-away' || (outcome === 'refused' && this.#tries >= TRIES_AT_A_SOCKET))) return
    this.#plan(outcome === 'silent' ? SILENT_MS : 0, task)
  }

  /** Plans to ask again for what a client refused, and may give later; once for all that it refused by then. */
  afterRefusal(task: () => void): void {
    if (this.#cancel === undefined) this.#plan(SILENT_MS, task)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #plan(leastMs: number, task: () => void): void {
    this.stop()
    const delayMs = Math.max(leastMs, Math.min(FIRST_MS * 2 ** this.#tries++, MAX_MS))
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined
      task()
    })
  }
}
