/** How often a bot or a user may begin a session at the gateway: with some time between, and so many a day. One for each, however often its link is made anew. */
import { LIMITS } from '@sallyport/protocol'

/** At the platform's own limit the token is reset: the last tenth is left to the other programs that use it. */
const USED = 0.9

export class IdentifyLimit {
  /** When, in ms since the epoch, oldest first. */
  #begun: number[] = []

  /** ms until one may be begun; undefined when so many were begun within a day that something must be wrong. */
  inMs(now: number): number | undefined {
    const { gatewayIdentifies, gatewayIdentifiesMs, gatewayIdentifySpacingMs } = LIMITS
    // A clock that was set back must not make us wait for days.
    this.#begun = this.#begun.filter((at) => at > now - gatewayIdentifiesMs.value && at <= now)
    if (this.#begun.length >= gatewayIdentifies.value * USED) return undefined
    return Math.max(0, (this.#begun.at(-1) ?? Number.NEGATIVE_INFINITY) + gatewayIdentifySpacingMs.value - now)
  }

  note(now: number): void {
    this.#begun.push(now)
  }
}
