/** Runs a task once after nothing has happened for some time. Between `start` and the task, a timer looks for activity. */
import type { Clock } from './clock.ts'

export class Quiet {
  readonly #clock: Clock
  readonly #quietMs: number
  readonly #task: () => void
  #isActive = false
  #cancel: (() => void) | undefined

  constructor(clock: Clock, quietMs: number, task: () => void) {
    this.#clock = clock
    this.#quietMs = quietMs
    this.#task = task
  }

  /** Something happens. Called for each frame. */
  touch(): void {
    this.#isActive = true
  }

  /** The task is due at the next quiet time. */
  start(): void {
    this.#isActive = false
    this.#cancel ??= this.#clock.after(this.#quietMs, () => {
      this.#cancel = undefined
      if (this.#isActive) this.start()
      else this.#task()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
