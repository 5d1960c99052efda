/** Account changes that commands detect: tokens that a change invalidated, and errors of the platform that reveal an account's state. */
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { CallContext, CallDeadline } from '../context.ts'
import { storedTokens, inspectToken } from './authorization.ts'

export interface TokenInUse {
  readonly userId: string
  readonly accessToken: Secret<string>
}

/** The token of this session and the stored tokens of its program. */
export async function tokensInUse(context: CallContext): Promise<readonly TokenInUse[]> {
  const found = new Map<string, TokenInUse>()
  for (const one of [context.session.signedIn, ...(await storedTokens(context))])
    if (one !== undefined) found.set(one.accessToken.reveal(), one)
  return [...found.values()]
}

/** Checks each token at the platform and applies `event` to the accounts of invalid ones. The previous response does not name them. */
export async function recordInvalidatedTokens(
  tokens: readonly TokenInUse[],
  event: AccountEvent,
  context: CallContext,
  call: CallDeadline,
): Promise<void> {
  const { session, services } = context
  for (const { userId, accessToken } of tokens) {
    try {
      await inspectToken(accessToken, session.applicationId, context, call)
    } catch (failure) {
      const isInvalid = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'
      if (isInvalid) await services.accounts.apply(session.applicationId, userId, event)
      else services.log.warn('token-not-checked', { application: session.applicationId, err: failure })
    }
  }
}

/** Platform codes: the identity of a merge has a banned account; the identity of a provisional token is linked. */
const MERGE_BANNED = 530017
const IDENTITY_LINKED = 530010

/** States of accounts that a merge can concern: those created for an external identity. */
const MERGEABLE: ReadonlySet<string> = new Set(['provisional', 'restricted', 'expired'])

/**
 * Awaits work that the platform may reject because of the account's state, and adds the state and the sign-in methods to the error.
 * `tokens`: those in use before.
 */
export async function withAccountState<T>(tokens: readonly TokenInUse[], context: CallContext, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (failure) {
    throw await addAccountState(failure, tokens, context)
  }
}

async function addAccountState(failure: unknown, tokens: readonly TokenInUse[], { session, services }: CallContext): Promise<unknown> {
  if (!(failure instanceof BridgeError)) return failure
  const { platform_code, user_id } = failure.detail
  const { accounts } = services
  if (platform_code === IDENTITY_LINKED && typeof user_id === 'string') {
    const { state, signIn } = await accounts.apply(session.applicationId, user_id, 'identity_linked')
    return withDetail(failure, { account_state: state, sign_in: signIn })
  }
  if (platform_code !== MERGE_BANNED) return failure
  for (const userId of new Set(tokens.map((one) => one.userId))) {
    if (!MERGEABLE.has(await accounts.stateOf(session.applicationId, userId))) continue
    const { state, signIn } = await accounts.apply(session.applicationId, userId, 'merge_refused_banned')
    return withDetail(failure, { account_state: state, sign_in: signIn })
  }
  return withDetail(failure, { sign_in: ['provisional'] })
}

const withDetail = (failure: BridgeError, more: BridgeError['detail']): BridgeError =>
  new BridgeError(failure.error, failure.message, { ...failure.detail, ...more }, { cause: failure })

/** Whether it is invalid_grant (RFC 6749), in the form of OAuth 2 errors on the local protocol. */
export const isInvalidGrant = (failure: unknown): boolean =>
  failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR' && failure.message.startsWith('OAuth2 Error: invalid_grant')
