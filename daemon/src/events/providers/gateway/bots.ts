/** Which applications have a bot that can be spoken for. Found out when it first matters, and again when that may have changed. */
import type { Clock } from '@sallyport/core/clock'

export interface BotsParts {
  readonly clock: Clock
  /** Whether a token of its bot is known; may reject while that cannot be said. */
  readonly hasBot: (applicationId: string) => Promise<boolean>
  /** What was not known is known now. */
  readonly onFound: () => void
}

/** After this time what could not be said is asked once more, when somebody wants to know. */
const AGAIN_MS = 60_000
/** Applications that are remembered. */
const KEPT_MAX = 1000

interface Finding {
  /** Undefined while it is asked. */
  readonly has: boolean | undefined
  /** In ms since the epoch. */
  readonly until: number
}

export class Bots {
  readonly #parts: BotsParts
  readonly #known = new Map<string, Finding>()

  constructor(parts: BotsParts) {
    this.#parts = parts
  }

  /** Undefined while it is not known; then `onFound` follows. */
  of(applicationId: string): boolean | undefined {
    const finding = this.#known.get(applicationId)
    if (finding !== undefined && finding.until > this.#parts.clock.now()) return finding.has
    if (this.#known.size >= KEPT_MAX) this.#known.clear()
    void this.#find(applicationId)
    return undefined
  }

  /** The token of its bot was stored or forgotten. */
  changed(applicationId: string): void {
    this.#known.delete(applicationId)
    this.#parts.onFound()
  }

  async #find(applicationId: string): Promise<void> {
    const asking: Finding = { has: undefined, until: Number.POSITIVE_INFINITY }
    this.#known.set(applicationId, asking)
    // A store that does not open now has none for us.
    const found = await this.#parts.hasBot(applicationId).then(
      (has): Finding => ({ has, until: Number.POSITIVE_INFINITY }),
      (): Finding => ({ has: false, until: this.#parts.clock.now() + AGAIN_MS }),
    )
    if (this.#known.get(applicationId) !== asking) return
    this.#known.set(applicationId, found)
    this.#parts.onFound()
  }
}
