/** When tokens are due for a refresh. Pure but for what it remembers; time comes in as numbers of ms. */

/** Ahead of the end, for tokens that live long. */
const MARGIN_MS = 300_000
/** Of their life, for tokens that live short, so that they are not refreshed at every use. */
const MARGIN_SHARE = 0.1
/** By how much margins differ at most. */
const JITTER = 0.2
/** After a failure, tokens that still live are used this long without another try. */
const RETRY_MS = 30_000

export class RefreshPlan {
  readonly #random: () => number
  /** Lifetimes are known for tokens that came in during this run; others get the full margin. */
  readonly #margins = new Map<string, number>()
  readonly #failedAt = new Map<string, number>()

  constructor(random: () => number) {
    this.#random = random
  }

  issued(key: string, lifetimeMs: number): void {
    const margin = Math.min(MARGIN_MS, Math.max(0, lifetimeMs) * MARGIN_SHARE)
    this.#margins.set(key, margin * (1 + JITTER * this.#random()))
    this.#failedAt.delete(key)
  }

  failed(key: string, now: number): void {
    this.#failedAt.set(key, now)
  }

  forget(key: string): void {
    this.#margins.delete(key)
    this.#failedAt.delete(key)
  }

  isDue(key: string, expiresAt: number, now: number): boolean {
    if (now >= expiresAt) return true
    const failedAt = this.#failedAt.get(key)
    if (failedAt !== undefined && now < failedAt + RETRY_MS) return false
    return now >= expiresAt - (this.#margins.get(key) ?? MARGIN_MS)
  }
}
