/** Time that stands still until the test moves it. */
import type { Clock } from '@sallyport/core/clock'

interface Task {
  readonly at: number
  readonly run: () => void
}

export class FakeClock implements Clock {
  #now: number
  #elapsed = 0
  #sleptMs = 0
  readonly #tasks = new Set<Task>()

  /** 21 November 2025 12:00 UTC by default. */
  constructor(now = Date.UTC(2025, 10, 21, 12)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  sinceBoot(): number {
    return this.#elapsed + this.#sleptMs
  }

  after(delayMs: number, run: () => void): () => void {
    const task = { at: this.#now + delayMs, run }
    this.#tasks.add(task)
    return () => void this.#tasks.delete(task)
  }

  /** Moves time on and runs what falls due, in order, each at its own moment. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = [...this.#tasks].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#tasks.delete(due)
      this.#pass(due.at)
      due.run()
    }
    this.#pass(end)
    this.#now = end
  }

  #pass(until: number): void {
    if (until <= this.#now) return
    this.#elapsed += until - this.#now
    this.#now = until
  }

  /** As when the machine sleeps: all timers wait on. */
  sleep(ms: number): void {
    this.#sleptMs += ms
    this.setBack(-ms)
  }

  /** As when a clock is put right; forward, if negative. What waits, waits as long as before. */
  setBack(ms: number): void {
    this.#now -= ms
    const waiting = [...this.#tasks]
    this.#tasks.clear()
    for (const { at, run } of waiting) this.#tasks.add({ at: at - ms, run })
  }

  /** When the next task falls due. */
  get nextAt(): number | undefined {
    return this.#tasks.size === 0 ? undefined : [...this.#tasks].reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  }

  /** How many tasks wait: none of them may be left behind. */
  get pending(): number {
    return this.#tasks.size
  }
}

/** Resolves after every promise that can settle without time or input has done so. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets promises settle before, between and after the tasks it runs, for code that waits and works in turns. */
export class SettlingClock implements Clock {
  readonly #inner = new FakeClock()

  now(): number {
    return this.#inner.now()
  }

  elapsed(): number {
    return this.#inner.elapsed()
  }

  sinceBoot(): number {
    return this.#inner.sinceBoot()
  }

  after(delayMs: number, run: () => void): () => void {
    return this.#inner.after(delayMs, run)
  }

  sleep(ms: number): void {
    this.#inner.sleep(ms)
  }

  setBack(ms: number): void {
    this.#inner.setBack(ms)
  }

  get pending(): number {
    return this.#inner.pending
  }

  async advance(ms: number): Promise<void> {
    const end = this.now() + ms
    for (;;) {
      await settled()
      const next = this.#inner.nextAt
      if (next === undefined || next > end) break
      this.#inner.advance(Math.max(0, next - this.now()))
    }
    this.#inner.advance(end - this.now())
    await settled()
  }
}
