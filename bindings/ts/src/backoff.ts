/** How long to wait before the next attempt: short at first, since a daemon that restarts is back within the second. */

export interface BackOff {
  /** Wait before the second attempt; the first is at most this long too. */
  readonly firstMs: number
  /** Longest wait while the outage is young. */
  readonly earlyCapMs: number
  /** How long an outage counts as young. */
  readonly earlyMs: number
  /** Longest wait after that. */
  readonly capMs: number
  /** A connection that lasted less does not reset the count, so that a server which crashes on greeting is not hammered. */
  readonly stableMs: number
}

export const DEFAULT_BACK_OFF: BackOff = { firstMs: 100, earlyCapMs: 500, earlyMs: 60_000, capMs: 5_000, stableMs: 2_000 }

/**
 * Milliseconds before attempt number `attempt` (0 = first after the loss) of an outage that is `outageMs` old.
 * Doubles up to the cap; `random` in [0, 1) spreads the upper half, so that many games do not return in step.
 */
export function delayBefore(attempt: number, outageMs: number, random: number, backOff: BackOff): number {
  const cap = outageMs < backOff.earlyMs ? backOff.earlyCapMs : backOff.capMs
  const full = Math.min(cap, backOff.firstMs * 2 ** Math.min(attempt, 20))
  return Math.round(full * (0.5 + random / 2))
}
