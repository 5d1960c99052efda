/** Limits the payloads that one connection sends in a minute. */
import { PAYLOADS_PER_MINUTE } from './limits.ts'

const WINDOW_MS = 60_000

export class SendRateLimit {
  readonly #times: number[] = []

  /** Counts one payload. Returns false when it exceeds the limit. */
  tryConsume(now: number): boolean {
    this.#times.push(now)
    if (this.#times.length <= PAYLOADS_PER_MINUTE) return true
    const oldest = this.#times.shift() ?? now
    return now - oldest >= WINDOW_MS
  }
}
