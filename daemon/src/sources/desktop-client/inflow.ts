/** How fast events are taken from a client: what comes faster waits in the socket, so that a flood slows its sender and nobody else. */
import type { Clock } from '../../core/clock.ts'

const WINDOW_MS = 1000
/** Far more than voices of a full channel cause. */
const MAX_EVENTS = 500

export interface Tap {
  pause(): void
  resume(): void
}

export class Inflow {
  readonly #clock: Clock
  readonly #tap: Tap
  #windowEndsAt = 0
  #count = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock, tap: Tap) {
    this.#clock = clock
    this.#tap = tap
  }

  /** An event came. */
  count(): void {
    const now = this.#clock.now()
    if (now >= this.#windowEndsAt) {
      this.#windowEndsAt = now + WINDOW_MS
      this.#count = 0
    }
    if (++this.#count < MAX_EVENTS || this.#cancel !== undefined) return
    this.#tap.pause()
    this.#cancel = this.#clock.after(this.#windowEndsAt - now, () => {
      this.#cancel = undefined
      this.#tap.resume()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
