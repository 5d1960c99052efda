/** EXCHANGE_CHILD_TOKEN, GET_PROVISIONAL_TOKEN, UNMERGE_PROVISIONAL_ACCOUNT, UPDATE_TOKEN: tokens that come neither from a code nor from a refresh. */
import { ENDPOINTS, type EndpointRow, type ParsedArgsOf, type ProvisionalToken, type TokenAnswer } from '@sallyport/protocol'
import type { TokenGrant } from '../../auth/auth.ts'
import { Secret } from '@sallyport/core/secret'
import type { CallContext, Handler, PendingCall } from '../context.ts'
import { noteDeaths, tellingStanding, tokensInUse } from './account-events.ts'
import { bindGiven } from './authorization.ts'
import { ownApplication } from './authorize.ts'
import { keep, notKept } from './tokens.ts'

/** Calls an operation that applications use in their own name: it carries no token, and anybody may make up what it proves itself with. */
const asApplication = (row: EndpointRow, args: Readonly<Record<string, unknown>>, { caller, services }: CallContext, call: PendingCall) =>
  services.strangers.run(caller.program, () => services.forwarder.forward(row, args, undefined, call.signal, call.deadlineAt))

const identityBody = (args: ParsedArgsOf<'GET_PROVISIONAL_TOKEN'>, applicationId: string) => ({
  client_id: applicationId,
  external_auth_type: args.external_auth_type,
  external_auth_token: args.external_auth_token,
})

/** Without a refresh token, whatever the platform sent: a provisional account signs in anew with what its provider gives it. */
const grantOf = ({ access_token, id_token, scope, expires_in }: ProvisionalToken): TokenGrant => ({
  accessToken: new Secret(access_token),
  ...(id_token == null ? {} : { idToken: new Secret(id_token) }),
  scopes: scope.split(' ').filter(Boolean),
  expiresIn: expires_in,
})

export const getProvisionalToken: Handler<'GET_PROVISIONAL_TOKEN'> = (args, context) => {
  const applicationId = ownApplication(args.application_id, context)
  return context.wait(async (call) => {
    const body = identityBody(args, applicationId)
    const asked = asApplication(ENDPOINTS.REQUEST_PROVISIONAL_TOKEN, body, context, call)
    const answer = (await tellingStanding([], context, asked)) as ProvisionalToken
    const { isKept, userId } = await keep(grantOf(answer), 'provisional_token', context, call)
    const { access_token, token_type, expires_in, scope, id_token } = answer
    const state = userId === undefined ? {} : { account_state: await context.services.accounts.stateOf(applicationId, userId) }
    return { access_token, token_type, expires_in, scope, ...(id_token == null ? {} : { id_token }), ...state, ...notKept(isKept) }
  })
}

export const unmergeProvisionalAccount: Handler<'UNMERGE_PROVISIONAL_ACCOUNT'> = (args, context) => {
  const applicationId = ownApplication(args.application_id, context)
  return context.wait(async (call) => {
    await asApplication(ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE, identityBody(args, applicationId), context, call)
    await noteDeaths(await tokensInUse(context), 'unmerged', context, call)
    return null
  })
}

/** The application that a parent token is for, when it is in use here. */
async function parentOf(token: string, { caller, services }: CallContext): Promise<string | undefined> {
  if (caller.signedIn?.accessToken.reveal() === token) return caller.applicationId
  return (await services.keeper.list()).find(({ tokens }) => tokens.accessToken.reveal() === token)?.tokens.applicationId
}

export const exchangeChildToken: Handler<'EXCHANGE_CHILD_TOKEN'> = ({ parent_token, child_application_id }, context) =>
  context.wait(async (call) => {
    const body = { parent_access_token: parent_token, child_application_id }
    const { access_token, token_type, expires_in, scope } = (await asApplication(
      ENDPOINTS.REQUEST_CHILD_TOKEN,
      body,
      context,
      call,
    )) as TokenAnswer
    context.services.accounts.childIssued(new Secret(access_token), await parentOf(parent_token, context))
    return { access_token, token_type, expires_in, scope }
  })

export const updateToken: Handler<'UPDATE_TOKEN'> = ({ access_token }, context) =>
  context.wait(async (call) => {
    const bound = await bindGiven(access_token, context, call)
    return { ...bound, account_state: await context.services.accounts.stateOf(context.caller.applicationId, bound.user.id) }
  })
