/** The session starts left to an application in the current day. */
import type { Clock } from '@sallyport/core/clock'
import { DAY_MS } from '@sallyport/core/durations'
import { IDENTIFY_EVERY_MS, SESSIONS_PER_DAY } from './limits.ts'

interface DailyCount {
  readonly endsAt: number
  readonly started: number
}

export class SessionStartLimit {
  readonly #clock: Clock
  readonly #days = new Map<string, DailyCount>()
  /** When the bot of each application may identify again. */
  readonly #nextAt = new Map<string, number>()

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

  /** Counts an Identify of a bot. Returns false when it came too early after the one before. */
  isPaced(applicationId: string): boolean {
    const now = this.#clock.now()
    const isEarly = now < (this.#nextAt.get(applicationId) ?? 0)
    if (!isEarly) this.#nextAt.set(applicationId, now + IDENTIFY_EVERY_MS)
    return !isEarly
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
