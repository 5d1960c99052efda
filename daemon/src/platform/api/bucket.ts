/**
 * The arithmetic of one rate-limit bucket; time comes in as a number, of a clock that nobody sets (`elapsed`), so that no wait grows when the
 * time of day is put back.
 *
 * A call that is under way may or may not be counted in what the platform last said, so it is always counted here too:
 * free = (fewest left that a reply of this window told) − (calls under way). Counting one twice costs a moment, not a 429.
 */
import type { RateRefusal, WindowReading } from './rate-limit.ts'

export interface Bucket {
  /** Calls per window; Infinity when the platform names no limit; undefined until the first reply. */
  limit: number | undefined
  /** Fewest left that was told in this window. */
  lowest: number
  /** ms, by the same clock. */
  resetAt: number
  /** What tells windows apart: when they end by the time of day. */
  windowId: number
  /** Longest time to a reset that was told: how long a window lasts, as far as known. */
  windowMs: number
  /** A 429 closed the bucket until then. */
  blockedUntil: number
  inFlight: number
}

/** Calls let through together before the first reply has told the limit. */
export const PROBES = 8
/** Ends of one window may differ by rounding. */
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

/** ms until the next call may go: 0 = now, Infinity = when a call that is under way comes back. */
export function waitMs(bucket: Bucket, now: number): number {
  if (now < bucket.blockedUntil) return bucket.blockedUntil - now
  if (bucket.limit === undefined) return bucket.inFlight < PROBES ? 0 : Infinity
  if (bucket.limit === Infinity) return 0
  if (now >= bucket.resetAt) return bucket.inFlight < bucket.limit ? 0 : Infinity
  return bucket.inFlight < bucket.lowest ? 0 : bucket.resetAt - now
}

/** ms until a call with `ahead` others before it may go, as far as can be told; 0 when nothing can be. */
export function estimateMs(bucket: Bucket, ahead: number, now: number): number {
  const first = waitMs(bucket, now)
  if (first === Infinity) return 0
  if (bucket.limit === undefined || bucket.limit === Infinity) return first
  const here = first === 0 ? Math.max(0, (now >= bucket.resetAt ? bucket.limit : bucket.lowest) - bucket.inFlight) : 0
  if (ahead < here) return 0
  const untilReset = Math.max(first, bucket.resetAt - now, 0)
  return untilReset + Math.floor((ahead - here) / bucket.limit) * bucket.windowMs
}

export function take(bucket: Bucket): void {
  bucket.inFlight += 1
}

/** A call came back without saying anything about limits, so it is taken to have been counted. */
export function giveUp(bucket: Bucket): void {
  bucket.inFlight -= 1
  bucket.lowest -= 1
}

/** A call came back with a reply; `window` is undefined when it named no limit. */
export function learn(bucket: Bucket, window: WindowReading | undefined, now: number): void {
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
  // The smaller one was told with less delay on the way.
  bucket.resetAt = isSame ? Math.min(bucket.resetAt, resetAt) : resetAt
  if (!isSame) bucket.windowId = windowId
  bucket.limit = window.limit
  bucket.windowMs = Math.max(bucket.windowMs, window.resetAfterMs)
}

export function block(bucket: Bucket, refusal: RateRefusal, now: number): void {
  bucket.blockedUntil = Math.max(bucket.blockedUntil, now + refusal.retryAfterMs)
}

/** Whether forgetting the bucket loses nothing. */
export const isIdle = (bucket: Bucket, now: number): boolean => bucket.inFlight === 0 && now >= bucket.resetAt && now >= bucket.blockedUntil
