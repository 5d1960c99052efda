/** Limits on the wait times that a platform requests, because they may be wrong or malicious. */
import { BUDGETS } from '@sallyport/core/budgets'
import { SECOND_MS } from './durations.ts'

/** Milliseconds; never below zero. */
export const boundedWaitMs = (requestedMs: number): number => Math.min(BUDGETS.platformWaitMs.value, Math.max(0, requestedMs))

/** The same in seconds, the unit of token endpoints and headers. */
export const boundedWaitS = (requestedS: number): number => boundedWaitMs(requestedS * SECOND_MS) / SECOND_MS
