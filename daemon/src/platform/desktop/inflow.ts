/** How fast a client may tell what nobody asked for: what comes faster waits in the socket, so that a flood slows its sender and nobody else. */
import type { Clock } from '@sallyport/core/clock'

const WINDOW_MS = 1000
/** Far more than voices of a full channel cause. */
const MAX_FRAMES = 500
const MAX_BYTES = 8 * 1024 * 1024

export interface Tap {
  pause(): void
  resume(): void
}

export class Inflow {
  readonly #clock: Clock
  readonly #tap: Tap
  #windowBegan = Number.NEGATIVE_INFINITY
  #frames = 0
  #bytes = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock, tap: Tap) {
    this.#clock = clock
    this.#tap = tap
  }

  /** A frame came that answers no call. */
  count(bytes: number): void {
    const sinceMs = this.#clock.now() - this.#windowBegan
    // A clock that was set back begins a window, too.
    if (sinceMs >= WINDOW_MS || sinceMs < 0) {
      this.#windowBegan = this.#clock.now()
      this.#frames = 0
      this.#bytes = 0
    }
    this.#frames++
    this.#bytes += bytes
    if ((this.#frames < MAX_FRAMES && this.#bytes < MAX_BYTES) || this.#cancel !== undefined) return
    this.#tap.pause()
    this.#cancel = this.#clock.after(this.#windowBegan + WINDOW_MS - this.#clock.now(), () => {
      this.#cancel = undefined
      this.#tap.resume()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
