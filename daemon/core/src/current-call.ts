/**
 * Which call of a game the running code works for. The log names it in its lines, requests to the platform may carry it, and a trace has its
 * steps. Starting a call allocates nothing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A request with a reply that is no success, as they were: with secrets. A trace takes what it may show. */
export interface RefusedExchange {
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly multipart?: { readonly payload: string | undefined; readonly fields: Readonly<Record<string, string>> }
    readonly shownPath?: string
  }
  readonly reply: { readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly body: string }
}

/** A request to the platform. Times in ms. */
export interface TracedRequest {
  readonly method: string
  /** The path of its row, with the names of parameters in place of values; otherwise without a query. */
  readonly path: string
  /** Absent: no complete reply came. */
  readonly status?: number
  /** Why none came. */
  readonly failure?: string
  readonly ms: number
}

/** The token of a request to the platform. */
export interface ChosenToken {
  readonly kind: 'user' | 'bot' | 'none'
  readonly user_id?: string
  /** Why this one: a sentence. */
  readonly reason: string
}

/** What the parts of the daemon report of a call while an operator watches. */
export interface CallSteps {
  /** What the row of the command requires, as alternatives, and what the session has. */
  scopesChecked(requires: readonly (readonly string[])[], held: ReadonlySet<string>): void
  tokenChosen(token: ChosenToken): void
  /** `on`: what it waited for. */
  waited(on: string, ms: number): void
  requested(request: TracedRequest, refused?: RefusedExchange): void
}

/** A call of a game. */
export interface CurrentCall {
  /** As games, logs and the platform see it: `c12-345`. */
  readonly id: string
  /** Undefined while no operator watches. */
  readonly steps: CallSteps | undefined
}

/** Work that waits for a call. */
export interface WaitingWork {
  /** Undefined once the work has ended: sockets and timers that it started keep it, and must not keep its call. */
  readonly call: CurrentCall | undefined
}

/**
 * The place of the running code, as Node keeps it. It is one per process, because there is one flow of code. To pass the call in its place,
 * each line of the log and each request of a sign-in would take it through a dozen signatures. The part of a call that does not wait costs
 * one assignment. A part that waits costs the context of Node: 450 bytes and 0.2 µs. So only those parts have one that can reach the
 * platform, whose requests cost far more, and all while an operator watches.
 */
class CallOfRunningCode {
  readonly #waiting = new AsyncLocalStorage<WaitingWork>()
  /** Restores the context after its argument ran, without a second one, which `AsyncLocalStorage.run` makes. */
  readonly #restoring = AsyncLocalStorage.snapshot()
  #running: CurrentCall | undefined

  get current(): CurrentCall | undefined {
    return this.#running ?? this.#waiting.getStore()?.call
  }

  /** Begins the part of a call that does not wait. Returns what `leave` takes at its end; two methods, because a closure would cost each call. */
  enter(call: CurrentCall): CurrentCall | undefined {
    const before = this.#running
    this.#running = call
    return before
  }

  leave(before: CurrentCall | undefined): void {
    this.#running = before
  }

  /** Runs the part of a call that waits: all that it starts works for the call too, until the work has ended. */
  whileWaiting<Given extends WaitingWork, T>(waiting: Given, work: (waiting: Given) => T): T {
    return this.#restoring(this.#inContextOf<Given, T>, waiting, work)
  }

  #inContextOf = <Given extends WaitingWork, T>(waiting: Given, work: (waiting: Given) => T): T => {
    this.#waiting.enterWith(waiting)
    return work(waiting)
  }
}

export const callOfRunningCode = new CallOfRunningCode()

/** The call that the running code works for; undefined for work of the daemon itself. */
export const currentCall = (): CurrentCall | undefined => callOfRunningCode.current

/** Runs work that the call does not wait for, or that has no deadline: the log names the call until the work has ended, and nothing keeps it longer. */
export async function workFor<T>(call: CurrentCall | undefined, work: () => Promise<T>): Promise<T> {
  if (call === undefined) return work()
  const waiting: { call: CurrentCall | undefined } = { call }
  try {
    return await callOfRunningCode.whileWaiting(waiting, work)
  } finally {
    waiting.call = undefined
  }
}

/** Waits, and reports to the trace of the running call how long, also of a wait that fails. */
export async function traceWait<T>(on: string, clock: { elapsed(): number }, wait: () => Promise<T>): Promise<T> {
  const steps = currentCall()?.steps
  if (steps === undefined) return wait()
  const since = clock.elapsed()
  try {
    return await wait()
  } finally {
    steps.waited(on, clock.elapsed() - since)
  }
}
