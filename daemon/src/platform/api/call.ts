/** One forwarded call from its start to its end: who it belongs to, until when it may take, and why it ended early. */
import type { EndpointRow } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { Canceller, type StopListener, type CancelSignal } from '@sallyport/core/cancel'
import type { Args } from './request.ts'
import type { Credential } from './upstream.ts'

export type EndReason = 'deadline' | 'left' | 'closed'

/** What is called, with what, and for whom. */
export interface CallSubject {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
}

/** Stops at the deadline, when the caller leaves, or when the forwarder closes, whichever is first; it is the signal of its own sendings. */
export class Call extends Canceller implements StopListener {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
  readonly credentialId: string
  /** Value of the path parameter by which the platform splits its buckets. */
  readonly major: string
  readonly deadlineAt: number
  readonly #callerStop: CancelSignal
  readonly #cancelTimer: () => void
  #endedBy: EndReason | undefined

  constructor(clock: Clock, { row, args, credential }: CallSubject, callerStop: CancelSignal, deadlineAt: number) {
    super()
    this.row = row
    this.args = args
    this.credential = credential
    this.credentialId = credential?.id ?? ''
    this.major = row.majorParameter === undefined ? '' : String(args[row.majorParameter])
    this.deadlineAt = deadlineAt
    this.#callerStop = callerStop
    this.#cancelTimer = clock.after(Math.max(0, deadlineAt - clock.now()), () => this.end('deadline'))
    callerStop.addEventListener('abort', this)
  }

  get endedBy(): EndReason | undefined {
    return this.#endedBy
  }

  handleEvent(): void {
    this.end('left')
  }

  end(reason: EndReason): void {
    this.#endedBy ??= reason
    this.stop()
  }

  /** Waits; resolves early when the call ends. */
  pause(clock: Clock, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, () => {
        this.removeEventListener('abort', early)
        resolve()
      })
      const early: StopListener = {
        handleEvent() {
          cancel()
          resolve()
        },
      }
      this.addEventListener('abort', early)
    })
  }

  dispose(): void {
    this.#cancelTimer()
    this.#callerStop.removeEventListener('abort', this)
  }
}
