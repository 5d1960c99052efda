/** A pending call: it settles once, and fails at its deadline or when its session ends, even if the work ignores the signal. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { CallDeadline } from './context.ts'

const deadlineError = (deadlineMs: number) =>
  new BridgeError(
    'SERVICE_UNAVAILABLE',
    `No response within ${deadlineMs} ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.`,
  )

/** The owner of pending calls. */
export interface PendingCalls {
  untrack(call: RpcCall): void
}

export class RpcCall implements CallDeadline {
  readonly deadlineAt: number
  readonly #calls: PendingCalls
  readonly #canceller = new Canceller()
  readonly #cancelTimer: () => void
  #reject: (failure: unknown) => void = () => {}

  constructor(clock: Clock, deadlineMs: number, calls: PendingCalls) {
    this.#calls = calls
    this.deadlineAt = clock.now() + deadlineMs
    this.#cancelTimer = clock.after(deadlineMs, () => this.#fail(deadlineError(deadlineMs)))
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
      work(this).then(
        (answer) => {
          this.#finish()
          resolve(answer)
        },
        (failure: unknown) => {
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
    this.#calls.untrack(this)
  }
}
