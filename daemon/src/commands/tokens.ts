/** GET_TOKEN, REFRESH_TOKEN, REVOKE_TOKEN, FORGET_TOKENS: the token endpoint, with the daemon as keeper of what it gives. */
import type { ParsedArgsOf } from '@sallyport/protocol'
import type { ExternalIdentity, TokenGrant } from '../auth/auth.ts'
import { BridgeError } from '../core/errors.ts'
import { Secret } from '../core/secret.ts'
import type { CallContext, Handler, PendingCall } from '../dispatch/context.ts'
import { inspectToken, storedTokens } from './authorization.ts'
import { ownApplication } from './authorize.ts'

const SECOND_MS = 1000

/** What a game is told: the shape of the token endpoint's own answer. */
const answerOf = (grant: TokenGrant) => ({
  access_token: grant.accessToken.reveal(),
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  scope: grant.scopes.join(' '),
  ...(grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken.reveal() }),
  ...(grant.idToken === undefined ? {} : { id_token: grant.idToken.reveal() }),
})

/** Keeps the tokens for this program, when the platform says whose they are. The game gets them all the same: the code is used up. */
export async function keep(grant: TokenGrant, context: CallContext, call: PendingCall): Promise<void> {
  try {
    await store(grant, context, call)
  } catch (failure) {
    context.services.log.warn('tokens-not-kept', { application: context.caller.applicationId, err: failure })
  }
}

async function store(grant: TokenGrant, context: CallContext, call: PendingCall): Promise<void> {
  const { caller, services } = context
  const { user } = await inspectToken(grant.accessToken, caller.applicationId, context, call)
  if (user === undefined) return
  await services.keeper.store(caller.holder, {
    applicationId: caller.applicationId,
    userId: user.id,
    accessToken: grant.accessToken,
    ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
    scopes: grant.scopes,
    expiresAt: services.clock.now() + grant.expiresIn * SECOND_MS,
  })
}

/** Both halves of an external identity, or neither. */
function mergeOf({ external_auth_type: type, external_auth_token: token }: ParsedArgsOf<'GET_TOKEN'>): { merge?: ExternalIdentity } {
  if (type === undefined && token === undefined) return {}
  if (type !== undefined && token !== undefined) return { merge: { type, token: new Secret(token) } }
  const path = type === undefined ? 'external_auth_type' : 'external_auth_token'
  throw new BridgeError('INVALID_PAYLOAD', `A merge needs external_auth_type and external_auth_token; ${path} is missing.`, { path })
}

export const getToken: Handler<'GET_TOKEN'> = (args, context) => {
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  const merge = mergeOf(args)
  return context.wait(async (call) => {
    const grant = await context.services.tokenEndpoint.exchange(
      {
        applicationId,
        code: new Secret(args.code),
        codeVerifier: new Secret(args.code_verifier),
        redirectUri: args.redirect_uri,
        ...merge,
      },
      call.signal,
    )
    await keep(grant, context, call)
    return answerOf(grant)
  })
}

export const refreshToken: Handler<'REFRESH_TOKEN'> = (args, context) => {
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  return context.wait(async (call) => {
    const grant = await context.services.tokenEndpoint.refresh({ applicationId, refreshToken: new Secret(args.refresh_token) }, call.signal)
    await keep(grant, context, call)
    return answerOf(grant)
  })
}

/** Whose token it is: what the platform says of an access token, or what is stored beside a refresh token. Asked before it dies. */
async function ownerOf(token: Secret<string>, context: CallContext, call: PendingCall): Promise<string | undefined> {
  const stored = await storedTokens(context)
  if (stored?.refreshToken?.reveal() === token.reveal()) return stored.userId
  try {
    return (await inspectToken(token, context.caller.applicationId, context, call)).user?.id
  } catch {
    // Of another application, dead already, or no access token: nothing here hangs on it.
    return undefined
  }
}

export const revokeToken: Handler<'REVOKE_TOKEN'> = (args, context) => {
  const { services } = context
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  return context.wait(async (call) => {
    const token = new Secret(args.token)
    const owner = await ownerOf(token, context, call)
    await services.tokenEndpoint.revoke({ applicationId, token }, call.signal)
    if (owner !== undefined) await services.revoked(applicationId, owner, 'The game revoked the token.')
    return null
  })
}

export const forgetTokens: Handler<'FORGET_TOKENS'> = (args, context) => {
  const { services } = context
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  return context.wait(async (call) => {
    const tokens = await storedTokens(context)
    if (tokens === undefined) return null
    try {
      await services.tokenEndpoint.revoke({ applicationId, token: tokens.refreshToken ?? tokens.accessToken }, call.signal)
    } catch (failure) {
      // Signing out must work without the platform too; the tokens then only die here.
      services.log.warn('revoke-failed', { application: applicationId, err: failure })
    }
    await services.revoked(applicationId, tokens.userId, 'The user signed out.')
    return null
  })
}
