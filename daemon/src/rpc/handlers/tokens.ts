/** GET_TOKEN, REFRESH_TOKEN, REVOKE_TOKEN, FORGET_TOKENS: the token endpoint; the daemon stores the tokens that it returns. */
import type { ParsedArgsOf } from '@sallyport/protocol'
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import type { ExternalIdentity, TokenGrant } from '../../auth/auth.ts'
import type { TokenSet } from '../../auth/vault/vault.ts'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import type { CallContext, Handler, CallDeadline } from '../context.ts'
import { verifyProgram, readDigest } from '../../sessions/program-check.ts'
import { isKnown } from '../../identity/program.ts'
import { isInvalidGrant, recordInvalidatedTokens, withAccountState, tokensInUse } from './account-events.ts'
import { storedTokens, inspectOwnToken, inspectToken } from './authorization.ts'
import { requireOwnApplication } from './authorize.ts'

const SECOND_MS = 1000

/** Whether the daemon stored the tokens. */
export interface StoreResult {
  readonly isStored: boolean
  /** The user of the tokens, if known and recorded. */
  readonly userId?: string
}

/** `kept: false` when the daemon did not store the tokens, so that the game must pass them itself. */
export const notStoredField = (isStored: boolean): { kept?: false } => (isStored ? {} : { kept: false })

/** The response to the game, in the form of the token endpoint's response. */
const tokenResponse = (grant: TokenGrant, { isStored }: StoreResult) => ({
  access_token: grant.accessToken.reveal(),
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  scope: grant.scopes.join(' '),
  ...(grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken.reveal() }),
  ...(grant.idToken === undefined ? {} : { id_token: grant.idToken.reveal() }),
  ...notStoredField(isStored),
})

/** Stores the tokens for this program if the platform identifies their user. Never rejects: the code is used up, so the game gets them anyway. */
export async function store(grant: TokenGrant, origin: AccountEvent, context: CallContext, call: CallDeadline): Promise<StoreResult> {
  try {
    return await storeForProgram(grant, origin, context, call)
  } catch (failure) {
    context.services.log.warn('tokens-not-kept', { application: context.session.applicationId, err: failure })
    return { isStored: false }
  }
}

async function storeForProgram(grant: TokenGrant, origin: AccountEvent, context: CallContext, call: CallDeadline): Promise<StoreResult> {
  const { session, services } = context
  const { user, application } = await inspectToken(grant.accessToken, session.applicationId, context, call)
  if (user === undefined) return { isStored: false }
  await verifyProgram(session, services)
  await readDigest(session, services.contents)
  await services.accounts.apply(session.applicationId, user.id, origin)
  // An unidentified program must store its tokens itself, because others like it cannot be distinguished. The command line is the exception.
  if (!isKnown(session.program) && session.program.session === undefined) return { isStored: false, userId: user.id }
  await services.tokenStore.store(session.account(user.id), {
    applicationId: session.applicationId,
    userId: user.id,
    accessToken: grant.accessToken,
    ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
    scopes: grant.scopes,
    expiresAt: services.clock.now() + grant.expiresIn * SECOND_MS,
  })
  const grantKey = { program: session.program, applicationId: session.applicationId, userId: user.id }
  services.grants.allow(grantKey, grant.scopes, { applicationName: application.name, username: user.username })
  return { isStored: true, userId: user.id }
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

/** Runs an exchange that the user allowed, stores its tokens and returns the response. */
export async function exchangeAndStore(
  { merge }: { readonly merge?: ExternalIdentity },
  context: CallContext,
  call: CallDeadline,
  exchange: () => Promise<TokenGrant>,
) {
  // A merge ends the provisional account of the identity, which this session may use.
  const before = merge === undefined ? [] : await tokensInUse(context)
  const grant = await withAccountState(before, context, exchange())
  const result = await store(grant, merge === undefined ? 'code_exchanged' : 'merged', context, call)
  await recordInvalidatedTokens(before, 'absorbed', context, call)
  return tokenResponse(grant, result)
}

export const getToken: Handler<'GET_TOKEN'> = (args, context) => {
  const applicationId = requireOwnApplication(args.application_id ?? undefined, context)
  const merge = mergeOf(args)
  return context.withDeadline(async (call) => {
    const request = {
      applicationId,
      code: new Secret(args.code),
      codeVerifier: new Secret(args.code_verifier),
      redirectUri: args.redirect_uri,
      ...merge,
    }
    const { tokenEndpoint, unverifiedRequests } = context.services
    const exchange = () => unverifiedRequests.run(context.session.program, () => tokenEndpoint.exchange(request, call.signal))
    return exchangeAndStore(merge, context, call, exchange)
  })
}

export const refreshToken: Handler<'REFRESH_TOKEN'> = (args, context) => {
  const applicationId = requireOwnApplication(args.application_id ?? undefined, context)
  return context.withDeadline(async (call) => {
    const { tokenEndpoint, unverifiedRequests } = context.services
    const request = { applicationId, refreshToken: new Secret(args.refresh_token) }
    try {
      const grant = await unverifiedRequests.run(context.session.program, () => tokenEndpoint.refresh(request, call.signal))
      return tokenResponse(grant, await store(grant, 'refreshed', context, call))
    } catch (failure) {
      // A refresh token may just be used up. The account ends here only if its access tokens are invalid too.
      if (isInvalidGrant(failure)) await recordInvalidatedTokens(await tokensInUse(context), 'refresh_refused', context, call)
      throw failure
    }
  })
}

/** The user of a token: from the platform for an access token, from the store for a refresh token. Called before the revocation. */
async function ownerOf(token: Secret<string>, context: CallContext, call: CallDeadline): Promise<string | undefined> {
  const stored = await storedTokens(context)
  const match = stored.find(({ refreshToken: candidate }) => candidate?.reveal() === token.reveal())
  if (match !== undefined) return match.userId
  try {
    return (await inspectOwnToken(token, context, call)).user?.id
  } catch {
    // Of another application, already invalid, or no access token: no account here uses it.
    return undefined
  }
}

export const revokeToken: Handler<'REVOKE_TOKEN'> = (args, context) => {
  const { services } = context
  const applicationId = requireOwnApplication(args.application_id ?? undefined, context)
  return context.withDeadline(async (call) => {
    const token = new Secret(args.token)
    const owner = await ownerOf(token, context, call)
    await services.unverifiedRequests.run(context.session.program, () =>
      services.tokenEndpoint.revoke({ applicationId, token }, call.signal),
    )
    if (owner !== undefined) await services.revokeAccount(applicationId, owner, 'The game revoked the token.', 'revoked_by_game')
    return null
  })
}

/** Revokes the tokens at the platform if it is reachable. Signing out must work offline too: then the tokens are only deleted here. */
async function revokeAtPlatform(tokens: TokenSet, { services }: CallContext, call: CallDeadline): Promise<void> {
  const { applicationId } = tokens
  try {
    await services.tokenEndpoint.revoke({ applicationId, token: tokens.refreshToken ?? tokens.accessToken }, call.signal)
  } catch (failure) {
    services.log.warn('revoke-failed', { application: applicationId, err: failure })
  }
}

export const forgetTokens: Handler<'FORGET_TOKENS'> = (args, context) => {
  const { services } = context
  const applicationId = requireOwnApplication(args.application_id ?? undefined, context)
  return context.withDeadline(async (call) => {
    for (const tokens of await storedTokens(context)) {
      await revokeAtPlatform(tokens, context, call)
      await services.revokeAccount(applicationId, tokens.userId, 'The user signed out.')
    }
    return null
  })
}
