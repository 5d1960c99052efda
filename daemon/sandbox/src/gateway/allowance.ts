/** How many sessions an application may still begin today. */
import type { Clock } from '@sallyport/core/clock'
import { DAY_MS, SESSIONS_PER_DAY } from './limits.ts'

interface Day {
  readonly endsAt: number
  readonly begun: number
}

export class Allowance {
  readonly #clock: Clock
  readonly #days = new Map<string, Day>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one more; false when there was none left. */
  take(applicationId: string): boolean {
    const { endsAt, begun } = this.#dayOf(applicationId)
    if (begun >= SESSIONS_PER_DAY) return false
    this.#days.set(applicationId, { endsAt, begun: begun + 1 })
    return true
  }

  /** In the words of the wire. */
  of(applicationId: string) {
    const { endsAt, begun } = this.#dayOf(applicationId)
    return { total: SESSIONS_PER_DAY, remaining: SESSIONS_PER_DAY - begun, reset_after: endsAt - this.#clock.now() }
  }

  /** A day begins with its first session. */
  #dayOf(applicationId: string): Day {
    const now = this.#clock.now()
    const known = this.#days.get(applicationId)
    return known === undefined || known.endsAt <= now ? { endsAt: now + DAY_MS, begun: 0 } : known
  }
}
