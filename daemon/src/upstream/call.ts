/** One forwarded call from its start to its end: who it belongs to, until when it may take, and why it ended early. */
import type { EndpointRow } from '@sallyport/protocol'
import type { Clock } from '../core/clock.ts'
import type { Args } from './request.ts'
import type { Credential } from './upstream.ts'

export type EndReason = 'deadline' | 'left' | 'closed'

/** What is called, with what, and for whom. */
export interface CallSubject {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
}

/** Its signal fires at the deadline, when the caller leaves, or when the forwarder closes, whichever is first. */
export class Call implements EventListenerObject {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
  readonly credentialId: string
  /** Value of the path parameter by which the platform splits its buckets. */
  readonly major: string
  readonly deadlineAt: number
  readonly #controller = new AbortController()
  readonly #callerSignal: AbortSignal
  readonly #cancelTimer: () => void
  #endedBy: EndReason | undefined

  constructor(clock: Clock, { row, args, credential }: CallSubject, callerSignal: AbortSignal, deadlineAt: number) {
    this.row = row
    this.args = args
    this.credential = credential
    this.credentialId = credential?.id ?? ''
    this.major = row.majorParameter === undefined ? '' : String(args[row.majorParameter])
    this.deadlineAt = deadlineAt
    this.#callerSignal = callerSignal
    this.#cancelTimer = clock.after(Math.max(0, deadlineAt - clock.now()), () => this.end('deadline'))
    callerSignal.addEventListener('abort', this)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get endedBy(): EndReason | undefined {
    return this.#endedBy
  }

  handleEvent(): void {
    this.end('left')
  }

  end(reason: EndReason): void {
    if (this.#endedBy !== undefined) return
    this.#endedBy = reason
    this.#controller.abort()
  }

  /** Waits; resolves early when the call ends. */
  pause(clock: Clock, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, () => {
        this.signal.removeEventListener('abort', stop)
        resolve()
      })
      const stop = () => {
        cancel()
        resolve()
      }
      this.signal.addEventListener('abort', stop, { once: true })
    })
  }

  dispose(): void {
    this.#cancelTimer()
    this.#callerSignal.removeEventListener('abort', this)
  }
}
