/** Runs a task once nothing has happened for some time. No timer runs while nothing happens. */
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

  /** Something happens. Called for each frame, so it only sets a flag while the timer runs. */
  touch(): void {
    this.#isActive = true
    if (this.#cancel === undefined) this.#wait()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #wait(): void {
    this.#isActive = false
    this.#cancel = this.#clock.after(this.#quietMs, () => {
      this.#cancel = undefined
      if (this.#isActive) this.#wait()
      else this.#task()
    })
  }
}
