/** What the control interface and the front page read and change. */
import type { Faults } from '../faults.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { MovableClock } from '../movable-clock.ts'
import type { Platform } from '../platform.ts'
import type { RateLimits } from '../rate-limits.ts'
import type { RequestLog } from '../request-log.ts'
import type { Journal } from './journal.ts'

export interface ControlContext {
  readonly platform: Platform
  readonly gateway: Gateway
  readonly clock: MovableClock
  readonly journal: Journal
  readonly faults: Faults
  readonly limits: RateLimits
  readonly requests: RequestLog
  readonly port: () => number
}
