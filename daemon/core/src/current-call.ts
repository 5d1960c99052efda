/**
 * Which call of a game the running code works for. The log names it in its lines, requests to the platform may carry it, and a trace has its
 * steps. Starting a call allocates nothing; only work that waits keeps its call by an AsyncLocalStorage.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

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
  requested(request: TracedRequest): void
}

/** A call of a game. */
export interface CurrentCall {
  /** As games, logs and the platform see it: `c12-345`. */
  readonly id: string
  /** Undefined while no operator watches. */
  readonly steps: CallSteps | undefined
}

/** The place of the running code, as Node keeps it. One per process, because there is one flow of code. */
class CallOfRunningCode {
  readonly #waiting = new AsyncLocalStorage<CurrentCall>()
  #running: CurrentCall | undefined

  get current(): CurrentCall | undefined {
    return this.#running ?? this.#waiting.getStore()
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

  /** Runs the part of a call that waits: all that it starts works for the call too. */
  whileWaiting<T>(call: CurrentCall, work: () => T): T {
    return this.#waiting.run(call, work)
  }
}

export const callOfRunningCode = new CallOfRunningCode()

/** The call that the running code works for; undefined for work of the daemon itself. */
export const currentCall = (): CurrentCall | undefined => callOfRunningCode.current
