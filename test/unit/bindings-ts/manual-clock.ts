/** Time that passes only when a test says so. */
import type { Clock } from '@sallyport/client'

export class ManualClock implements Clock {
  #now = 1_000
  #tasks: { readonly at: number; readonly task: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(delayMs: number, task: () => void): () => void {
    const entry = { at: this.#now + delayMs, task }
    this.#tasks.push(entry)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== entry)
    }
  }

  get waiting(): number {
    return this.#tasks.length
  }

  advance(byMs: number): void {
    const until = this.#now + byMs
    for (;;) {
      const [next] = this.#tasks.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#tasks = this.#tasks.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.task()
    }
    this.#now = until
  }
}
