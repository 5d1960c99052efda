/** A clock that can be put forward, so that a test needs no waiting. Timers that become due run at once. */
import type { Clock } from '@sallyport/core/clock'

interface Timer {
  /** By the moved `elapsed`. */
  readonly dueAt: number
  readonly task: () => void
  cancel: () => void
}

export class MovableClock implements Clock {
  readonly #base: Clock
  readonly #timers = new Set<Timer>()
  #movedMs = 0

  constructor(base: Clock) {
    this.#base = base
  }

  /** How far it is ahead, in ms. */
  get movedMs(): number {
    return this.#movedMs
  }

  now(): number {
    return this.#base.now() + this.#movedMs
  }

  elapsed(): number {
    return this.#base.elapsed() + this.#movedMs
  }

  sinceBoot(): number {
    return this.#base.sinceBoot() + this.#movedMs
  }

  after(delayMs: number, task: () => void): () => void {
    const timer: Timer = { dueAt: this.elapsed() + delayMs, task, cancel: () => {} }
    this.#timers.add(timer)
    this.#wait(timer)
    return () => {
      this.#timers.delete(timer)
      timer.cancel()
    }
  }

  /** Puts the clock forward; a negative time puts it back. */
  move(ms: number): void {
    this.#movedMs += ms
    for (const timer of [...this.#timers]) {
      timer.cancel()
      this.#wait(timer)
    }
  }

  #wait(timer: Timer): void {
    timer.cancel = this.#base.after(Math.max(0, timer.dueAt - this.elapsed()), () => {
      this.#timers.delete(timer)
      timer.task()
    })
  }
}
