/** How often a bot or a user may begin a session at the gateway: with some time between, and so many a day. One for each, however often its link is made anew. */
import { LIMITS } from '@sallyport/protocol'

/** At the platform's own limit the token is reset: the last tenth is left to the other programs that use it. */
const USED = 0.9

export class IdentifyLimit {
  /** When, in ms since the epoch, oldest first. */
  #begun: number[] = []

  /** Nothing is known that counts. */
  isUnused(now: number): boolean {
    this.#forget(now)
    return this.#begun.length === 0
  }

  /** ms until one may be begun; undefined when so many were begun within a day that something must be wrong. */
  inMs(now: number): number | undefined {
    const { gatewayIdentifies, gatewayIdentifySpacingMs } = LIMITS
    this.#forget(now)
    if (this.#begun.length >= gatewayIdentifies.value * USED) return undefined
    return Math.max(0, (this.#begun.at(-1) ?? Number.NEGATIVE_INFINITY) + gatewayIdentifySpacingMs.value - now)
  }

  note(now: number): void {
    this.#begun.push(now)
  }

  /** A clock that was set back must not make us wait for days. */
  #forget(now: number): void {
    this.#begun = this.#begun.filter((at) => at > now - LIMITS.gatewayIdentifiesMs.value && at <= now)
  }
}
