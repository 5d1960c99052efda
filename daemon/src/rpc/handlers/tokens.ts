/** GET_TOKEN, REFRESH_TOKEN, REVOKE_TOKEN, FORGET_TOKENS: the token endpoint, with the daemon as keeper of what it gives. */
import type { ParsedArgsOf } from '@sallyport/protocol'
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import type { ExternalIdentity, TokenGrant } from '../../auth/auth.ts'
import type { TokenSet } from '../../auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { CallContext, Handler, PendingCall } from '../context.ts'
import { makeSure, readContent } from '../../sessions/sure-program.ts'
import { isKnown } from '../../identity/program.ts'
import { isInvalidGrant, noteDeaths, tellingStanding, tokensInUse } from './account-events.ts'
import { heldTokens, inspectBrought, inspectToken } from './authorization.ts'
import { ownApplication } from './authorize.ts'

const SECOND_MS = 1000

/** What became of tokens here. */
export interface Kept {
  readonly isKept: boolean
  /** Whose they are, when that is known and noted. */
  readonly userId?: string
}

/** Said only when it must be: the game has the tokens, and has to show them itself. */
export const notKept = (isKept: boolean): { kept?: false } => (isKept ? {} : { kept: false })

/** What a game is told: the shape of the token endpoint's own answer. */
const answerOf = (grant: TokenGrant, { isKept }: Kept) => ({
  access_token: grant.accessToken.reveal(),
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  scope: grant.scopes.join(' '),
  ...(grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken.reveal() }),
  ...(grant.idToken === undefined ? {} : { id_token: grant.idToken.reveal() }),
  ...notKept(isKept),
})

/** Keeps the tokens for this program, when the platform says whose they are. The game gets them all the same: the code is used up. */
export async function keep(grant: TokenGrant, origin: AccountEvent, context: CallContext, call: PendingCall): Promise<Kept> {
  try {
    return await store(grant, origin, context, call)
  } catch (failure) {
    context.services.log.warn('tokens-not-kept', { application: context.caller.applicationId, err: failure })
    return { isKept: false }
  }
}

async function store(grant: TokenGrant, origin: AccountEvent, context: CallContext, call: PendingCall): Promise<Kept> {
  const { caller, services } = context
  const { user, application } = await inspectToken(grant.accessToken, caller.applicationId, context, call)
  if (user === undefined) return { isKept: false }
  await makeSure(caller, services)
  await readContent(caller, services.contents)
  await services.accounts.note(caller.applicationId, user.id, origin)
  // Nobody could tell the next one like it from this one: it keeps its tokens itself. The command line shows nobody its tokens, and is asked about.
  if (!isKnown(caller.program) && caller.program.session === undefined) return { isKept: false, userId: user.id }
  await services.keeper.store(caller.account(user.id), {
    applicationId: caller.applicationId,
    userId: user.id,
    accessToken: grant.accessToken,
    ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
    scopes: grant.scopes,
    expiresAt: services.clock.now() + grant.expiresIn * SECOND_MS,
  })
  const place = { program: caller.program, applicationId: caller.applicationId, userId: user.id }
  services.grants.allow(place, grant.scopes, { applicationName: application.name, username: user.username })
  return { isKept: true, userId: user.id }
}

/** Both halves of an external identity, or neither. */
export function mergeOf({
  external_auth_type: type,
  external_auth_token: token,
}: Pick<ParsedArgsOf<'GET_TOKEN'>, 'external_auth_type' | 'external_auth_token'>): { merge?: ExternalIdentity } {
  if (type === undefined && token === undefined) return {}
  if (type !== undefined && token !== undefined) return { merge: { type, token: new Secret(token) } }
  const path = type === undefined ? 'external_auth_type' : 'external_auth_token'
  throw new BridgeError('INVALID_PAYLOAD', `A merge needs external_auth_type and external_auth_token; ${path} is missing.`, { path })
}

/** Carries out an exchange that a user allowed, keeps what it gives, and answers it. */
export async function exchanged(
  { merge }: { readonly merge?: ExternalIdentity },
  context: CallContext,
  call: PendingCall,
  exchange: () => Promise<TokenGrant>,
) {
  // A merge ends the provisional account of the identity, which may be the one in use here.
  const before = merge === undefined ? [] : await tokensInUse(context)
  const grant = await tellingStanding(before, context, exchange())
  const kept = await keep(grant, merge === undefined ? 'code_exchanged' : 'merged', context, call)
  await noteDeaths(before, 'absorbed', context, call)
  return answerOf(grant, kept)
}

export const getToken: Handler<'GET_TOKEN'> = (args, context) => {
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  const merge = mergeOf(args)
  return context.wait(async (call) => {
    const request = {
      applicationId,
      code: new Secret(args.code),
      codeVerifier: new Secret(args.code_verifier),
      redirectUri: args.redirect_uri,
      ...merge,
    }
    const { tokenEndpoint, strangers } = context.services
    const exchange = () => strangers.run(context.caller.program, () => tokenEndpoint.exchange(request, call.signal))
    return exchanged(merge, context, call, exchange)
  })
}

export const refreshToken: Handler<'REFRESH_TOKEN'> = (args, context) => {
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  return context.wait(async (call) => {
    const { tokenEndpoint, strangers } = context.services
    const request = { applicationId, refreshToken: new Secret(args.refresh_token) }
    try {
      const grant = await strangers.run(context.caller.program, () => tokenEndpoint.refresh(request, call.signal))
      return answerOf(grant, await keep(grant, 'refreshed', context, call))
    } catch (failure) {
      // It may be an old token that was used before; only when the access tokens are dead too is this the end of the account here.
      if (isInvalidGrant(failure)) await noteDeaths(await tokensInUse(context), 'refresh_refused', context, call)
      throw failure
    }
  })
}

/** Whose token it is: what the platform says of an access token, or what is stored beside a refresh token. Asked before it dies. */
async function ownerOf(token: Secret<string>, context: CallContext, call: PendingCall): Promise<string | undefined> {
  const held = await heldTokens(context)
  const stored = held.find(({ refreshToken: kept }) => kept?.reveal() === token.reveal())
  if (stored !== undefined) return stored.userId
  try {
    return (await inspectBrought(token, context, call)).user?.id
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
    await services.strangers.run(context.caller.program, () => services.tokenEndpoint.revoke({ applicationId, token }, call.signal))
    if (owner !== undefined) await services.revoked(applicationId, owner, 'The game revoked the token.', 'revoked_by_game')
    return null
  })
}

/** Takes the tokens back from the platform, as far as it can be reached: signing out must work without it too; they then only die here. */
async function revokeAtPlatform(tokens: TokenSet, { services }: CallContext, call: PendingCall): Promise<void> {
  const { applicationId } = tokens
  try {
    await services.tokenEndpoint.revoke({ applicationId, token: tokens.refreshToken ?? tokens.accessToken }, call.signal)
  } catch (failure) {
    services.log.warn('revoke-failed', { application: applicationId, err: failure })
  }
}

export const forgetTokens: Handler<'FORGET_TOKENS'> = (args, context) => {
  const { services } = context
  const applicationId = ownApplication(args.application_id ?? undefined, context)
  return context.wait(async (call) => {
    for (const tokens of await heldTokens(context)) {
      await revokeAtPlatform(tokens, context, call)
      await services.revoked(applicationId, tokens.userId, 'The user signed out.')
    }
    return null
  })
}
