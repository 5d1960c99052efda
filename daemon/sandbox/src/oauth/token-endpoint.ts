/** POST /oauth2/token and related endpoints: exchange of codes and device codes, refresh, client credentials, revocation, RPC tokens. */
import type { TokenResponse } from '@sallyport/protocol'
import { ACCESS_TOKEN_SECONDS, RPC_TOKEN_LIFETIME_MS } from '../constants.ts'
import { type RouteHandler, reply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { OAuthError } from '../platform-error.ts'
import { defaultUser, type Platform, rememberApplication } from '../platform.ts'
import type { StoredCode } from '../store/records.ts'
import { parseScopes } from './authorize-request.ts'
import { checkScopes } from './portal-settings.ts'
import { authenticateClient, authenticateConfidential, type Client } from './client-auth.ts'
import { isBanned } from './bans.ts'
import { collectDevice } from './device-codes.ts'
import { mergeWrites } from './external-identities.ts'
import { type IdTokens, includesIdToken } from './id-token.ts'
import { authorizationOfToken, exchange, type IssuedTokens, validCode, openWithoutCode, refresh, revokeAll } from './sign-ins.ts'
import { hashOf, newToken, verifies } from './tokens.ts'

type Form = ReadonlyMap<string, string>
interface Granted {
  readonly tokens: IssuedTokens
  readonly nonce?: string | null
}
type Grant = (platform: Platform, form: Form, client: () => Client, confidential: () => Client) => Granted

const required = (form: Form, name: string): string => {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code(platform, form, authenticated) {
    const client = authenticated()
    const code = validCode(platform, required(form, 'code'), client.applicationId)
    checkProof(code, form, client)
    return { tokens: exchange(platform, code, mergeWrites(platform, form, code)), nonce: code.nonce }
  },
  refresh_token(platform, form, authenticated) {
    const { applicationId } = authenticated()
    const scope = form.get('scope')
    return {
      tokens: refresh(platform, required(form, 'refresh_token'), applicationId, scope === undefined ? undefined : parseScopes(scope)),
    }
  },
  'urn:ietf:params:oauth:grant-type:device_code'(platform, form, authenticated) {
    const { applicationId } = authenticated()
    const { device, userId } = collectDevice(platform, required(form, 'device_code'), applicationId)
    if (isBanned(platform, userId)) throw new OAuthError('invalid_grant', 'Invalid "device_code" in request')
    const { scopes } = device
    const also = [...mergeWrites(platform, form, { applicationId, userId }), platform.store.deviceCodes.delete(device.hash)]
    return { tokens: openWithoutCode(platform, { applicationId, userId, scopes }, also, true) }
  },
  client_credentials(platform, form, _, confidential) {
    const { applicationId } = confidential()
    const scopes = parseScopes(form.get('scope') ?? '')
    const userId = defaultUser(platform).id
    checkScopes(platform, applicationId, scopes, userId)
    return { tokens: openWithoutCode(platform, { applicationId, userId, scopes }) }
  },
}

/** Checks that the client with the code also requested it: by verifier, by secret, or both. */
function checkProof(code: StoredCode, form: Form, { confidential }: Client): void {
  const verifier = form.get('code_verifier')
  if (code.codeChallenge === null) {
    if (verifier !== undefined)
      throw new OAuthError('invalid_grant', 'A code_verifier was sent, but the code was requested without a code_challenge.')
    if (!confidential)
      throw new OAuthError('invalid_client', 'A client without a secret needs PKCE. Request the code with a code_challenge.')
  } else if (verifier === undefined || !verifies(verifier, code.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'Invalid "code_verifier" in request')
  }
  // Codes from the local protocol belong to the application, not to a redirect URI: a confidential client may omit
  // it or send any value.
  const redirectUri = form.get('redirect_uri')
  if (!confidential && redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw new OAuthError('invalid_grant', 'Invalid "redirect_uri" in request')
}

export const requestToken =
  (platform: Platform, idTokens: IdTokens): RouteHandler =>
  async ({ request }) => {
    const form = formBody(request)
    const name = required(form, 'grant_type')
    const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined
    if (grant === undefined) throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${Object.keys(GRANTS).join(', ')}.`)
    const { tokens, nonce } = grant(
      platform,
      form,
      () => authenticateClient(request, form),
      () => authenticateConfidential(request, form),
    )
    const idToken = includesIdToken(tokens.scopes) ? await idTokens.sign(tokens.authorization, nonce ?? null) : undefined
    const body: TokenResponse = {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      ...(tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken }),
      scope: tokens.scopes.join(' '),
      ...(idToken === undefined ? {} : { id_token: idToken }),
    }
    return reply.json(200, body, { pragma: 'no-cache' })
  }

/** Revokes all sign-ins of the token's user and application. An unknown token counts as revoked. */
export const revokeToken =
  (platform: Platform): RouteHandler =>
  ({ request }) => {
    const form = formBody(request)
    const { applicationId } = authenticateClient(request, form)
    const authorization = authorizationOfToken(platform, required(form, 'token'))
    if (authorization === undefined) return reply.json(200, {})
    if (authorization.applicationId !== applicationId)
      throw new OAuthError('unauthorized_client', 'The token belongs to another application.')
    revokeAll(platform, authorization.applicationId, authorization.userId)
    return reply.json(200, {})
  }

/** Issues a one-time token with which a game skips the consent page. */
export const requestRpcToken =
  (platform: Platform): RouteHandler =>
  ({ request }) => {
    const { store, clock } = platform
    const { applicationId } = authenticateConfidential(request, formBody(request))
    const token = newToken()
    const hash = hashOf(token)
    const now = clock.now()
    const outdated = store.rpcTokens.all().filter(({ expiresAt }) => expiresAt <= now)
    store.commit([
      ...rememberApplication(platform, applicationId),
      ...outdated.map((one) => store.rpcTokens.delete(one.hash)),
      store.rpcTokens.put(hash, { hash, applicationId, expiresAt: now + RPC_TOKEN_LIFETIME_MS }),
    ])
    return reply.json(200, { rpc_token: token })
  }

/** Redeems an RPC token. Throws invalid_grant for one of another application. */
export function redeemRpcToken({ store, clock }: Platform, token: string, applicationId: string): void {
  const found = store.rpcTokens.get(hashOf(token))
  if (found === undefined || found.applicationId !== applicationId || found.expiresAt <= clock.now()) {
    throw new OAuthError('invalid_grant', 'The rpc_token is unknown, used or expired.')
  }
  store.commit([store.rpcTokens.delete(found.hash)])
}
