/**
 * The token endpoint over oauth4webapi, the only file that knows it; it is loaded at the first use.
 * Its requests go through the bridge's own HTTP port rather than the built-in fetch, so that connections, reply sizes and time are
 * bounded in one place and no second HTTP client is loaded.
 */
import type * as OAuth from 'oauth4webapi'
import type { PlatformProfile } from '../config/profile.ts'
import { BridgeError } from '../core/errors.ts'
import { Secret } from '../core/secret.ts'
import type { ExternalIdentity, TokenEndpoint, TokenGrant } from './auth.ts'
import { OAuthError } from './oauth-error.ts'
import { isLoopback, type WebReply, type WebSend } from './web.ts'

export interface TokenEndpointParts {
  readonly profile: Pick<PlatformProfile, 'tokenUrl' | 'revokeUrl' | 'userAgent'>
  readonly send: WebSend
  /** The error for a refusal in the platform's own form, which merges are refused in; undefined when it is not in that form. */
  readonly platformRefusal: (reply: WebReply, secrets: readonly string[]) => BridgeError | undefined
}

/** When the endpoint does not say: short, so that a refresh soon finds out. */
const DEFAULT_EXPIRES_IN_S = 3600

/** Shorter texts are ordinary words. */
const SECRET_CHARACTERS = 8

export function createTokenEndpoint({ profile, send, platformRefusal }: TokenEndpointParts): TokenEndpoint {
  const server: OAuth.AuthorizationServer = {
    issuer: new URL(profile.tokenUrl).origin,
    token_endpoint: profile.tokenUrl,
    revocation_endpoint: profile.revokeUrl,
  }
  const isPlainAllowed = isLoopback(new URL(profile.tokenUrl)) && isLoopback(new URL(profile.revokeUrl))

  /**
   * Runs one exchange with the endpoint; whatever goes wrong becomes OAUTH2_ERROR or SERVICE_UNAVAILABLE, or what the platform's own
   * codes stand for. `sent` must not come back in what the endpoint says.
   */
  const ask = async <Result>(
    applicationId: string,
    sent: readonly Secret<string>[],
    signal: AbortSignal,
    run: (oauth: typeof OAuth, client: OAuth.Client, options: OAuth.TokenEndpointRequestOptions, wire: Wire) => Promise<Result>,
  ): Promise<Result> => {
    const oauth = await import('oauth4webapi')
    if (signal.aborted) throw leftEarly()
    const secrets = sent.map((one) => one.reveal()).filter(({ length }) => length >= SECRET_CHARACTERS)
    const wire = new Wire(send, signal, (reply) => platformRefusal(reply, secrets))
    const options: OAuth.TokenEndpointRequestOptions = {
      headers: { 'user-agent': profile.userAgent },
      signal,
      [oauth.customFetch]: wire.fetch,
      [oauth.allowInsecureRequests]: isPlainAllowed,
    }
    try {
      return await run(oauth, { client_id: applicationId }, options, wire)
    } catch (failure) {
      throw toBridgeError(failure, oauth, signal, secrets)
    }
  }

  return {
    exchange: ({ applicationId, code, codeVerifier, redirectUri, merge }, signal) =>
      ask(
        applicationId,
        [code, codeVerifier, ...(merge === undefined ? [] : [merge.token])],
        signal,
        async (oauth, client, shared, wire) => {
          const options = merge === undefined ? shared : { ...shared, additionalParameters: mergeParameters(merge) }
          // The state was compared where the redirect arrived; this only puts the code into the form the library takes.
          const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code: code.reveal() }), oauth.skipStateCheck)
          const verifier = codeVerifier.reveal()
          const response = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), callback, redirectUri, verifier, options)
          return toGrant(await oauth.processAuthorizationCodeResponse(server, client, response), wire)
        },
      ),

    refresh: ({ applicationId, refreshToken }, signal) =>
      ask(applicationId, [refreshToken], signal, async (oauth, client, options, wire) => {
        const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken.reveal(), options)
        return toGrant(await oauth.processRefreshTokenResponse(server, client, response), wire)
      }),

    revoke: ({ applicationId, token }, signal) =>
      ask(applicationId, [token], signal, async (oauth, client, options) => {
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token.reveal(), options))
      }),
  }
}

