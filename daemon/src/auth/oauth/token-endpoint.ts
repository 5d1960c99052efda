/**
 * The token endpoint over oauth4webapi, which is loaded at the first use.
 * Its requests go through the bridge's own HTTP port rather than the built-in fetch, so that connections, reply sizes and time are
 * bounded in one place and no second HTTP client is loaded.
 */
import type * as OAuth from 'oauth4webapi'
import type { PlatformProfile } from '@sallyport/core/profile'
import { boundedWaitS } from '@sallyport/core/bounded-wait'
import type { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { guarded } from '@sallyport/core/spellings'
import type { DeviceAuthorization, ExternalIdentity, TokenEndpoint, TokenGrant } from '../auth.ts'
import type { ExpectedNonces } from './expected-nonces.ts'
import { badIdToken, leftEarly, toBridgeError, wireFetch } from './oauth-wire.ts'
import { isLoopback, type WebReply, type WebSend } from './web.ts'

export interface TokenEndpointParts {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'authorizeUrl' | 'tokenUrl' | 'revokeUrl' | 'issuer' | 'userAgent'>
  readonly send: WebSend
  /** The error for a refusal in the platform's own form, which merges are refused in; undefined when it is not in that form. */
  readonly platformRefusal: (reply: WebReply, secrets: readonly string[]) => BridgeError | undefined
  readonly nonces: Pick<ExpectedNonces, 'of'>
}

/** When the endpoint does not say: short, so that a refresh soon finds out. */
const DEFAULT_EXPIRES_IN_S = 3600
/** RFC 8628 §3.2, when the endpoint does not say. */
const DEFAULT_INTERVAL_S = 5
/** Clocks of players are wrong; ID tokens live an hour. */
const CLOCK_TOLERANCE_S = 300

/** What one exchange works with. */
interface Exchange {
  readonly oauth: typeof OAuth
  readonly client: OAuth.Client
  readonly options: OAuth.TokenEndpointRequestOptions & OAuth.ValidateSignatureOptions
}

export function createTokenEndpoint({ profile, send, platformRefusal, nonces }: TokenEndpointParts): TokenEndpoint {
  const server: OAuth.AuthorizationServer = {
    issuer: profile.issuer ?? new URL(profile.authorizeUrl).origin,
    token_endpoint: profile.tokenUrl,
    revocation_endpoint: profile.revokeUrl,
    device_authorization_endpoint: `${profile.baseUrl}/oauth2/device/authorize`,
    jwks_uri: `${profile.baseUrl}/oauth2/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const isPlainAllowed = [profile.tokenUrl, profile.revokeUrl, profile.baseUrl].every((url) => isLoopback(new URL(url)))
  /** Filled and aged by the library. */
  const keys: OAuth.JWKSCacheInput = {}

  /**
   * Runs one exchange with the endpoint; whatever goes wrong becomes OAUTH2_ERROR or SERVICE_UNAVAILABLE, or what the platform's own
   * codes stand for. `sent` must not come back in what the endpoint says.
   */
  const ask = async <Result>(
    applicationId: string,
    sent: readonly Secret<string>[],
    signal: AbortSignal,
    run: (exchange: Exchange) => Promise<Result>,
  ): Promise<Result> => {
    const oauth = await import('oauth4webapi')
    if (signal.aborted) throw leftEarly()
    const secrets = guarded(sent.map((one) => one.reveal()))
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

  /** The library has checked issuer, audience, times and nonce of an ID token; this checks who signed it. */
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
      ask(applicationId, [code, codeVerifier, ...tokensOf(merge)], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        // The state was compared where the redirect arrived; this only puts the code into the form the library takes.
        const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code: code.reveal() }), oauth.skipStateCheck)
        const verifier = codeVerifier.reveal()
        const asked = withMerge(options, merge)
        const response = await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), callback, redirectUri, verifier, asked)
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
      ask(applicationId, [], signal, async ({ oauth, client, options }) => {
        const response = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { scope: scopes.join(' ') }, options)
        return deviceOf(await oauth.processDeviceAuthorizationResponse(server, client, response))
      }),

    exchangeDevice: ({ applicationId, deviceCode, merge }, signal) =>
      ask(applicationId, [deviceCode, ...tokensOf(merge)], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        const asked = withMerge(options, merge)
        const response = await oauth.deviceCodeGrantRequest(server, client, oauth.None(), deviceCode.reveal(), asked)
        return toGrant(await oauth.processDeviceCodeResponse(server, client, response), response, exchange)
      }),

    refresh: ({ applicationId, refreshToken }, signal) =>
      ask(applicationId, [refreshToken], signal, async (exchange) => {
        const { oauth, client, options } = exchange
        const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken.reveal(), options)
        return toGrant(await oauth.processRefreshTokenResponse(server, client, response), response, exchange)
      }),

    revoke: ({ applicationId, token }, signal) =>
      ask(applicationId, [token], signal, async ({ oauth, client, options }) => {
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
