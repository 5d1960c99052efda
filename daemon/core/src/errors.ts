/** The error of the contract: a code of ERRORS, a message for the caller, and a cause that is not sent. */
import type { AccountState, SignInMethod } from '@sallyport/protocol'
import { ERRORS, type ErrorName } from '@sallyport/protocol/errors'

/** Additional fields of an ERROR response. Never tokens, bodies or URLs. */
export interface ErrorDetail {
  /** Path of the invalid argument. */
  readonly path?: string
  readonly http_status?: number
  readonly platform_code?: number
  /** Field errors of the platform. */
  readonly errors?: unknown
  /** Seconds after which the same call may succeed. */
  readonly retry_after?: number
  /** The owner of an external identity that was used for a provisional account. */
  readonly user_id?: string | null
  readonly provider_type?: string | null
  readonly provider_id?: string | null
  readonly provider_issued_user_id?: string | null
  /** The state of the account, and how the game can sign in. */
  readonly account_state?: AccountState
  readonly sign_in?: readonly SignInMethod[]
}

export interface WireError extends ErrorDetail {
  readonly code: number
  readonly message: string
  /** Of the call, for games that named a contract. */
  readonly call_id?: string
}

export class BridgeError extends Error {
  override readonly name: string = 'BridgeError'
  readonly error: ErrorName
  readonly detail: ErrorDetail

  constructor(error: ErrorName, message: string, detail: ErrorDetail = {}, options?: ErrorOptions) {
    super(message, options)
    this.error = error
    this.detail = detail
  }

  toWire(): WireError {
    return { code: ERRORS[this.error].code, message: this.message, ...this.detail }
  }
}

const INTERNAL: WireError = {
  code: ERRORS.UNKNOWN_ERROR.code,
  message: 'The bridge failed to execute this call; see its log.',
}

/** The error for the caller. Any failure other than BridgeError is a bug and becomes UNKNOWN_ERROR without details. */
export const toWireError = (failure: unknown): WireError => (failure instanceof BridgeError ? failure.toWire() : INTERNAL)
