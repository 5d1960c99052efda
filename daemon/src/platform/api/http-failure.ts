/** Why no complete reply arrived, and whether the platform can have seen the request: the second decides what may be repeated. */

export type HttpFailureKind = 'unreachable' | 'timed-out' | 'interrupted' | 'too-large' | 'aborted'

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly kind: HttpFailureKind
  /** False only when not one byte of the request was handed to a connection. */
  readonly sent: boolean

  constructor(kind: HttpFailureKind, sent: boolean, options?: ErrorOptions) {
    super(`no complete reply: ${kind}`, options)
    this.kind = kind
    this.sent = sent
  }
}
