/** EXCHANGE_CHILD_TOKEN, GET_PROVISIONAL_TOKEN, UNMERGE_PROVISIONAL_ACCOUNT, UPDATE_TOKEN: tokens that come neither from a code nor from a refresh. */
import { ENDPOINTS, type EndpointRow, type ParsedArgsOf, type ProvisionalToken, type TokenResponse } from '@sallyport/protocol'
import type { TokenGrant } from '../../auth/auth.ts'
import { Secret } from '@sallyport/core/secret'
import type { CallContext, Handler, CallDeadline } from '../context.ts'
import { recordInvalidatedTokens, withAccountState, tokensInUse } from './account-events.ts'
import { signInWithToken } from './authorization.ts'
import { requireOwnApplication } from './authorize.ts'
import { store, notStoredField } from './tokens.ts'

/** Calls an operation of the application itself. It carries no token, and its credentials are not verified. */
const asApplication = (row: EndpointRow, args: Readonly<Record<string, unknown>>, { session, services }: CallContext, call: CallDeadline) =>
  services.unverifiedRequests.run(session.program, () => services.forwarder.forward(row, args, undefined, call.signal, call.deadlineAt))

const identityBody = (args: ParsedArgsOf<'GET_PROVISIONAL_TOKEN'>, applicationId: string) => ({
  client_id: applicationId,
  external_auth_type: args.external_auth_type,
  external_auth_token: args.external_auth_token,
})

/** Drops a refresh token: a provisional account signs in again with a token of its provider. */
const toTokenGrant = ({ access_token, id_token, scope, expires_in }: ProvisionalToken): TokenGrant => ({
  accessToken: new Secret(access_token),
  ...(id_token == null ? {} : { idToken: new Secret(id_token) }),
  scopes: scope.split(' ').filter(Boolean),
  expiresIn: expires_in,
})

export const getProvisionalToken: Handler<'GET_PROVISIONAL_TOKEN'> = (args, context) => {
  const applicationId = requireOwnApplication(args.application_id, context)
  return context.withDeadline(async (call) => {
    const body = identityBody(args, applicationId)
    const request = asApplication(ENDPOINTS.REQUEST_PROVISIONAL_TOKEN, body, context, call)
    const answer = (await withAccountState([], context, request)) as ProvisionalToken
    const { isStored, userId } = await store(toTokenGrant(answer), 'provisional_token', context, call)
    const { access_token, token_type, expires_in, scope, id_token } = answer
    const state = userId === undefined ? {} : { account_state: await context.services.accounts.stateOf(applicationId, userId) }
    return { access_token, token_type, expires_in, scope, ...(id_token == null ? {} : { id_token }), ...state, ...notStoredField(isStored) }
  })
}

export const unmergeProvisionalAccount: Handler<'UNMERGE_PROVISIONAL_ACCOUNT'> = (args, context) => {
  const applicationId = requireOwnApplication(args.application_id, context)
  return context.withDeadline(async (call) => {
    await asApplication(ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE, identityBody(args, applicationId), context, call)
    await recordInvalidatedTokens(await tokensInUse(context), 'unmerged', context, call)
    return null
  })
}

/** The application of a parent token, if the daemon uses that token. */
async function parentApplicationOf(token: string, { session, services }: CallContext): Promise<string | undefined> {
  if (session.signedIn?.accessToken.reveal() === token) return session.applicationId
  return (await services.tokenStore.list()).find(({ tokens }) => tokens.accessToken.reveal() === token)?.tokens.applicationId
}

export const exchangeChildToken: Handler<'EXCHANGE_CHILD_TOKEN'> = ({ parent_token, child_application_id }, context) =>
  context.withDeadline(async (call) => {
    const body = { parent_access_token: parent_token, child_application_id }
    const { access_token, token_type, expires_in, scope } = (await asApplication(
      ENDPOINTS.REQUEST_CHILD_TOKEN,
      body,
      context,
      call,
    )) as TokenResponse
    context.services.accounts.childTokenIssued(new Secret(access_token), await parentApplicationOf(parent_token, context))
    return { access_token, token_type, expires_in, scope }
  })

export const updateToken: Handler<'UPDATE_TOKEN'> = ({ access_token }, context) =>
  context.withDeadline(async (call) => {
    const signedIn = await signInWithToken(access_token, context, call)
    return { ...signedIn, account_state: await context.services.accounts.stateOf(context.session.applicationId, signedIn.user.id) }
  })
