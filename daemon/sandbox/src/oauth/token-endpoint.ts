/** POST /oauth2/token and its companions: exchange of codes and device codes, refresh, client credentials, revoke, RPC tokens. */
import type { TokenAnswer } from '@sallyport/protocol'
import { ACCESS_TOKEN_SECONDS, RPC_TOKEN_LIFETIME_MS } from '../constants.ts'
import { type Answer, reply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { OAuthError } from '../platform-error.ts'
import { defaultUser, type Platform, rememberApplication } from '../platform.ts'
import type { StoredCode } from '../store/records.ts'
import { parseScopes } from './authorize-request.ts'
import { authenticateClient, authenticateConfidential, type Client } from './client-auth.ts'
import { isBanned } from './bans.ts'
import { collectDevice } from './device-codes.ts'
import { mergeWrites } from './external-identities.ts'
import { type IdTokens, wantsIdToken } from './id-token.ts'
import { authorizationOfToken, exchange, type IssuedTokens, liveCode, openWithoutCode, refresh, revokeAll } from './sign-ins.ts'
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
    const code = liveCode(platform, required(form, 'code'), client.applicationId)
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
    const also = [...mergeWrites(platform, form, { applicationId, userId }), platform.store.deviceCodes.drop(device.hash)]
    return { tokens: openWithoutCode(platform, { applicationId, userId, scopes }, also, true) }
  },
  client_credentials(platform, form, _, confidential) {
    const { applicationId } = confidential()
    return {
      tokens: openWithoutCode(platform, {
        applicationId,
        userId: defaultUser(platform).id,
        scopes: parseScopes(form.get('scope') ?? ''),
      }),
    }
  },
}

/** Whether the one who brings the code is the one who asked for it: by verifier, by secret, or both. */
function checkProof(code: StoredCode, form: Form, { confidential }: Client): void {
  const verifier = form.get('code_verifier')
  if (code.codeChallenge === null) {
    if (verifier !== undefined)
      throw new OAuthError('invalid_grant', 'A code_verifier is given, but the code was asked for without a code_challenge.')
    if (!confidential)
      throw new OAuthError('invalid_client', 'A client without a secret needs PKCE: ask for the code with a code_challenge.')
  } else if (verifier === undefined || !verifies(verifier, code.codeChallenge)) {
    throw new OAuthError('invalid_grant', 'Invalid "code_verifier" in request')
  }
  // Codes that came over the local protocol are bound to the application, not to an address: a client that shows its secret may send
  // none, or whatever its library puts there.
  const redirectUri = form.get('redirect_uri')
  if (!confidential && redirectUri !== undefined && redirectUri !== code.redirectUri)
    throw new OAuthError('invalid_grant', 'Invalid "redirect_uri" in request')
}

export const requestToken =
  (platform: Platform, idTokens: IdTokens): Answer =>
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
    const idToken = wantsIdToken(tokens.scopes) ? await idTokens.sign(tokens.authorization, nonce ?? null) : undefined
    const body: TokenAnswer = {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      ...(tokens.refreshToken === undefined ? {} : { refresh_token: tokens.refreshToken }),
      scope: tokens.scopes.join(' '),
      ...(idToken === undefined ? {} : { id_token: idToken }),
    }
    return reply.json(200, body, { pragma: 'no-cache' })
  }

/** Any token ends all of that user and application; one that is not known is as good as ended. */
export const revokeToken =
  (platform: Platform): Answer =>
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

/** A one-time token with which a game skips the consent page. */
export const requestRpcToken =
  (platform: Platform): Answer =>
  ({ request }) => {
    const { store, clock } = platform
    const { applicationId } = authenticateConfidential(request, formBody(request))
    const token = newToken()
    const hash = hashOf(token)
    const now = clock.now()
    const outdated = store.rpcTokens.all().filter(({ expiresAt }) => expiresAt <= now)
    store.commit([
      ...rememberApplication(platform, applicationId),
      ...outdated.map((one) => store.rpcTokens.drop(one.hash)),
      store.rpcTokens.put(hash, { hash, applicationId, expiresAt: now + RPC_TOKEN_LIFETIME_MS }),
    ])
    return reply.json(200, { rpc_token: token })
  }

/** Uses up an RPC token. Throws invalid_grant when it is not one of this application. */
export function redeemRpcToken({ store, clock }: Platform, token: string, applicationId: string): void {
  const found = store.rpcTokens.get(hashOf(token))
  if (found === undefined || found.applicationId !== applicationId || found.expiresAt <= clock.now()) {
    throw new OAuthError('invalid_grant', 'The rpc_token is unknown, used or expired.')
  }
  store.commit([store.rpcTokens.drop(found.hash)])
}
