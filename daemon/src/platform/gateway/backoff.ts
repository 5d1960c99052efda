/** Backoff before the next connection attempt. Pure. */
import { jitteredBackoffMs } from '@sallyport/core/backoff'

const BACKOFF = { firstMs: 1000, maxMs: 60_000 }
/** A connection that was live for so long resets the failure count. */
const HEALTHY_MS = 10_000
/** Maximum failure count while sessions begin but break soon. The gateway is up, so retries stay a few seconds apart. */
const FLAPPING_FAILURES = 4

/** `liveMs`: how long the connection was live; undefined if it never was. */
export function failuresAfter(failures: number, liveMs: number | undefined): number {
  if (liveMs === undefined) return failures + 1
  return liveMs >= HEALTHY_MS ? 0 : Math.min(failures + 1, FLAPPING_FAILURES)
}

export const reconnectDelayMs = (failures: number, jitter: number): number => jitteredBackoffMs(failures, BACKOFF, jitter)
