/** The session starts left to an application in the current day. */
import type { Clock } from '@sallyport/core/clock'
import { DAY_MS } from '@sallyport/core/durations'
import { SESSIONS_PER_DAY } from './limits.ts'

interface DailyCount {
  readonly endsAt: number
  readonly started: number
}

export class SessionStartLimit {
  readonly #clock: Clock
  readonly #days = new Map<string, DailyCount>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one session start. Returns false when no start is left. */
  tryConsume(applicationId: string): boolean {
    const { endsAt, started: begun } = this.#countOf(applicationId)
    if (begun >= SESSIONS_PER_DAY) return false
    this.#days.set(applicationId, { endsAt, started: begun + 1 })
    return true
  }

  /** The wire form `session_start_limit`. */
  view(applicationId: string) {
    const { endsAt, started: begun } = this.#countOf(applicationId)
    return { total: SESSIONS_PER_DAY, remaining: SESSIONS_PER_DAY - begun, reset_after: endsAt - this.#clock.now() }
  }

  /** A day begins with its first session start. */
  #countOf(applicationId: string): DailyCount {
    const now = this.#clock.now()
    const known = this.#days.get(applicationId)
    return known === undefined || known.endsAt <= now ? { endsAt: now + DAY_MS, started: 0 } : known
  }
}
