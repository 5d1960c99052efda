/** Deletes tokens and signs out sessions when the use of an account ends. The account state machine decides when that is. */
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'
import { CLOSE_CODES } from '@sallyport/protocol'
import type { AccountDeps, Accounts, RevocationNotice } from '../auth/accounts/accounts.ts'
import type { StoredTokens, TokenStore } from '../auth/auth.ts'
import { Canceller } from '@sallyport/core/cancel'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { GrantKey } from '../auth/grants/grants.ts'
import { isSamePath } from '../identity/program.ts'
import type { LifecycleEvents } from './lifecycle.ts'
import type { Session } from './session.ts'
import type { SessionRegistry } from './registry.ts'

export interface RevocationDeps {
  readonly lifecycle: Pick<LifecycleEvents, 'emit'>
  readonly registry: SessionRegistry
  readonly tokenStore: TokenStore
  readonly log: Logger
}

/**
 * Signs out a session. One with a contract gets TOKEN_REVOKED and stays connected; others are closed with 4003, the only signal they know.
 */
function notify(
  session: Session,
  { userId }: AccountKey,
  { reason, cause, accountState, signIn }: RevocationNotice,
  { lifecycle }: Pick<RevocationDeps, 'lifecycle'>,
): void {
  session.signOut()
  const { connection, applicationId } = session
  if (session.contract === undefined) return connection.close(CLOSE_CODES.TOKEN_REVOKED.code, reason)
  const data = { application_id: applicationId, user_id: userId, reason, cause, account_state: accountState, sign_in: signIn }
  connection.deliver(connection.encodeEvent('TOKEN_REVOKED', data))
  lifecycle.emit('tokenRevokedSent', { session, data })
}

/** Lists stored tokens. A vault that cannot be opened counts as empty, so that games with their own token need not wait. */
async function readable(tokenStore: TokenStore): ReturnType<TokenStore['list']> {
  try {
    return await tokenStore.list()
  } catch (failure) {
    if (failure instanceof BridgeError) return []
    throw failure
  }
}

interface AccountRevocationDeps extends RevocationDeps {
  readonly lifecycle: LifecycleEvents
}

/** Gives the account state machine access to tokens and sessions. */
export const accountDeps = ({ registry, tokenStore, lifecycle, log }: AccountRevocationDeps): AccountDeps => ({
  deleteTokens: ({ applicationId, userId }) => lifecycle.emitAndWait('accountEnded', { applicationId, userId }),
  endSessions(account, notice) {
    const { applicationId, userId } = account
    const affected = registry.signedInAs(account)
    log.info('tokens-revoked', { application: applicationId, user: userId, sessions: affected.length, reason: notice.reason })
    for (const session of affected) notify(session, account, notice, { lifecycle })
  },
  async stored(account) {
    const found = (await readable(tokenStore)).filter(({ tokens }) => isSameAccount(tokens, account))
    if (found.length === 0) return undefined
    return found.some(({ tokens }) => tokens.refreshToken !== undefined) ? 'refreshable' : 'unrefreshable'
  },
})

/** Signs out the sessions of one program whose grant ended. */
export function signOutProgram(deps: Omit<RevocationDeps, 'tokenStore'>, grant: GrantKey, notice: RevocationNotice): void {
  const { registry, log } = deps
  const { program, applicationId, userId } = grant
  const affected = registry.signedInAs(grant).filter((session) => isSamePath(session.program, program))
  log.info('program-signed-out', { application: applicationId, user: userId, sessions: affected.length, reason: notice.reason })
  for (const session of affected) notify(session, grant, notice, deps)
}

const REFUSED = 'The platform no longer accepts the token.'

/**
 * Handles an access token that the platform rejected. A stored one is refreshed. When that is not possible, or the account has no other use
 * here, the use of the account ends. Otherwise only the sessions that gave exactly this token are signed out.
 */
export async function handleRejectedToken(
  deps: Omit<RevocationDeps, 'log'> & { readonly accounts: Accounts },
  account: AccountKey,
  token: Secret<string>,
): Promise<void> {
  const { registry, tokenStore, accounts } = deps
  const isSame = (other: Secret<string> | undefined) => other?.reveal() === token.reveal()
  const stored = (await tokenStore.list()).filter(({ tokens }) => isSameAccount(tokens, account))
  const inUse = registry.signedInAs(account)
  if (stored.length + inUse.length === 0) return
  const others = stored.length + inUse.filter(({ signedIn }) => !isSame(signedIn?.accessToken)).length
  const rejected = stored.filter(({ tokens }) => isSame(tokens.accessToken))
  const isOver = rejected.length === 0 ? others === 0 : !(await canGoOn(rejected, token, tokenStore))
  if (isOver) {
    await accounts.apply(account, 'token_refused')
    return
  }
  const accountState = await accounts.stateOf(account)
  const notice: RevocationNotice = { reason: REFUSED, cause: 'token_refused', accountState, signIn: ['oauth2'] }
  for (const session of registry.signedInAs(account)) {
    const { signedIn } = session
    // A managed session uses the stored token of the moment.
    if (signedIn?.isManaged === false && isSame(signedIn.accessToken)) notify(session, account, notice, deps)
  }
}

/** Whether one of the stored tokens has been refreshed, or may be later. A refresh that the platform refuses ends the account by itself. */
async function canGoOn(stored: readonly StoredTokens[], rejected: Secret<string>, tokenStore: TokenStore): Promise<boolean> {
  for (const { account } of stored) {
    try {
      if (await tokenStore.renew(account, rejected, new Canceller())) return true
    } catch (failure) {
      if (failure instanceof BridgeError) return true
      throw failure
    }
  }
  return false
}
