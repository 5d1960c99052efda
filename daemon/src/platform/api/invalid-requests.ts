/** Counts the platform's invalid requests of this IP address. The bridge warns early and stops sending before the platform bans the address. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { RateReading } from './rate-limit.ts'
import type { Warnings } from './warnings.ts'

const COUNTED = new Set([401, 403, 429])
const WARNING_SHARE = 0.5
/** Stops below the limit, because other programs behind the same address count as well. */
const REFUSAL_SHARE = 0.9

export function createInvalidRequests(clock: Clock, warnings: Warnings) {
  const most = LIMITS.invalidRequests.value
  const windowMs = LIMITS.invalidRequestsMs.value
  let count = 0
  /** Monotonic ms: a clock that is set back must not stop requests for longer. */
  let windowEndsAt = 0
  return {
    /** ms until requests may be sent again; 0 = now. */
    waitMs(): number {
      return count < most * REFUSAL_SHARE ? 0 : Math.max(0, windowEndsAt - clock.elapsed())
    },
    count(status: number, reading: RateReading): void {
      // A 429 for a shared resource does not count against this address.
      if (!COUNTED.has(status) || reading.refusal?.scope === 'shared') return
      const now = clock.elapsed()
      if (now >= windowEndsAt) {
        count = 0
        windowEndsAt = now + windowMs
      }
      count += 1
      if (count < most * WARNING_SHARE) return
      warnings.raise('invalid requests', {
        kind: 'invalid_requests',
        message: `${most * WARNING_SHARE} requests within ${windowMs / 60_000} minutes failed with 401, 403 or 429. The platform bans this IP address at ${most}, so the bridge stops sending at ${most * REFUSAL_SHARE} for the rest of that time.`,
        endsAt: clock.now() + windowEndsAt - now,
      })
    },
  }
}
