/** Limits session starts of a bot or user: a minimum interval and a daily limit. One instance per identity, across all its connections. */
import { BUDGETS } from '@sallyport/core/budgets'

/** The platform resets the token at its own limit. The last tenth is left for other programs with the same token. */
const USABLE_SHARE = 0.9

export class IdentifyThrottle {
  /** Start times in ms since the epoch, oldest first. */
  #startedAt: number[] = []

  /** Whether no start counts any more. */
  isUnused(now: number): boolean {
    this.#prune(now)
    return this.#startedAt.length === 0
  }

  /** ms until a session may start; undefined if the daily limit is reached, which indicates an error. */
  msUntilAllowed(now: number): number | undefined {
    const { gatewaySessionStarts: gatewayIdentifies, gatewayIdentifySpacingMs } = BUDGETS
    this.#prune(now)
    if (this.#startedAt.length >= gatewayIdentifies.value * USABLE_SHARE) return undefined
    return Math.max(0, (this.#startedAt.at(-1) ?? Number.NEGATIVE_INFINITY) + gatewayIdentifySpacingMs.value - now)
  }

  record(now: number): void {
    this.#startedAt.push(now)
  }

  /** Drops old starts, and future ones, because a clock that was set back must not cause a wait for days. */
  #prune(now: number): void {
    this.#startedAt = this.#startedAt.filter((at) => at > now - BUDGETS.gatewaySessionStartsMs.value && at <= now)
  }
}
