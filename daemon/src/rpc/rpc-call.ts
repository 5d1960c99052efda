/** A call that takes time: answered once, given up at its deadline or when its caller leaves, whatever the work makes of the signal. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Canceller, type CancelSignal } from '@sallyport/core/cancel'
import type { PendingCall } from './context.ts'

const lateAnswer = (deadlineMs: number) =>
  new BridgeError(
    'SERVICE_UNAVAILABLE',
    `No answer came within ${deadlineMs} ms; try again, or set a longer time with SET_HTTP_REQUEST_TIMEOUT.`,
  )

/** Who is told when the call is over. */
export interface OpenCalls {
  release(call: OpenCall): void
}

export class OpenCall implements PendingCall {
  readonly deadlineAt: number
  readonly #calls: OpenCalls
  readonly #stop = new Canceller()
  readonly #cancelTimer: () => void
  #reject: (failure: unknown) => void = () => {}

  constructor(clock: Clock, deadlineMs: number, calls: OpenCalls) {
    this.#calls = calls
    this.deadlineAt = clock.now() + deadlineMs
    this.#cancelTimer = clock.after(deadlineMs, () => this.#giveUp(lateAnswer(deadlineMs)))
  }

  get stop(): CancelSignal {
    return this.#stop
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** The caller is gone. */
  abandon(): void {
    this.#giveUp(new BridgeError('TRANSACTION_ABORTED', 'The connection ended before the answer came.'))
  }

  run<T>(work: (call: PendingCall) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      work(this).then(
        (answer) => {
          this.#end()
          resolve(answer)
        },
        (failure: unknown) => {
          this.#end()
          this.#reject(failure)
        },
      )
    })
  }

  #giveUp(failure: BridgeError): void {
    this.#end()
    this.#reject(failure)
    this.#stop.stop()
  }

  #end(): void {
    this.#cancelTimer()
    this.#calls.release(this)
  }
}
