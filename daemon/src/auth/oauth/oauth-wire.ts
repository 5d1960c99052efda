/** Adapts the bridge's HTTP client to oauth4webapi, and that library's errors to BridgeError. */
import type * as OAuth from 'oauth4webapi'
import { boundedWaitS } from '@sallyport/core/bounded-wait'
import { BridgeError } from '@sallyport/core/errors'
import { containsSecret, type SecretSearch } from '@sallyport/core/secret-variants'
import { OAuthError } from './oauth-error.ts'
import type { WebReply, WebSend } from './web.ts'

/** Parses an error reply in the platform's own format; undefined for other formats. */
type ParseRefusal = (reply: WebReply) => BridgeError | undefined

type Fetch = (url: string, options: OAuth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>) => Promise<Response>

/** A `fetch` for the library over the HTTP client. */
export const wireFetch =
  (send: WebSend, signal: AbortSignal, parseRefusal: ParseRefusal): Fetch =>
  async (url, { method, headers, body }) => {
    const reply = await send({ method, url, headers, ...(body === undefined ? {} : { body: body.toString() }) }, signal)
    if (reply.status === 429) throw tooMany(reply.headers['retry-after'])
    const refusal = reply.status >= 400 ? parseRefusal(reply) : undefined
    if (refusal !== undefined) throw refusal
    const responseHeaders = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) if (typeof value === 'string') responseHeaders.set(name, value)
    return new Response(reply.body, { status: reply.status, headers: responseHeaders })
  }

function tooMany(retryAfter: string | string[] | undefined): BridgeError {
  const seconds = Number(retryAfter)
  const detail = Number.isFinite(seconds) && seconds > 0 ? { retry_after: boundedWaitS(seconds) } : {}
  return new BridgeError('SERVICE_UNAVAILABLE', 'The token endpoint limits the request rate; try again later.', {
    http_status: 429,
    ...detail,
  })
}

/** What is wrong with an ID token, by claim. */
const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  aud: 'is for another application',
  exp: 'is expired; check the clock of this machine',
  iat: 'has no usable time of issue; check the clock of this machine',
  iss: 'is not from the issuer of this platform',
  nbf: 'is not yet valid; check the clock of this machine',
  nonce: 'does not carry the nonce of the authorization',
}

const TOKENS_DISCARDED = 'its tokens were discarded. Authorize again.'

export const badIdToken = (fault: string): OAuthError => new OAuthError('invalid_id_token', `The ID token ${fault}; ${TOKENS_DISCARDED}`)

/** The claim that an error of the library is about: from its cause or, for a missing claim, from its message. */
function claimOf({ cause, message }: Error): string | undefined {
  const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : /\((\w+)\) claim missing/.exec(message)?.[1]
  return typeof claim === 'string' ? claim : undefined
}

/** Converts an error of the library. Its cause holds the whole reply, so it is dropped. */
export function toBridgeError(failure: unknown, oauth: typeof OAuth, signal: AbortSignal, secrets: SecretSearch): BridgeError {
  if (failure instanceof BridgeError) return failure
  if (signal.aborted) return abortError()
  if (failure instanceof oauth.ResponseBodyError) {
    const redacted = (text: string) => (containsSecret(text, secrets) ? '[withheld]' : text)
    const description = failure.error_description === undefined ? undefined : redacted(failure.error_description)
    return new OAuthError(redacted(failure.error), description, { http_status: failure.status })
  }
  if (failure instanceof oauth.WWWAuthenticateChallengeError) {
    return new OAuthError('invalid_client', 'The token endpoint requires client authentication; make this application a public client.', {
      http_status: failure.status,
    })
  }
  if (failure instanceof oauth.OperationProcessingError || failure instanceof oauth.UnsupportedOperationError) {
    const fault = CLAIM_FAULTS[claimOf(failure) ?? '']
    if (fault !== undefined) return badIdToken(fault)
    return new BridgeError(
      'SERVICE_UNAVAILABLE',
      'The response of the token endpoint is not valid OAuth 2; try again later.',
      {},
      { cause: failure.code },
    )
  }
  return new BridgeError(
    'SERVICE_UNAVAILABLE',
    'The token endpoint cannot be reached; check the network and try again.',
    {},
    { cause: failure },
  )
}

export const abortError = (): BridgeError =>
  new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled before the token endpoint responded.')
