/** Counts the requests that the platform holds against this address, so that the bridge stops before the platform bans it. */
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import type { RateReading } from './rate-limit.ts'

export interface InvalidRequests {
  /** ms until requests may go again; 0 = now. */
  waitMs(): number
  count(status: number, reading: RateReading): void
}

const WINDOW_MS = 600_000
const COUNTED = new Set([401, 403, 429])
/** Stops short of the limit: other programs behind the same address count too. */
const SHARE = 0.9

export function createInvalidRequests(clock: Clock): InvalidRequests {
  const most = LIMITS.invalidRequests.value * SHARE
  let count = 0
  let windowEndsAt = 0
  return {
    waitMs() {
      return count < most ? 0 : Math.max(0, windowEndsAt - clock.now())
    },
    count(status, reading) {
      // Somebody else's use of a shared resource is not held against us.
      if (!COUNTED.has(status) || reading.refusal?.scope === 'shared') return
      const now = clock.now()
      if (now >= windowEndsAt) {
        count = 0
        windowEndsAt = now + WINDOW_MS
      }
      count += 1
    },
  }
}
