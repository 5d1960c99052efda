/** Failures of OAuth 2 in the one form that clients of the local protocol know: `OAuth2 Error: <error>: <description>`. */
import { BridgeError } from '@sallyport/core/errors'

export class OAuthError extends BridgeError {
  /** RFC 6749 `error`, for those who must tell a dead grant from other failures. */
  readonly oauth: string

  constructor(oauth: string, description: string | undefined, detail: { readonly http_status?: number } = {}) {
    const text = description === undefined ? oauth : `${oauth}: ${description}`
    super('OAUTH2_ERROR', `OAuth2 Error: ${text.slice(0, SHOWN_CHARACTERS).replace(CONTROLS, ' ')}`, detail)
    this.oauth = oauth
  }
}

const SHOWN_CHARACTERS = 500
const CONTROLS = /\p{Cc}+/gu
