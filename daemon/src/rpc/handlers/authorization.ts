/** What AUTHENTICATE and its kin have in common: tokens asked about at the platform, and the connection bound to what the user allowed. */
import { type DataOf, ENDPOINTS, expandScopes, type RpcUser, withAllowedPremium } from '@sallyport/protocol'
import type { TokenSet } from '../../auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { SignedIn } from '../../sessions/session.ts'
import type { CallContext, PendingCall, Services } from '../context.ts'
import { noteGrantUse } from '../../sessions/grant-use.ts'
import { AUTHENTICATED_SCOPE } from '../../sessions/required-scopes.ts'
import type { GrantPlace } from '../../auth/grants/grants.ts'
import { grantedScopes } from '../../auth/grants/rules.ts'
import type { Credential } from '../../platform/api/upstream.ts'

/** The credential of a user's token; its id keeps rate limits of different users and applications apart. */
export const userCredential = (applicationId: string, userId: string, token: Secret<string>): Credential => ({
  kind: 'user',
  id: `${applicationId}:${userId}`,
  token,
})

/** What the platform says a token stands for. Rejects with INVALID_TOKEN when it is not good for this application. */
export async function inspectToken(token: Secret<string>, applicationId: string, { services }: CallContext, call: PendingCall) {
  const information = (await services.forwarder.forward(
    ENDPOINTS.GET_CURRENT_AUTHORIZATION_INFORMATION,
    {},
    userCredential(applicationId, 'unknown', token),
    call.signal,
    call.deadlineAt,
  )) as DataOf<'GET_CURRENT_AUTHORIZATION_INFORMATION'>
  if (information.application.id !== applicationId) {
    throw new BridgeError('INVALID_TOKEN', `The token belongs to application ${information.application.id}, not to ${applicationId}.`)
  }
  return information
}

/** The same of a token that a program brought: too many that the platform refuses are not asked about. */
export const inspectBrought = (token: Secret<string>, context: CallContext, call: PendingCall) => {
  const { program, applicationId } = context.caller
  return context.services.strangers.ask(program, applicationId, token.reveal(), () => inspectToken(token, applicationId, context, call))
}

/** What is stored and this very program was allowed to use, the newest allowed first. */
export async function heldTokens({ caller, services }: CallContext): Promise<readonly TokenSet[]> {
  const { applicationId, program } = caller
  const stored = await services.keeper.storedFor(applicationId, program.uid)
  return services.grants
    .allowed(program, applicationId)
    .flatMap(({ userId }) => stored.filter(({ account }) => account.userId === userId).map(({ tokens }) => tokens))
}

const asRpcUser = (user: NonNullable<DataOf<'GET_CURRENT_AUTHORIZATION_INFORMATION'>['user']>): RpcUser => ({
  id: user.id,
  username: user.username,
  discriminator: user.discriminator,
  avatar: user.avatar,
  global_name: user.global_name ?? null,
  bot: user.bot ?? false,
  flags: user.public_flags ?? 0,
  premium_type: user.premium_type ?? 0,
})

/** How a token came to the connection. */
interface Origin {
  /** The daemon keeps the token. */
  readonly isManaged: boolean
  /** What of the token's scopes this program was granted; all of them when absent. */
  readonly granted?: readonly string[]
}

/** A token that a game brought must be in the list of grants; of one that was granted only the use is noted, which may fail. */
function writeDown(
  place: GrantPlace,
  { user, application, scopes }: DataOf<'GET_CURRENT_AUTHORIZATION_INFORMATION'>,
  isBrought: boolean,
  services: Services,
): void {
  const names = { applicationName: application.name, username: user?.username }
  if (isBrought) return services.grants.broughtToken(place, scopes, names)
  noteGrantUse(place, names, services)
}

/** Binds the connection to a token that the platform accepts for its application; before that nothing of the connection changes. */
export async function bind(token: Secret<string>, { isManaged, granted }: Origin, context: CallContext, call: PendingCall) {
  const { caller, services } = context
  const information = await (isManaged ? inspectToken(token, caller.applicationId, context, call) : inspectBrought(token, context, call))
  const { user, application } = information
  if (user === undefined) {
    throw new BridgeError('INVALID_TOKEN', 'The token does not say whose it is; authorize with the scope identify.')
  }
  await services.accounts.accepted(caller.applicationId, user.id, token)
  writeDown({ program: caller.program, applicationId: caller.applicationId, userId: user.id }, information, granted === undefined, services)
  const expiresAt = Date.parse(information.expires)
  const scopes = granted === undefined ? information.scopes : grantedScopes(information.scopes, granted)
  const signedIn: SignedIn = {
    userId: user.id,
    username: user.username,
    applicationName: application.name,
    accessToken: token,
    isManaged,
    expiresAt: Number.isNaN(expiresAt) ? Number.POSITIVE_INFINITY : expiresAt,
  }
  caller.signIn(signedIn, [AUTHENTICATED_SCOPE, ...expandScopes(scopes)])
  const rpcUser = asRpcUser(withAllowedPremium(user, caller.scopes))
  // Who plays on this machine is for its programs to say, not for a page.
  if (caller.channel.peer.trust !== 'origin') services.account.signedIn(rpcUser)
  services.hub.scopesChanged(caller)
  return { user: rpcUser, scopes: [...scopes], expires: information.expires, application }
}

/** Whether it is one that the daemon keeps for this program. A vault that does not open keeps nothing now. */
async function isHeld(given: string, context: CallContext): Promise<boolean> {
  if (context.caller.channel.peer.trust === 'origin') return false
  try {
    return (await heldTokens(context)).some(({ accessToken }) => accessToken.reveal() === given)
  } catch (failure) {
    if (failure instanceof BridgeError) return false
    throw failure
  }
}

/** A game that brings its token does not depend on what became of a stored one. */
export async function bindGiven(given: string, context: CallContext, call: PendingCall) {
  const isManaged = await isHeld(given, context)
  const bound = await bind(new Secret(given), { isManaged }, context, call)
  return { ...bound, access_token: given }
}
