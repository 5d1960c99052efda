/**
 * Virtual time: the order of everything that happens later. Time moves only when nothing is left to do now, so an hour takes as long as its work.
 * What runs is one task at a time; between two of them, all promises and ticks are run to their end.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Random } from './random.ts'

/** A process of the simulated machine: what it started ends with it. */
export interface Owner {
  readonly name: string
  /** A killed process runs no code any more. */
  isDead: boolean
}

interface Task {
  readonly at: number
  /** Of tasks at the same time, the one that was added first runs first. */
  readonly order: number
  readonly run: () => void
  readonly owner: Owner | undefined
  /** Whether it is a timer of a process: those that are left at its end are counted. */
  readonly kind: TaskKind
  isCancelled: boolean
}

export type TaskKind = 'timer' | 'immediate' | 'network' | 'script'

export interface Scheduled {
  cancel(): void
}

const owners = new AsyncLocalStorage<Owner | undefined>()

/** The context of now, to run something in it later. */
export const contextOfNow = AsyncLocalStorage.snapshot.bind(AsyncLocalStorage)

/**
 * A snapshot that the code under test took while it was loaded belongs to no process. What runs in it stays with the process that runs it, as it
 * would in one of its own.
 */
export function keepOwnersInSnapshots(): void {
  AsyncLocalStorage.snapshot = () => {
    const run = contextOfNow()
    return (work, ...given) => {
      const owner = currentOwner()
      return run(() => owners.run(owner, work, ...given))
    }
  }
}

export const currentOwner = (): Owner | undefined => owners.getStore()

/** Runs the work as this process; all that it starts belongs to it. */
export const asOwner = <T>(owner: Owner | undefined, work: () => T): T => owners.run(owner, work)

/** Names of libuv's requests. Their order is the system's, not the seed's, so time stands still until they are over. */
const REQUEST = /Req|REQUEST|JOB|ZLIB|HASH|CIPHER|RANDOM/

const realImmediate = setImmediate

/** Runs all promises and ticks, and waits for what the system still does. */
async function settle(): Promise<void> {
  do await new Promise<void>((resolve) => realImmediate(resolve))
  while (process.getActiveResourcesInfo().some((name) => REQUEST.test(name)))
}

/** A timer of Node is late by the work that runs before it; this is the longest such wait, milliseconds. */
const LATEST_MS = 3
/** Durations whose last end is remembered. */
const REMEMBERED = 10_000

export class Timeline {
  readonly #random: Random
  readonly #onFailure: (failure: unknown, owner: Owner | undefined) => void
  #heap: Task[] = []
  #order = 0
  /** Timers of one duration run in the order in which they were set, as in Node. */
  #lastOf = new Map<number, number>()
  /** Milliseconds since the start of the run. */
  now = 0
  /** Tasks that were run. */
  ran = 0

  constructor(random: Random, onFailure: (failure: unknown, owner: Owner | undefined) => void) {
    this.#random = random
    this.#onFailure = onFailure
  }

  /** Runs the task at that time, in the asynchronous context of the caller. */
  at(at: number, kind: TaskKind, run: () => void): Scheduled {
    const task: Task = {
      at: Math.max(at, this.now),
      order: this.#order++,
      run: bound(run),
      owner: currentOwner(),
      kind,
      isCancelled: false,
    }
    // What a dead process still asks for is never done.
    if (task.owner?.isDead !== true) this.#push(task)
    return {
      cancel() {
        task.isCancelled = true
      },
    }
  }

  /** A timer of Node: whole milliseconds, at least one, and late by what the seed says. */
  timer(delayMs: number, run: () => void): Scheduled {
    const delay = delayMs >= 1 && delayMs < 2 ** 31 ? Math.trunc(delayMs) : 1
    const at = Math.max(this.now + delay + this.#random() * LATEST_MS, this.#lastOf.get(delay) ?? 0)
    if (this.#lastOf.size >= REMEMBERED) this.#lastOf = new Map([...this.#lastOf].filter(([, end]) => end >= this.now))
    this.#lastOf.set(delay, at)
    return this.at(at, 'timer', run)
  }

  /** Runs what comes until the work is done. Rejects when it can never be: nothing is left, and it waits. */
  async until<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false }
    const over = (): void => {
      state.isOver = true
    }
    work.then(over, over)
    await settle()
    while (!state.isOver) {
      if (!this.#runNext()) throw new Error('the simulation waits for something that nothing will bring')
      await settle()
    }
    return work
  }

  /** What of a process is left. Only meaningful at its end. */
  leftOf(owner: Owner): number {
    return this.#heap.filter((task) => task.owner === owner && !task.isCancelled && task.kind === 'timer').length
  }

  #runNext(): boolean {
    for (;;) {
      const task = this.#pop()
      if (task === undefined) return false
      if (task.isCancelled || task.owner?.isDead === true) continue
      this.now = Math.max(this.now, task.at)
      this.ran += 1
      try {
        task.run()
      } catch (failure) {
        this.#onFailure(failure, task.owner)
      }
      return true
    }
  }

  #push(task: Task): void {
    const heap = this.#heap
    let at = heap.push(task) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (isBefore(heap[above] as Task, task)) break
      heap[at] = heap[above] as Task
      at = above
    }
    heap[at] = task
  }

  #pop(): Task | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= heap.length) break
      const right = left + 1
      const below = right < heap.length && isBefore(heap[right] as Task, heap[left] as Task) ? right : left
      if (isBefore(last, heap[below] as Task)) break
      heap[at] = heap[below] as Task
      at = below
    }
    heap[at] = last
    return first
  }
}

const isBefore = (one: Task, other: Task): boolean => one.at < other.at || (one.at === other.at && one.order < other.order)

/** The work, in the asynchronous context of now. */
function bound(work: () => void): () => void {
  const inContext = contextOfNow()
  return () => inContext(work)
}
