/**
 * A call with a deadline. It is the only owner of that deadline: it settles once, fails at the deadline or when its session ends, and then
 * cancels the work, even if the work ignores it.
 */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { type CurrentCall, callOfRunningCode, type WaitingWork } from '@sallyport/core/current-call'
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { CallLimits } from '../platform/api/forwarder-port.ts'
import type { PendingCall } from './session.ts'

/** What a call waits for, if it knows more of its end than its deadline says. */
export interface AwaitedWork {
  /** The error of a call that waits no longer; undefined for the usual one, which advises to try again. */
  lateError(): BridgeError | undefined
}

export interface CallDeadline extends CallLimits {
  /** The same as `cancelSignal`, as an AbortSignal, which costs more. */
  readonly signal: AbortSignal
  /** Set by the work. */
  waitsFor: AwaitedWork | undefined
}

/** The session of a pending call. */
export interface PendingCalls {
  untrack(call: TimedCall): void
}

const deadlineError = (deadlineMs: number, advice: string) =>
  new BridgeError('SERVICE_UNAVAILABLE', `No response within ${deadlineMs} ms; try again${advice}.`)

/** Sessions choose the deadline of their calls. */
const SESSION_ADVICE = ', or set a longer time with SET_HTTP_REQUEST_TIMEOUT'

export class TimedCall implements CallDeadline, PendingCall, WaitingWork {
  readonly deadlineAt: number
  waitsFor: AwaitedWork | undefined
  readonly #calls: PendingCalls | undefined
  readonly #canceller = new Canceller()
  readonly #cancelTimer: () => void
  #reject: (failure: unknown) => void = () => {}
  #call: CurrentCall | undefined

  /**
   * `calls`: the session that tracks the call; undefined for a call that belongs to no session. `call`: for which the work is done, as the
   * log and traces name it.
   */
  constructor(clock: Clock, deadlineMs: number, calls?: PendingCalls, call?: CurrentCall) {
    this.#calls = calls
    this.#call = call
    this.deadlineAt = clock.elapsed() + deadlineMs
    const advice = calls === undefined ? '' : SESSION_ADVICE
    this.#cancelTimer = clock.after(deadlineMs, () => this.#fail(this.waitsFor?.lateError() ?? deadlineError(deadlineMs, advice)))
  }

  get call(): CurrentCall | undefined {
    return this.#call
  }

  get cancelSignal(): CancelSignal {
    return this.#canceller
  }

  get signal(): AbortSignal {
    return this.#canceller.signal
  }

  /** The session has ended. */
  cancel(): void {
    this.#fail(new BridgeError('TRANSACTION_ABORTED', 'The connection ended before the response.'))
  }

  run<T>(work: (call: CallDeadline) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      const working = this.#call === undefined ? work(this) : callOfRunningCode.whileWaiting(this, work)
      working.then(
        (answer) => {
          this.#call = undefined
          this.#finish()
          resolve(answer)
        },
        (failure: unknown) => {
          this.#call = undefined
          this.#finish()
          this.#reject(failure)
        },
      )
    })
  }

  #fail(failure: BridgeError): void {
    this.#finish()
    this.#reject(failure)
    this.#canceller.cancel()
  }

  #finish(): void {
    this.#cancelTimer()
    this.#calls?.untrack(this)
  }
}
