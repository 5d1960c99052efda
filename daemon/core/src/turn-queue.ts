/** Long work in slices, with other events of the event loop between them. */
import type { Clock } from './clock.ts'

/** Longest slice in ms, if the work asks often enough. A call that waits meanwhile has not noticed it. */
const SLICE_MS = 2

/** Does some of the work while `mayGoOn`, and returns whether it is over. An exception ends the work. */
export type Slice = (mayGoOn: () => boolean) => boolean

/** Runs work in the next turn of the event loop, after its input and output. */
export type NextTurn = (work: () => void) => void

interface Task {
  readonly slice: Slice
  readonly resolve: () => void
  readonly reject: (failure: unknown) => void
}

/** The slices of a turn together take no longer than one, however much work there is; each work gets its turn. */
export class TurnQueue {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #nextTurn: NextTurn
  readonly #tasks: Task[] = []
  /** When the slices of this turn must end; undefined before its first. */
  #endsAt: number | undefined

  constructor(clock: Pick<Clock, 'elapsed'>, nextTurn: NextTurn) {
    this.#clock = clock
    this.#nextTurn = nextTurn
  }

  /** Runs the first slice at once if this turn has time left. Undefined: the work is over already. Throws or rejects with its exception. */
  run(slice: Slice): Promise<void> | undefined {
    if (this.#tasks.length === 0 && this.#hasTime() && this.#slice(slice)) return undefined
    return new Promise((resolve, reject) => {
      this.#tasks.push({ slice, resolve, reject })
    })
  }

  #hasTime(): boolean {
    return this.#endsAt === undefined || this.#clock.elapsed() < this.#endsAt
  }

  #slice(slice: Slice): boolean {
    if (this.#endsAt === undefined) {
      this.#endsAt = this.#clock.elapsed() + SLICE_MS
      this.#nextTurn(() => this.#turn())
    }
    return slice(() => this.#hasTime())
  }

  #turn(): void {
    this.#endsAt = undefined
    const task = this.#tasks.shift()
    if (task === undefined) return
    try {
      // What waits for the work goes on in a turn of its own.
      if (this.#slice(task.slice)) this.#nextTurn(task.resolve)
      else this.#tasks.push(task)
    } catch (failure) {
      task.reject(failure)
    }
  }
}
