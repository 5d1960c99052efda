/** Limits on the wait times that a platform requests, because they may be wrong or malicious. */
import { SECOND_MS } from './durations.ts'
import { LIMITS } from '@sallyport/protocol'

/** Milliseconds; never below zero. */
export const boundedWaitMs = (requestedMs: number): number => Math.min(LIMITS.platformWaitMs.value, Math.max(0, requestedMs))

/** The same in seconds, the unit of token endpoints and headers. */
export const boundedWaitS = (requestedS: number): number => boundedWaitMs(requestedS * SECOND_MS) / SECOND_MS
