/** One forwarded call: its subject, its deadline, and why it ended early. */
import { accountText } from '@sallyport/core/account-key'
import type { EndpointRow } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { Canceller, type CancelListener, type CancelSignal } from '@sallyport/core/cancel'
import type { Args } from './request.ts'
import type { Credential } from './forwarder-port.ts'

/** `cancelled`: by the owner of the call, at its deadline or when its connection ended. */
export type EndReason = 'cancelled' | 'closed'

/** The row, arguments and credential of a call. */
export interface CallSubject {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
}

/** Separates the rate limits of credentials. */
function credentialId(credential: Credential | undefined): string {
  if (credential === undefined) return ''
  const { applicationId = 'unknown' } = credential
  return accountText({ applicationId, userId: credential.kind === 'bot' ? 'bot' : (credential.userId ?? 'unknown') })
}

/** Cancelled by its owner, or when the forwarder closes. It is also the signal for its own requests. */
export class Call extends Canceller implements CancelListener {
  readonly row: EndpointRow
  readonly args: Args
  readonly credential: Credential | undefined
  readonly credentialId: string
  /** Value of the path parameter by which the platform splits buckets. */
  readonly major: string
  readonly deadlineAt: number
  readonly #ownerSignal: CancelSignal
  #endedBy: EndReason | undefined

  constructor({ row, args, credential }: CallSubject, ownerSignal: CancelSignal, deadlineAt: number) {
    super()
    this.row = row
    this.args = args
    this.credential = credential
    this.credentialId = credentialId(credential)
    this.major = row.majorParameter === undefined ? '' : String(args[row.majorParameter])
    this.deadlineAt = deadlineAt
    this.#ownerSignal = ownerSignal
    ownerSignal.addEventListener('abort', this)
  }

  get endedBy(): EndReason | undefined {
    return this.#endedBy
  }

  handleEvent(): void {
    this.end('cancelled')
  }

  end(reason: EndReason): void {
    this.#endedBy ??= reason
    this.cancel()
  }

  /** Waits for the delay; resolves early if the call ends. */
  pause(clock: Clock, delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, () => {
        this.removeEventListener('abort', onEnd)
        resolve()
      })
      const onEnd: CancelListener = {
        handleEvent() {
          cancel()
          resolve()
        },
      }
      this.addEventListener('abort', onEnd)
    })
  }

  dispose(): void {
    this.#ownerSignal.removeEventListener('abort', this)
  }
}
