/** Which applications have a stored bot token. Looked up at the first use, and again after a change. */
import type { Clock } from '@sallyport/core/clock'

interface BotLookupDeps {
  readonly clock: Clock
  /** Whether a bot token is stored; may reject while the store cannot be read. */
  readonly hasBot: (applicationId: string) => Promise<boolean>
  /** A lookup ended. */
  readonly onFound: () => void
}

/** After this time a failed lookup is repeated at the next use. */
const RETRY_MS = 60_000
/** Applications in the cache. */
const CACHE_MAX = 1000

interface LookupResult {
  /** Undefined while it is looked up. */
  readonly has: boolean | undefined
  /** In ms since the epoch. */
  readonly until: number
}

export class BotLookup {
  readonly #deps: BotLookupDeps
  readonly #results = new Map<string, LookupResult>()

  constructor(deps: BotLookupDeps) {
    this.#deps = deps
  }

  /** Undefined while it is not known; `onFound` follows. */
  hasToken(applicationId: string): boolean | undefined {
    const result = this.#results.get(applicationId)
    if (result !== undefined && result.until > this.#deps.clock.now()) return result.has
    if (this.#results.size >= CACHE_MAX) this.#results.clear()
    void this.#lookUp(applicationId)
    return undefined
  }

  /** The bot token was stored or deleted. */
  invalidate(applicationId: string): void {
    this.#results.delete(applicationId)
    this.#deps.onFound()
  }

  async #lookUp(applicationId: string): Promise<void> {
    const pending: LookupResult = { has: undefined, until: Number.POSITIVE_INFINITY }
    this.#results.set(applicationId, pending)
    // A store that cannot be read counts as empty for a while.
    const found = await this.#deps.hasBot(applicationId).then(
      (has): LookupResult => ({ has, until: Number.POSITIVE_INFINITY }),
      (): LookupResult => ({ has: false, until: this.#deps.clock.now() + RETRY_MS }),
    )
    if (this.#results.get(applicationId) !== pending) return
    this.#results.set(applicationId, found)
    this.#deps.onFound()
  }
}
