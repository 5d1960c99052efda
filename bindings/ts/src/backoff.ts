/** The delay before the next attempt: short at first, since a restarted daemon is back within a second. */

export interface Backoff {
  /** Delay before the second attempt; also the longest delay before the first. */
  readonly firstMs: number
  /** Longest delay during the first `earlyMs` of an outage. */
  readonly earlyCapMs: number
  /** Length of the early phase of an outage. */
  readonly earlyMs: number
  /** Longest wait after that. */
  readonly capMs: number
  /** A connection that lasted less does not reset the count, so that the client does not hammer a server that crashes on the handshake. */
  readonly stableMs: number
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 100, earlyCapMs: 500, earlyMs: 60_000, capMs: 5_000, stableMs: 2_000 }

/**
 * Milliseconds before attempt number `attempt` (0 = the first after the loss) of an outage that is `outageMs` old.
 * Doubles up to the cap; `random` in [0, 1) spreads the upper half, so that many games do not reconnect at the same time.
 */
export function delayBefore(attempt: number, outageMs: number, random: number, backoff: Backoff): number {
  const cap = outageMs < backoff.earlyMs ? backoff.earlyCapMs : backoff.capMs
  const full = Math.min(cap, backoff.firstMs * 2 ** Math.min(attempt, 20))
  return Math.round(full * (0.5 + random / 2))
}
