/** Schedules automatic discovery: soon after a change, then with backoff, and not at all where the system reports changes. */
import { backoffMs } from '@sallyport/core/backoff'
import type { Clock } from '@sallyport/core/clock'
import type { NotFound } from './connect-race.ts'

const BACKOFF = { firstMs: 50, maxMs: 60_000 }
/** A socket file exists shortly before its process listens. After so many attempts, the file is a leftover. */
const MAX_SOCKET_ATTEMPTS = 6
/** Minimum delay after a timeout, because each attempt costs the server a connection. */
const TIMEOUT_RETRY_MS = 5_000

export class Retry {
  readonly #clock: Clock
  #attempts = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resets the backoff after a change. */
  reset(): void {
    this.stop()
    this.#attempts = 0
  }

  /** Schedules the next attempt after a lost connection. */
  afterLoss(task: () => void): void {
    this.#schedule(0, task)
  }

  /**
   * Schedules the next attempt after a failed one. With `isWatched` (the system reports changes), only for outcomes that may change silently.
   * `waitMs`: until a server may be asked that was not asked now; the next attempt is no later.
   */
  after(outcome: NotFound, isWatched: boolean, waitMs: number, task: () => void): void {
    this.stop()
    if (
      isWatched &&
      waitMs === Infinity &&
      (outcome === 'not-found' || outcome === 'rejected' || (outcome === 'refused' && this.#attempts >= MAX_SOCKET_ATTEMPTS))
    )
      return
    this.#schedule(outcome === 'timeout' ? TIMEOUT_RETRY_MS : 0, task, waitMs)
  }

  /** Schedules one retry for everything that the client has refused so far. */
  afterRefusal(task: () => void): void {
    if (this.#cancel === undefined) this.#schedule(TIMEOUT_RETRY_MS, task)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #schedule(leastMs: number, task: () => void, mostMs = Infinity): void {
    this.stop()
    const delayMs = Math.min(mostMs, Math.max(leastMs, backoffMs(++this.#attempts, BACKOFF)))
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined
      task()
    })
  }
}
