/** Time that stands still until the test moves it. */
import type { Clock } from '../../daemon/src/core/clock.ts'

interface Task {
  readonly at: number
  readonly run: () => void
}

export class FakeClock implements Clock {
  #now: number
  #tasks: Task[] = []

  /** 21 November 2025 12:00 UTC unless told otherwise. */
  constructor(now = Date.UTC(2025, 10, 21, 12)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(delayMs: number, run: () => void): () => void {
    const task = { at: this.#now + delayMs, run }
    this.#tasks.push(task)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task)
    }
  }

  /** Moves time on and runs what falls due, in order, each at its own moment. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = this.#tasks.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#tasks = this.#tasks.filter((task) => task !== due)
      this.#now = Math.max(this.#now, due.at)
      due.run()
    }
    this.#now = end
  }

  /** How many tasks wait: none of them may be left behind. */
  get pending(): number {
    return this.#tasks.length
  }
}
