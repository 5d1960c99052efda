/** Shared parts of the sign-in commands: checks a token at the platform and signs the session in with it. */
import { type DataOf, ENDPOINTS, expandScopes, type RpcUser, withAllowedPremium } from '@sallyport/protocol'
import type { TokenSet } from '../../auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { SignedIn } from '../../sessions/session.ts'
import type { CallContext, CallDeadline, Services } from '../context.ts'
import { touchGrant } from '../../sessions/grant-use.ts'
import { AUTHENTICATED_SCOPE } from '../../sessions/required-scopes.ts'
import type { GrantKey } from '../../auth/grants/grants.ts'
import { grantedScopes } from '../../auth/grants/rules.ts'
import type { Credential } from '../../platform/api/forwarder-port.ts'

/** The credential of a user's token; its id keeps rate limits of different users and applications apart. */
export const userCredential = (applicationId: string, userId: string, token: Secret<string>): Credential => ({
  kind: 'user',
  id: `${applicationId}:${userId}`,
  token,
})

/** Returns the platform's information about a token. Rejects with INVALID_TOKEN if it is not valid for this application. */
export async function inspectToken(token: Secret<string>, applicationId: string, { services }: CallContext, call: CallDeadline) {
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

/** Inspects a token that a program supplied, within the limit for unverified requests. */
export const inspectOwnToken = (token: Secret<string>, context: CallContext, call: CallDeadline) => {
  const { program, applicationId } = context.session
  return context.services.unverifiedRequests.runForToken(program, applicationId, token.reveal(), () =>
    inspectToken(token, applicationId, context, call),
  )
}

/** The stored tokens that this program may use, the latest grant first. */
export async function storedTokens({ session, services }: CallContext): Promise<readonly TokenSet[]> {
  const { applicationId, program } = session
  const stored = await services.tokenStore.storedFor(applicationId, program.uid)
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

/** The origin of a session's token. */
interface TokenOrigin {
  /** The daemon stores the token. */
  readonly isManaged: boolean
  /** The scopes of the token that this program was granted; all if absent. */
  readonly granted?: readonly string[]
}

/** Records the grant of a token that a game supplied, or touches the grant of a stored one, which may fail. */
function recordGrant(
  key: GrantKey,
  { user, application, scopes }: DataOf<'GET_CURRENT_AUTHORIZATION_INFORMATION'>,
  isOwnToken: boolean,
  services: Services,
): void {
  const names = { applicationName: application.name, username: user?.username }
  if (isOwnToken) return services.grants.recordOwnToken(key, scopes, names)
  touchGrant(key, names, services)
}

/** Signs the session in with a token after the platform accepted it. Until then the session does not change. */
export async function bind(token: Secret<string>, { isManaged, granted }: TokenOrigin, context: CallContext, call: CallDeadline) {
  const { session, services } = context
  const information = await (isManaged ? inspectToken(token, session.applicationId, context, call) : inspectOwnToken(token, context, call))
  const { user, application } = information
  if (user === undefined) {
    throw new BridgeError('INVALID_TOKEN', 'The token does not identify its user; authorize with the scope identify.')
  }
  await services.accounts.tokenAccepted(session.applicationId, user.id, token)
  recordGrant(
    { program: session.program, applicationId: session.applicationId, userId: user.id },
    information,
    granted === undefined,
    services,
  )
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
  session.signIn(signedIn, [AUTHENTICATED_SCOPE, ...expandScopes(scopes)])
  const rpcUser = asRpcUser(withAllowedPremium(user, session.scopes))
  // A page must not change the local user of this machine.
  if (session.connection.peer.trust !== 'origin') services.localUser.signedIn(rpcUser)
  services.subscriptions.scopesChanged(session)
  return { user: rpcUser, scopes: [...scopes], expires: information.expires, application }
}

/** Whether the daemon stores this token for this program. False while the vault does not open. */
async function isStored(token: string, context: CallContext): Promise<boolean> {
  if (context.session.connection.peer.trust === 'origin') return false
  try {
    return (await storedTokens(context)).some(({ accessToken }) => accessToken.reveal() === token)
  } catch (failure) {
    if (failure instanceof BridgeError) return false
    throw failure
  }
}

/** Signs in with a token from the game, independent of any stored token. */
export async function signInWithToken(token: string, context: CallContext, call: CallDeadline) {
  const isManaged = await isStored(token, context)
  const bound = await bind(new Secret(token), { isManaged }, context, call)
  return { ...bound, access_token: token }
}
