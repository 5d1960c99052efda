/** The error that is part of the contract: a code of ERRORS, a sentence for the caller, and a cause that stays here. */
import { type AccountState, ERRORS, type ErrorName, type SignInWay } from '@sallyport/protocol'

/** What else an ERROR answer carries. Never tokens, bodies or URLs. */
export interface ErrorDetail {
  /** Path of the argument that is wrong. */
  readonly path?: string
  readonly http_status?: number
  readonly platform_code?: number
  /** Field errors as the platform gave them. */
  readonly errors?: unknown
  /** Seconds after which the same call may succeed. */
  readonly retry_after?: number
  /** Whose an external identity is that was taken for a provisional one. */
  readonly user_id?: string | null
  readonly provider_type?: string | null
  readonly provider_id?: string | null
  readonly provider_issued_user_id?: string | null
  /** How the account stands that this is about, and how the game gets in from here. */
  readonly account_state?: AccountState
  readonly sign_in?: readonly SignInWay[]
}

export interface WireError extends ErrorDetail {
  readonly code: number
  readonly message: string
}

export class BridgeError extends Error {
  override readonly name = 'BridgeError'
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
  message: 'The bridge failed at this call; its log says why.',
}

/** What a caller is told of any failure. Only BridgeError speaks for itself; anything else is a bug, told as such and nothing more. */
export const toWireError = (failure: unknown): WireError => (failure instanceof BridgeError ? failure.toWire() : INTERNAL)
