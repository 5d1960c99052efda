/** How long the bridge waits because a platform asked for it: what a platform says is bounded, since it may be wrong or mean harm. */
import { LIMITS } from '@sallyport/protocol'

/** Milliseconds; never below zero. */
export const boundedWaitMs = (askedMs: number): number => Math.min(LIMITS.platformWaitMs.value, Math.max(0, askedMs))

const SECOND_MS = 1000

/** The same in seconds, as token endpoints and headers name times. */
export const boundedWaitS = (askedS: number): number => boundedWaitMs(askedS * SECOND_MS) / SECOND_MS
