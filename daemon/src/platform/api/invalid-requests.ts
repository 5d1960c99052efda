/** Counts the requests that the platform holds against this address: the bridge warns early, and stops before the platform bans it. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { RateReading } from './rate-limit.ts'
import type { Warnings } from './warnings.ts'

export interface InvalidRequests {
  /** ms until requests may go again; 0 = now. */
  waitMs(): number
  count(status: number, reading: RateReading): void
}

const COUNTED = new Set([401, 403, 429])
const WARNING_SHARE = 0.5
/** Stops short of the limit: other programs behind the same address count too. */
const REFUSAL_SHARE = 0.9

export function createInvalidRequests(clock: Clock, warnings: Warnings): InvalidRequests {
  const most = LIMITS.invalidRequests.value
  const windowMs = LIMITS.invalidRequestsMs.value
  let count = 0
  let windowEndsAt = 0
  return {
    waitMs() {
      return count < most * REFUSAL_SHARE ? 0 : Math.max(0, windowEndsAt - clock.now())
    },
    count(status, reading) {
      // Somebody else's use of a shared resource is not held against us.
      if (!COUNTED.has(status) || reading.refusal?.scope === 'shared') return
      const now = clock.now()
      if (now >= windowEndsAt) {
        count = 0
        windowEndsAt = now + windowMs
      }
      count += 1
      if (count < most * WARNING_SHARE) return
      warnings.raise('invalid requests', {
        kind: 'invalid_requests',
        message: `The platform answered ${most * WARNING_SHARE} requests within ${windowMs / 60_000} minutes with 401, 403 or 429; at ${most} it bans this address, so at ${most * REFUSAL_SHARE} the bridge stops sending for the rest of that time.`,
        endsAt: windowEndsAt,
      })
    },
  }
}
