/** Decides when tokens are due for a refresh. All times are in ms; it has no timer. */

/** Time before expiry, for tokens with a long lifetime. */
const MARGIN_MS = 300_000
/** Share of a short lifetime, so that such tokens are not refreshed at every use. */
const MARGIN_SHARE = 0.1
/** Maximum random share added to a margin. */
const JITTER = 0.2
/** Pause after a failed refresh while the tokens are still valid. */
const RETRY_MS = 30_000

export class RefreshSchedule {
  readonly #random: () => number
  /** Margins of tokens issued during this run, whose lifetime is known; others get the full margin. */
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

  remove(key: string): void {
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
