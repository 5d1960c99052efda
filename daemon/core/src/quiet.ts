/**
 * Runs a task once after nothing has happened for some time, or when it has waited long enough. Between `start` and the task, a timer looks
 * for activity.
 */
import type { Clock } from './clock.ts'

export class Quiet {
  readonly #clock: Clock
  readonly #quietMs: number
  /** However much happens, the task does not wait longer. */
  readonly #latestMs: number
  readonly #task: () => void
  #isActive = false
  /** By the monotonic clock. */
  #dueAt: number | undefined
  #cancel: (() => void) | undefined

  constructor(clock: Clock, { quietMs, latestMs }: { readonly quietMs: number; readonly latestMs: number }, task: () => void) {
    this.#clock = clock
    this.#quietMs = quietMs
    this.#latestMs = latestMs
    this.#task = task
  }

  /** Something happens. Called for each frame. */
  touch(): void {
    this.#isActive = true
  }

  /** The task is due at the next quiet time. */
  start(): void {
    this.#isActive = false
    this.#dueAt ??= this.#clock.elapsed() + this.#latestMs
    this.#cancel ??= this.#clock.after(this.#quietMs, () => {
      this.#cancel = undefined
      if (this.#isActive && this.#clock.elapsed() < (this.#dueAt ?? 0)) return this.start()
      this.#dueAt = undefined
      this.#task()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#dueAt = undefined
  }
}
