/** AUTHENTICATE binds the connection to what the user allowed. */
import { type DataOf, ENDPOINTS, expandScopes, type RpcUser } from '@sallyport/protocol'
import type { TokenSet } from '../auth/vault/vault.ts'
import { BridgeError } from '../core/errors.ts'
import { Secret } from '../core/secret.ts'
import type { SignedIn } from '../dispatch/caller.ts'
import type { CallContext, Handler, PendingCall } from '../dispatch/context.ts'
import { AUTHENTICATED_SCOPE, LOCAL_SCOPES } from '../gate/gate.ts'
import type { Credential } from '../upstream/upstream.ts'

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

/** What is stored for this program, as it is: reading it asks the platform nothing. */
export async function storedTokens({ caller, services }: CallContext): Promise<TokenSet | undefined> {
  const { applicationId, uid, executable } = caller.holder
  const stored = await services.keeper.list()
  return stored.find(({ holder }) => holder.applicationId === applicationId && holder.uid === uid && holder.executable === executable)
    ?.tokens
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

/** Binds the connection to a token that the platform accepts for its application; before that nothing of the connection changes. */
export async function bind(token: Secret<string>, isManaged: boolean, context: CallContext, call: PendingCall) {
  const { caller, services } = context
  const information = await inspectToken(token, caller.applicationId, context, call)
  const { user } = information
  if (user === undefined) {
    throw new BridgeError('INVALID_TOKEN', 'The token does not say whose it is; authorize with the scope identify.')
  }
  const expiresAt = Date.parse(information.expires)
  const signedIn: SignedIn = {
    userId: user.id,
    username: user.username,
    applicationName: information.application.name,
    accessToken: token,
    isManaged,
    expiresAt: Number.isNaN(expiresAt) ? Number.POSITIVE_INFINITY : expiresAt,
  }
  caller.signedIn = signedIn
  caller.scopes = new Set([...LOCAL_SCOPES, AUTHENTICATED_SCOPE, ...expandScopes(information.scopes)])
  const rpcUser = asRpcUser(user)
  services.account.signedIn(rpcUser)
  return { user: rpcUser, scopes: information.scopes, expires: information.expires, application: information.application }
}

/** A game that brings its token does not depend on what became of a stored one. */
export async function bindGiven(given: string, context: CallContext, call: PendingCall) {
  const stored = await storedTokens(context)
  const bound = await bind(new Secret(given), stored?.accessToken.reveal() === given, context, call)
  return { ...bound, access_token: given }
}

export const authenticate: Handler<'AUTHENTICATE'> = ({ access_token: given }, context) => {
  const { caller, services } = context
  return context.wait(async (call) => {
    if (given != null) return bindGiven(given, context, call)
    const stored = await services.keeper.current(caller.holder, call.signal)
    if (stored === undefined) {
      throw new BridgeError(
        'INVALID_TOKEN',
        'This program has no stored grant for this application; sign in with AUTHORIZE and GET_TOKEN, or pass access_token.',
      )
    }
    return bind(stored.accessToken, true, context, call)
  })
}
