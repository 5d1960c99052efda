/** Counts what one connection sends: no more than so many payloads in any minute. */
import { PAYLOADS_PER_MINUTE } from './limits.ts'

const WINDOW_MS = 60_000

export class Budget {
  readonly #times: number[] = []

  /** Whether one more payload is still within the limit. */
  take(now: number): boolean {
    this.#times.push(now)
    if (this.#times.length <= PAYLOADS_PER_MINUTE) return true
    const oldest = this.#times.shift() ?? now
    return now - oldest >= WINDOW_MS
  }
}
