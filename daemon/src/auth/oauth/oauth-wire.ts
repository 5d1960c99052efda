/** The bridge's own HTTP port in the form that oauth4webapi takes, and that library's failures in the form that callers of the bridge know. */
import type * as OAuth from 'oauth4webapi'
import { boundedWaitS } from '@sallyport/core/bounded-wait'
import { BridgeError } from '@sallyport/core/errors'
import { repeats } from '@sallyport/core/spellings'
import { OAuthError } from './oauth-error.ts'
import type { WebReply, WebSend } from './web.ts'

/** The error for a refusal in the platform's own form; undefined when it is not in that form. */
export type Refusal = (reply: WebReply) => BridgeError | undefined

type Fetch = (url: string, options: OAuth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>) => Promise<Response>

/** One request of the library over the port. */
export const wireFetch =
  (send: WebSend, signal: AbortSignal, refusalOf: Refusal): Fetch =>
  async (url, { method, headers, body }) => {
    const reply = await send({ method, url, headers, ...(body === undefined ? {} : { body: body.toString() }) }, signal)
    if (reply.status === 429) throw tooMany(reply.headers['retry-after'])
    const refusal = reply.status >= 400 ? refusalOf(reply) : undefined
    if (refusal !== undefined) throw refusal
    const given = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) if (typeof value === 'string') given.set(name, value)
    return new Response(reply.body, { status: reply.status, headers: given })
  }

function tooMany(retryAfter: string | string[] | undefined): BridgeError {
  const seconds = Number(retryAfter)
  const detail = Number.isFinite(seconds) && seconds > 0 ? { retry_after: boundedWaitS(seconds) } : {}
  return new BridgeError('SERVICE_UNAVAILABLE', 'The token endpoint limits how often it may be asked; try again later.', {
    http_status: 429,
    ...detail,
  })
}

/** What is wrong with an ID token, by the claim at fault. */
const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  aud: 'is for another application',
  exp: 'is expired; check the clock of this machine',
  iat: 'has no usable time of issue; check the clock of this machine',
  iss: 'is not from the issuer of this platform',
  nbf: 'is not yet valid; check the clock of this machine',
  nonce: 'does not carry the nonce of the authorization',
}

const THROWN_AWAY = 'the tokens that came with it were thrown away. Authorize again.'

export const badIdToken = (fault: string): OAuthError => new OAuthError('invalid_id_token', `The ID token ${fault}; ${THROWN_AWAY}`)

/** The claim that a failure of the library is about: named by its cause, or, where the claim is missing, only by its sentence. */
function claimOf({ cause, message }: Error): string | undefined {
  const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : /\((\w+)\) claim missing/.exec(message)?.[1]
  return typeof claim === 'string' ? claim : undefined
}

/** The library's errors carry whole replies as their cause, so none of them is kept. */
export function toBridgeError(failure: unknown, oauth: typeof OAuth, signal: AbortSignal, secrets: readonly string[]): BridgeError {
  if (failure instanceof BridgeError) return failure
  if (signal.aborted) return leftEarly()
  if (failure instanceof oauth.ResponseBodyError) {
    const said = (text: string) => (repeats(text, secrets) ? '[withheld]' : text)
    const description = failure.error_description === undefined ? undefined : said(failure.error_description)
    return new OAuthError(said(failure.error), description, { http_status: failure.status })
  }
  if (failure instanceof oauth.WWWAuthenticateChallengeError) {
    return new OAuthError('invalid_client', 'The token endpoint wants this application to authenticate: make it a public client.', {
      http_status: failure.status,
    })
  }
  if (failure instanceof oauth.OperationProcessingError || failure instanceof oauth.UnsupportedOperationError) {
    const fault = CLAIM_FAULTS[claimOf(failure) ?? '']
    if (fault !== undefined) return badIdToken(fault)
    return new BridgeError(
      'SERVICE_UNAVAILABLE',
      'The answer of the token endpoint is not one of OAuth 2; try again later.',
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

export const leftEarly = (): BridgeError =>
  new BridgeError('TRANSACTION_ABORTED', 'The call was given up before the token endpoint answered.')
