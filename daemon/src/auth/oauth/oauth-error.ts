/** OAuth 2 errors in the format of the local protocol: `OAuth2 Error: <error>: <description>`. */
import { BridgeError } from '@sallyport/core/errors'

export class OAuthError extends BridgeError {
  /** RFC 6749 `error`, to distinguish an ended grant from other failures. */
  readonly oauth: string

  constructor(oauth: string, description: string | undefined, detail: { readonly http_status?: number } = {}) {
    const text = description === undefined ? oauth : `${oauth}: ${description}`
    super('OAUTH2_ERROR', `OAuth2 Error: ${text.slice(0, SHOWN_CHARACTERS).replace(CONTROLS, ' ')}`, detail)
    this.oauth = oauth
  }
}

const SHOWN_CHARACTERS = 500
const CONTROLS = /\p{Cc}+/gu
