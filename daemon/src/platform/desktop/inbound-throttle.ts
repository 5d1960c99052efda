/** Limits the rate of unsolicited frames of a client. Excess frames wait in the socket, so that a flood slows down only its sender. */
import type { Clock } from '@sallyport/core/clock'

const WINDOW_MS = 1000
/** Far more than the voice events of a full channel. */
const MAX_FRAMES = 500
const MAX_BYTES = 8 * 1024 * 1024

interface Pausable {
  pause(): void
  resume(): void
}

export class InboundThrottle {
  readonly #clock: Clock
  readonly #source: Pausable
  #windowStart = Number.NEGATIVE_INFINITY
  #frames = 0
  #bytes = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock, source: Pausable) {
    this.#clock = clock
    this.#source = source
  }

  /** Counts a frame that is not a response to a call. */
  count(bytes: number): void {
    const now = this.#clock.elapsed()
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now
      this.#frames = 0
      this.#bytes = 0
    }
    this.#frames++
    this.#bytes += bytes
    if ((this.#frames < MAX_FRAMES && this.#bytes < MAX_BYTES) || this.#cancel !== undefined) return
    this.#source.pause()
    this.#cancel = this.#clock.after(this.#windowStart + WINDOW_MS - now, () => {
      this.#cancel = undefined
      this.#source.resume()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
