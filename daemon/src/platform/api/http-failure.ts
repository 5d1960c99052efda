/** Why no complete reply arrived, and whether the platform may have received the request, which decides about a retry. */

export type HttpFailureKind = 'unreachable' | 'timed-out' | 'interrupted' | 'too-large' | 'aborted'

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: HttpFailureKind
  /** False only if no byte of the request was written to a connection. */
  readonly sent: boolean

  constructor(kind: HttpFailureKind, sent: boolean, options?: ErrorOptions) {
    super(`no complete reply: ${kind}`, options)
    this.kind = kind
    this.sent = sent
  }
}
