/** What commands learn of accounts on the way: which tokens died of a change, and which refusals say how an account stands. */
import type { AccountEvent } from '../../auth/accounts/machine.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Secret } from '@sallyport/core/secret'
import type { CallContext, PendingCall } from '../context.ts'
import { heldTokens, inspectToken } from './authorization.ts'

export interface TokenInUse {
  readonly userId: string
  readonly accessToken: Secret<string>
}

/** The tokens that this connection and this program use: signed in with, or stored. */
export async function tokensInUse(context: CallContext): Promise<readonly TokenInUse[]> {
  const found = new Map<string, TokenInUse>()
  for (const one of [context.caller.signedIn, ...(await heldTokens(context))])
    if (one !== undefined) found.set(one.accessToken.reveal(), one)
  return [...found.values()]
}

/** Asks the platform which of the tokens died of what was just done, since its answer does not say whose they were. */
export async function noteDeaths(
  tokens: readonly TokenInUse[],
  event: AccountEvent,
  context: CallContext,
  call: PendingCall,
): Promise<void> {
  const { caller, services } = context
  for (const { userId, accessToken } of tokens) {
    try {
      await inspectToken(accessToken, caller.applicationId, context, call)
    } catch (failure) {
      const isDead = failure instanceof BridgeError && failure.error === 'INVALID_TOKEN'
      if (isDead) await services.accounts.note(caller.applicationId, userId, event)
      else services.log.warn('token-not-checked', { application: caller.applicationId, err: failure })
    }
  }
}

/** A merge names an identity whose linked account is banned; a provisional token is asked for an identity that is linked. */
const MERGE_BANNED = 530017
const IDENTITY_LINKED = 530010

/** Of the accounts that a merge may have named: those made for an external identity. */
const MERGEABLE: ReadonlySet<string> = new Set(['provisional', 'restricted', 'expired'])

/**
 * Runs work that the platform may refuse for how an account stands; the refusal then tells the game the state and the way in.
 * `tokens` are those in use before.
 */
export async function tellingStanding<T>(tokens: readonly TokenInUse[], context: CallContext, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (failure) {
    throw await withStanding(failure, tokens, context)
  }
}

async function withStanding(failure: unknown, tokens: readonly TokenInUse[], { caller, services }: CallContext): Promise<unknown> {
  if (!(failure instanceof BridgeError)) return failure
  const { platform_code, user_id } = failure.detail
  const { accounts } = services
  if (platform_code === IDENTITY_LINKED && typeof user_id === 'string') {
    const { state, signIn } = await accounts.note(caller.applicationId, user_id, 'identity_linked')
    return saying(failure, { account_state: state, sign_in: signIn })
  }
  if (platform_code !== MERGE_BANNED) return failure
  for (const userId of new Set(tokens.map((one) => one.userId))) {
    if (!MERGEABLE.has(await accounts.stateOf(caller.applicationId, userId))) continue
    const { state, signIn } = await accounts.note(caller.applicationId, userId, 'merge_refused_banned')
    return saying(failure, { account_state: state, sign_in: signIn })
  }
  return saying(failure, { sign_in: ['provisional'] })
}

const saying = (failure: BridgeError, more: BridgeError['detail']): BridgeError =>
  new BridgeError(failure.error, failure.message, { ...failure.detail, ...more }, { cause: failure })

/** RFC 6749 invalid_grant, in the form every failure of OAuth 2 has on the local protocol. */
export const isInvalidGrant = (failure: unknown): boolean =>
  failure instanceof BridgeError && failure.error === 'OAUTH2_ERROR' && failure.message.startsWith('OAuth2 Error: invalid_grant')
