/** What the end of an account's use means for stored tokens and for connections. Whether it ended is decided by the account machine. */
import { CLOSE_CODES } from '@sallyport/protocol'
import type { AccountPorts, Accounts, EndNotice } from '../auth/accounts/accounts.ts'
import type { TokenKeeper } from '../auth/auth.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { GrantPlace } from '../auth/grants/grants.ts'
import { isSamePlace } from '../identity/program.ts'
import type { MessageHistory } from '../messages/history.ts'
import type { Session } from './session.ts'
import type { SessionRegistry } from './registry.ts'

export interface RevocationParts {
  readonly registry: SessionRegistry
  readonly keeper: TokenKeeper
  readonly log: Logger
}

/**
 * Peers that named a contract get TOKEN_REVOKED and stay connected, all others are closed with 4003, the only sign they understand.
 */
function notify(caller: Session, userId: string, { reason, cause, accountState, signIn }: EndNotice): void {
  caller.signOut()
  const { channel, applicationId } = caller
  if (caller.contract === undefined) return channel.close(CLOSE_CODES.TOKEN_REVOKED.code, reason)
  const data = { application_id: applicationId, user_id: userId, reason, cause, account_state: accountState, sign_in: signIn }
  channel.deliver(channel.encodeEvent('TOKEN_REVOKED', data))
}

/** A vault that does not open holds nothing for now: an account whose game brings its token must not wait for it. */
async function readable(keeper: TokenKeeper): ReturnType<TokenKeeper['list']> {
  try {
    return await keeper.list()
  } catch (failure) {
    if (failure instanceof BridgeError) return []
    throw failure
  }
}

interface AccountKeeping extends RevocationParts {
  readonly history: Pick<MessageHistory, 'forget'>
  /** What waits for the games of an account. */
  readonly joins: { forget(account: { readonly applicationId: string; readonly userId: string }): void }
}

/** How the account machine reaches tokens and connections. The parts are asked for at each use, since they need the machine themselves. */
export const accountPorts = (parts: () => AccountKeeping): AccountPorts => ({
  async deleteTokens(applicationId, userId) {
    const { keeper, history, joins } = parts()
    joins.forget({ applicationId, userId })
    await keeper.forget(applicationId, userId)
    await history.forget(applicationId, userId)
  },
  endSessions(applicationId, userId, notice) {
    const { registry, log } = parts()
    const affected = registry.signedInAs(applicationId, userId)
    log.info('tokens-revoked', { application: applicationId, user: userId, sessions: affected.length, reason: notice.reason })
    for (const caller of affected) notify(caller, userId, notice)
  },
  async stored(applicationId, userId) {
    const found = (await readable(parts().keeper)).filter(
      ({ tokens }) => tokens.applicationId === applicationId && tokens.userId === userId,
    )
    if (found.length === 0) return undefined
    return found.some(({ tokens }) => tokens.refreshToken !== undefined) ? 'refreshable' : 'unrefreshable'
  },
})

/** One program lost what it was granted: its connections hear of it, and no other. */
export function endProgram(
  { registry, log }: Pick<RevocationParts, 'registry' | 'log'>,
  { program, applicationId, userId }: GrantPlace,
  notice: EndNotice,
): void {
  const affected = registry.signedInAs(applicationId, userId).filter((caller) => isSamePlace(caller.program, program))
  log.info('program-signed-out', { application: applicationId, user: userId, sessions: affected.length, reason: notice.reason })
  for (const caller of affected) notify(caller, userId, notice)
}

const REFUSED = 'The platform no longer accepts the token.'

/**
 * The platform refused an access token. When it is a stored one, or nothing else of the account is in use, that is the end of the
 * account here; else only the connections that use this very token are affected.
 */
export async function endToken(
  { registry, keeper, accounts }: RevocationParts & { readonly accounts: Accounts },
  applicationId: string,
  userId: string,
  token: Secret<string>,
): Promise<void> {
  const isSame = (other: Secret<string> | undefined) => other?.reveal() === token.reveal()
  const stored = (await keeper.list()).filter(({ tokens }) => tokens.applicationId === applicationId && tokens.userId === userId)
  const inUse = registry.signedInAs(applicationId, userId)
  if (stored.length + inUse.length === 0) return
  const others = stored.length + inUse.filter(({ signedIn }) => !isSame(signedIn?.accessToken)).length
  if (others === 0 || stored.some(({ tokens }) => isSame(tokens.accessToken))) {
    await accounts.note(applicationId, userId, 'token_refused')
    return
  }
  const accountState = await accounts.stateOf(applicationId, userId)
  const notice: EndNotice = { reason: REFUSED, cause: 'token_refused', accountState, signIn: ['oauth2'] }
  for (const caller of registry.signedInAs(applicationId, userId)) if (isSame(caller.signedIn?.accessToken)) notify(caller, userId, notice)
}
