/** EXCHANGE_CHILD_TOKEN, GET_PROVISIONAL_TOKEN, UNMERGE_PROVISIONAL_ACCOUNT, UPDATE_TOKEN: tokens that come neither from a code nor from a refresh. */
import { ENDPOINTS, type EndpointRow, type ParsedArgsOf, type ProvisionalToken, type TokenAnswer } from '@sallyport/protocol'
import type { TokenGrant } from '../auth/auth.ts'
import { BridgeError } from '../core/errors.ts'
import { Secret } from '../core/secret.ts'
import type { CallContext, Handler, PendingCall } from '../dispatch/context.ts'
import { bindGiven, inspectToken, storedTokens } from './authorization.ts'
import { ownApplication } from './authorize.ts'
import { keep } from './tokens.ts'

/** Calls an operation that applications use in their own name: it carries no token. */
const asApplication = (row: EndpointRow, args: Readonly<Record<string, unknown>>, { services }: CallContext, call: PendingCall) =>
  services.forwarder.forward(row, args, undefined, call.signal, call.deadlineAt)

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
    const answer = (await asApplication(ENDPOINTS.REQUEST_PROVISIONAL_TOKEN, body, context, call)) as ProvisionalToken
    await keep(grantOf(answer), context, call)
    const { access_token, token_type, expires_in, scope, id_token } = answer
    return { access_token, token_type, expires_in, scope, ...(id_token == null ? {} : { id_token }) }
  })
}

const UNMERGED = 'The account was parted from its external identity.'

/**
 * Asks the platform about the tokens that are in use here, since an unmerge ends those of the account that was parted, and the answer
 * to it does not say which account that was.
 */
async function endWhatDied(context: CallContext, call: PendingCall): Promise<void> {
  const { caller, services } = context
  const stored = await storedTokens(context)
  const inUse = new Map<string, { readonly userId: string; readonly accessToken: Secret<string> }>()
  for (const one of [caller.signedIn, stored]) if (one !== undefined) inUse.set(one.accessToken.reveal(), one)
  for (const { userId, accessToken } of inUse.values()) {
    try {
      await inspectToken(accessToken, caller.applicationId, context, call)
    } catch (failure) {
      const isDead = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'
      if (isDead) await services.revoked(caller.applicationId, userId, UNMERGED)
      else services.log.warn('token-not-checked', { application: caller.applicationId, err: failure })
    }
  }
}

export const unmergeProvisionalAccount: Handler<'UNMERGE_PROVISIONAL_ACCOUNT'> = (args, context) => {
  const applicationId = ownApplication(args.application_id, context)
  return context.wait(async (call) => {
    await asApplication(ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE, identityBody(args, applicationId), context, call)
    await endWhatDied(context, call)
    return null
  })
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
    return { access_token, token_type, expires_in, scope }
  })

export const updateToken: Handler<'UPDATE_TOKEN'> = ({ access_token }, context) =>
  context.wait((call) => bindGiven(access_token, context, call))
