/**
 * The token endpoint over oauth4webapi, which is loaded at the first use.
 * Its requests use the bridge's own HTTP client rather than the built-in fetch, so that connections, reply sizes and timeouts are
 * limited in one place and no second HTTP client is loaded.
 */
import type * as OAuth from 'oauth4webapi'
import type { PlatformProfile } from '@sallyport/core/profile'
import { boundedWaitS } from '@sallyport/core/bounded-wait'
import type { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { type SecretSearch, secretVariants } from '@sallyport/core/secret-variants'
import type { DeviceAuthorization, ExternalIdentity, TokenEndpoint, TokenGrant } from '../auth.ts'
import type { PendingNonces } from './pending-nonces.ts'
import { badIdToken, abortError, toBridgeError, wireFetch } from './oauth-wire.ts'
import { isLoopback, type WebReply, type WebSend } from './web.ts'

interface TokenEndpointDeps {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'authorizeUrl' | 'tokenUrl' | 'revokeUrl' | 'issuer' | 'userAgent'>
  readonly send: WebSend
  /** Parses an error reply in the platform's own format, which refused merges have; undefined for other formats. */
  readonly platformRefusal: (reply: WebReply, secrets: SecretSearch) => BridgeError | undefined
  readonly nonces: Pick<PendingNonces, 'of'>
}

/** When the response has no lifetime: short, so that a refresh soon returns one. */
const DEFAULT_EXPIRES_IN_S = 3600
/** RFC 8628 §3.2, when the response has none. */
const DEFAULT_INTERVAL_S = 5
/** Clocks of users are often wrong; ID tokens are valid for an hour. */
const CLOCK_TOLERANCE_S = 300

/** The context of one request. */
interface Exchange {
  readonly oauth: typeof OAuth
  readonly client: OAuth.Client
  readonly options: OAuth.TokenEndpointRequestOptions & OAuth.ValidateSignatureOptions
}

export function createTokenEndpoint({ profile, send, platformRefusal, nonces }: TokenEndpointDeps): TokenEndpoint {
  const server: OAuth.AuthorizationServer = {
    issuer: profile.issuer ?? new URL(profile.authorizeUrl).origin,
    token_endpoint: profile.tokenUrl,
    revocation_endpoint: profile.revokeUrl,
    device_authorization_endpoint: `${profile.baseUrl}/oauth2/device/authorize`,
    jwks_uri: `${profile.baseUrl}/oauth2/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const isPlainAllowed = [profile.tokenUrl, profile.revokeUrl, profile.baseUrl].every((url) => isLoopback(new URL(url)))
  /** Managed by the library. */
  const keys: OAuth.JWKSCacheInput = {}

  /**
   * Runs one request. Failures become OAUTH2_ERROR, SERVICE_UNAVAILABLE or the error for the platform's own code. Error messages never
   * contain `sent`.
   */
  const sendRequest = async <Result>(
    applicationId: string,
    sent: readonly Secret<string>[],
    signal: AbortSignal,
    run: (exchange: Exchange) => Promise<Result>,
  ): Promise<Result> => {
    const oauth = await import('oauth4webapi')
    if (signal.aborted) throw abortError()
    const secrets = secretVariants(sent.map((one) => one.reveal()))
    const options = {
      headers: { 'user-agent': profile.userAgent },
      signal,
      [oauth.customFetch]: wireFetch(send, signal, (reply) => platformRefusal(reply, secrets)),
      [oauth.allowInsecureRequests]: isPlainAllowed,
    }
    try {
      return await run({ oauth, client: { client_id: applicationId, [oauth.clockTolerance]: CLOCK_TOLERANCE_S }, options })
    } catch (failure) {
      throw toBridgeError(failure, oauth, signal, secrets)
    }
  }

  /** Verifies the signature of an ID token; the library has checked issuer, audience, times and nonce. */
  const toGrant = async (answer: OAuth.TokenEndpointResponse, response: Response, { oauth, options }: Exchange): Promise<TokenGrant> => {
    if (answer.id_token !== undefined) {
      try {
        await oauth.validateApplicationLevelSignature(server, response, { ...options, [oauth.jwksCache]: keys })
      } catch (failure) {
        if (failure instanceof oauth.OperationProcessingError) throw badIdToken('is not signed by a key of this platform')
        throw failure
      }
    }
    return grantOf(answer)
  }

  const withMerge = (options: OAuth.TokenEndpointRequestOptions, merge: ExternalIdentity | undefined): OAuth.TokenEndpointRequestOptions =>
    merge === undefined ? options : { ...options, additionalParameters: mergeParameters(merge) }

  return {
    exchange: ({ applicationId, code, codeVerifier, redirectUri, merge }, signal) =>
      sendRequest(applicationId, [code, codeVerifier, ...tokensOf(merge)], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        // The receiver of the redirect checked the state; this only converts the code for the library.
        const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code: code.reveal() }), oauth.skipStateCheck)
        const verifier = codeVerifier.reveal()
        const requestOptions = withMerge(options, merge)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          oauth.None(),
          callback,
          redirectUri,
          verifier,
          requestOptions,
        )
        const expected = nonces.of(code)
        const answer =
          expected === undefined
            ? await oauth.processGenericTokenEndpointResponse(server, client, response)
            : await oauth.processAuthorizationCodeResponse(server, client, response, {
                ...(expected.nonce === undefined ? {} : { expectedNonce: expected.nonce }),
              })
        return toGrant(answer, response, exchange)
      }),

    authorizeDevice: ({ applicationId, scopes }, signal) =>
      sendRequest(applicationId, [], signal, async ({ oauth, client, options }) => {
        const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { scope: scopes.join(' ') }, options)
        return deviceOf(await oauth.processDeviceAuthorizationResponse(server, client, response))
      }),

    exchangeDevice: ({ applicationId, deviceCode, merge }, signal) =>
      sendRequest(applicationId, [deviceCode, ...tokensOf(merge)], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        const requestOptions = withMerge(options, merge)
        const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode.reveal(), requestOptions)
        return toGrant(await oauth.processDeviceCodeResponse(server, client, response), response, exchange)
      }),

    refresh: ({ applicationId, refreshToken }, signal) =>
      sendRequest(applicationId, [refreshToken], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken.reveal(), options)
        return toGrant(await oauth.processRefreshTokenResponse(server, client, response), response, exchange)
      }),

    revoke: ({ applicationId, token }, signal) =>
      sendRequest(applicationId, [token], signal, async ({ oauth, client, options }) => {
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), token.reveal(), options))
      }),
  }
}

const tokensOf = (merge: ExternalIdentity | undefined): readonly Secret<string>[] => (merge === undefined ? [] : [merge.token])

const mergeParameters = ({ type, token }: ExternalIdentity): Record<string, string> => ({
  external_auth_type: type,
  external_auth_token: token.reveal(),
})

const grantOf = (answer: OAuth.TokenEndpointResponse): TokenGrant => ({
  accessToken: new Secret(answer.access_token),
  ...(answer.refresh_token === undefined ? {} : { refreshToken: new Secret(answer.refresh_token) }),
  ...(answer.id_token === undefined ? {} : { idToken: new Secret(answer.id_token) }),
  scopes: answer.scope?.split(' ').filter((scope) => scope !== '') ?? [],
  expiresIn: answer.expires_in ?? DEFAULT_EXPIRES_IN_S,
})

const deviceOf = (answer: OAuth.DeviceAuthorizationResponse): DeviceAuthorization => ({
  deviceCode: new Secret(answer.device_code),
  userCode: answer.user_code,
  verificationUri: answer.verification_uri,
  verificationUriComplete: answer.verification_uri_complete,
  expiresIn: boundedWaitS(answer.expires_in),
  interval: boundedWaitS(answer.interval ?? DEFAULT_INTERVAL_S),
})
