/**
 * The arithmetic of one rate-limit bucket. `now` is a monotonic time (`elapsed`), so that no wait grows when the system clock is set back.
 *
 * The platform's last reply may or may not include calls in flight, so they always count here as well:
 * free = (lowest `remaining` in a reply of this window) − (calls in flight). A call counted twice costs a short wait, not a 429.
 */
import type { RateRefusal, WindowReading } from './rate-limit.ts'

export interface Bucket {
  /** Calls per window; Infinity if the platform sends no limit; undefined before the first reply. */
  limit: number | undefined
  /** Lowest `remaining` in this window. */
  lowest: number
  /** Monotonic ms. */
  resetAt: number
  /** Identifies the window: its end by the system clock. */
  windowId: number
  /** Longest reported time to a reset, as an estimate of the window length. */
  windowMs: number
  /** End of the block after a 429. */
  blockedUntil: number
  inFlight: number
}

/** Concurrent calls before the first reply reveals the limit. */
const PROBES = 8
/** Reported ends of one window may differ by rounding. */
const SAME_WINDOW_MS = 250

export const newBucket = (): Bucket => ({
  limit: undefined,
  lowest: 0,
  resetAt: 0,
  windowId: 0,
  windowMs: 0,
  blockedUntil: 0,
  inFlight: 0,
})

/** ms until the next call may be sent: 0 = now, Infinity = when a call in flight returns. */
export function waitMs(bucket: Bucket, now: number): number {
  if (now < bucket.blockedUntil) return bucket.blockedUntil - now
  if (bucket.limit === undefined) return bucket.inFlight < PROBES ? 0 : Infinity
  if (bucket.limit === Infinity) return 0
  if (now >= bucket.resetAt) return bucket.inFlight < bucket.limit ? 0 : Infinity
  return bucket.inFlight < bucket.lowest ? 0 : bucket.resetAt - now
}

/** Estimated ms until a call with `ahead` others before it may be sent; 0 if no estimate is possible. */
export function estimateMs(bucket: Bucket, ahead: number, now: number): number {
  const first = waitMs(bucket, now)
  if (first === Infinity) return 0
  if (bucket.limit === undefined || bucket.limit === Infinity) return first
  const available = first === 0 ? Math.max(0, (now >= bucket.resetAt ? bucket.limit : bucket.lowest) - bucket.inFlight) : 0
  if (ahead < available) return 0
  const untilReset = Math.max(first, bucket.resetAt - now, 0)
  return untilReset + Math.floor((ahead - available) / bucket.limit) * bucket.windowMs
}

export function take(bucket: Bucket): void {
  bucket.inFlight += 1
}

/** A call returned without limit headers, so it is assumed to have counted. */
export function releaseUnanswered(bucket: Bucket): void {
  bucket.inFlight -= 1
  bucket.lowest -= 1
}

/** A call returned with a reply; `window` is undefined if the reply has no limit. */
export function update(bucket: Bucket, window: WindowReading | undefined, now: number): void {
  if (window === undefined) {
    bucket.limit ??= Infinity
    return
  }
  const resetAt = now + window.resetAfterMs
  const windowId = window.endsAtMs
  const isKnown = bucket.limit !== undefined && bucket.limit !== Infinity
  if (isKnown && windowId < bucket.windowId - SAME_WINDOW_MS) return
  const isSame = isKnown && windowId <= bucket.windowId + SAME_WINDOW_MS
  bucket.lowest = isSame ? Math.min(bucket.lowest, window.remaining) : window.remaining
  // The smaller value had less network delay.
  bucket.resetAt = isSame ? Math.min(bucket.resetAt, resetAt) : resetAt
  if (!isSame) bucket.windowId = windowId
  bucket.limit = window.limit
  bucket.windowMs = Math.max(bucket.windowMs, window.resetAfterMs)
}

export function block(bucket: Bucket, refusal: RateRefusal, now: number): void {
  bucket.blockedUntil = Math.max(bucket.blockedUntil, now + refusal.retryAfterMs)
}

/** Calls that may be sent now; undefined without a known limit. */
export function freeIn(bucket: Bucket, now: number): number | undefined {
  const { limit, lowest, resetAt, inFlight, blockedUntil } = bucket
  if (limit === undefined || limit === Infinity) return undefined
  return now < blockedUntil ? 0 : Math.max(0, (now >= resetAt ? limit : lowest) - inFlight)
}

/** Whether the bucket can be deleted without loss. */
export const isIdle = (bucket: Bucket, now: number): boolean => bucket.inFlight === 0 && now >= bucket.resetAt && now >= bucket.blockedUntil