const mergeParameters = ({ type, token }: ExternalIdentity): Record<string, string> => ({
  external_auth_type: type,
  external_auth_token: token.reveal(),
})

/** The HTTP port in the form of fetch, for one exchange. */
class Wire {
  /**
   * Set aside before the library sees the reply. The bridge decides nothing by an ID token and knows neither the nonce nor the issuer
   * to check it against; who asked for it does, and gets it as it came.
   */
  idToken: Secret<string> | undefined
  readonly #send: WebSend
  readonly #signal: AbortSignal
  readonly #refusal: (reply: WebReply) => BridgeError | undefined

  constructor(send: WebSend, signal: AbortSignal, refusal: (reply: WebReply) => BridgeError | undefined) {
    this.#send = send
    this.#signal = signal
    this.#refusal = refusal
  }

  readonly fetch = async (url: string, { method, headers, body }: OAuth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> => {
    const reply = await this.#send({ method, url, headers, body: body.toString() }, this.#signal)
    if (reply.status === 429) throw tooMany(reply.headers['retry-after'])
    const refusal = reply.status >= 400 ? this.#refusal(reply) : undefined
    if (refusal !== undefined) throw refusal
    const given = new Headers()
    for (const [name, value] of Object.entries(reply.headers)) if (typeof value === 'string') given.set(name, value)
    return new Response(this.#setAside(reply.body), { status: reply.status, headers: given })
  }

  #setAside(body: string): string {
    if (!body.includes('"id_token"')) return body
    try {
      const { id_token: idToken, ...rest } = JSON.parse(body) as { readonly id_token?: unknown }
      if (typeof idToken === 'string') this.idToken = new Secret(idToken)
      return JSON.stringify(rest)
    } catch {
      return body
    }
  }
}

function toGrant(answer: OAuth.TokenEndpointResponse, wire: Wire): TokenGrant {
  return {
    accessToken: new Secret(answer.access_token),
    ...(answer.refresh_token === undefined ? {} : { refreshToken: new Secret(answer.refresh_token) }),
    ...(wire.idToken === undefined ? {} : { idToken: wire.idToken }),
    scopes: answer.scope?.split(' ').filter((scope) => scope !== '') ?? [],
    expiresIn: answer.expires_in ?? DEFAULT_EXPIRES_IN_S,
  }
}

function tooMany(retryAfter: string | string[] | undefined): BridgeError {
  const seconds = Number(retryAfter)
  const detail = Number.isFinite(seconds) && seconds > 0 ? { retry_after: seconds } : {}
  return new BridgeError('SERVICE_UNAVAILABLE', 'The token endpoint limits how often it may be asked; try again later.', {
    http_status: 429,
    ...detail,
  })
}

/** The library's errors carry whole replies as their cause, so none of them is kept. */
function toBridgeError(failure: unknown, oauth: typeof OAuth, signal: AbortSignal, secrets: readonly string[]): BridgeError {
  if (failure instanceof BridgeError) return failure
  if (signal.aborted) return leftEarly()
  if (failure instanceof oauth.ResponseBodyError) {
    const said = (text: string) => (secrets.some((secret) => text.includes(secret)) ? '[withheld]' : text)
    const description = failure.error_description === undefined ? undefined : said(failure.error_description)
    return new OAuthError(said(failure.error), description, { http_status: failure.status })
  }
  if (failure instanceof oauth.WWWAuthenticateChallengeError) {
    return new OAuthError('invalid_client', 'The token endpoint wants this application to authenticate: make it a public client.', {
      http_status: failure.status,
    })
  }
  if (failure instanceof oauth.OperationProcessingError || failure instanceof oauth.UnsupportedOperationError) {
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

const leftEarly = (): BridgeError => new BridgeError('TRANSACTION_ABORTED', 'The call was given up before the token endpoint answered.')
