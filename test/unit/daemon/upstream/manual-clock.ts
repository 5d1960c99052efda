/** A clock that stands still until the test moves it. */
import type { Clock } from '../../../../daemon/src/core/clock.ts'

interface Alarm {
  readonly at: number
  readonly task: () => void
}

export class ManualClock implements Clock {
  #now = 1_700_000_000_000
  readonly #alarms = new Set<Alarm>()

  now(): number {
    return this.#now
  }

  after(delayMs: number, task: () => void): () => void {
    const alarm = { at: this.#now + delayMs, task }
    this.#alarms.add(alarm)
    return () => this.#alarms.delete(alarm)
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#alarms.size
  }

  /** Moves on, running what is due in order, with the promises it settles. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await settled()
      const [next] = [...this.#alarms].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#alarms.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.task()
    }
    this.#now = end
    await settled()
  }
}

/** Resolves after every promise that can settle without time or input has done so. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
