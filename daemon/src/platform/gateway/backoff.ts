/** Backoff before the next connection attempt. Pure. */

const FIRST_MS = 1000
const MAX_MS = 60_000
/** A connection that was live for so long resets the failure count. */
const HEALTHY_MS = 10_000
/** Maximum failure count while sessions begin but break soon. The gateway is up, so retries stay a few seconds apart. */
const FLAPPING_FAILURES = 4

/** `liveMs`: how long the connection was live; undefined if it never was. */
export function failuresAfter(failures: number, liveMs: number | undefined): number {
  if (liveMs === undefined) return failures + 1
  return liveMs >= HEALTHY_MS ? 0 : Math.min(failures + 1, FLAPPING_FAILURES)
}

/** `jitter`, a number from 0 to 1, spreads clients that lost their connections at the same time. */
export const backoffMs = (failures: number, jitter: number): number =>
  failures === 0 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 1), MAX_MS) * (0.5 + jitter / 2)
