/** Revokes grants of the user and removes unused ones. The program is signed out; the last grant of an account also deletes its tokens. */
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { TokenEndpoint } from '../auth/auth.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { isGrant } from '../auth/grants/terms.ts'
import { isSamePath, programOf } from '../identity/program.ts'
import { signOutProgram, type RevocationDeps } from './revocation.ts'

export interface GrantRevocationDeps extends RevocationDeps {
  readonly grants: Grants
  readonly accounts: Accounts
  readonly tokenEndpoint: TokenEndpoint
  readonly clock: Clock
}

/** Timeout for revoking tokens at the platform, in ms; locally the revocation is immediate. */
const PLATFORM_MS = 10_000

const REVOKED = 'The user revoked the grant of this program.'
const UNUSED = 'The grant was not used for too long.'
const LEFT = 'The user allowed this program for one session only.'

/** False when there is no such grant. Rejects when something could not be deleted. */
export async function revokeGrant(id: string, deps: GrantRevocationDeps): Promise<boolean> {
  const grant = deps.grants.remove(id)
  if (grant === undefined) return false
  deps.log.info('grant-revoked', { grant: id, application: grant.applicationId, user: grant.userId })
  if (!isGrant(grant)) unblock(grant, deps)
  else await afterRemoval(grant, REVOKED, deps.grants.ofAccount(grant).length > 0, deps)
  return true
}

/** Without a grant, a program has nothing that could end. */
function unblock({ program }: Grant, { registry }: GrantRevocationDeps): void {
  for (const session of registry.all()) if (isSamePath(programOf(session.connection.peer), program)) session.isBlocked = false
}

/** Ends a grant for the session, whose program has left. */
export async function endSessionGrant(grant: Grant, deps: GrantRevocationDeps): Promise<void> {
  deps.grants.remove(grant.id)
  deps.log.info('grant-expired', { grant: grant.id, application: grant.applicationId, user: grant.userId })
  await afterRemoval(grant, LEFT, deps.grants.ofAccount(grant).length > 0, deps)
}

/** Removes grants that were not used for too long. Runs at the start, so that no timer is needed. */
export async function sweepGrants(deps: GrantRevocationDeps): Promise<void> {
  for (const grant of deps.grants.sweep()) {
    deps.log.info('grant-expired', { grant: grant.id, application: grant.applicationId, user: grant.userId })
    await afterRemoval(grant, UNUSED, deps.grants.isInUse(grant), deps)
  }
}

/** `isInUse`: other grants use the account, so its tokens stay. */
export async function afterRemoval(grant: Grant, reason: string, isInUse: boolean, deps: GrantRevocationDeps): Promise<void> {
  const { accounts } = deps
  if (isInUse) {
    const accountState = await accounts.stateOf(grant)
    signOutProgram(deps, grant, { reason, cause: 'revoked_by_user', accountState, signIn: ['oauth2'] })
    return
  }
  await endAccount(grant, reason, deps)
}

/** Deletes the tokens of an account, and revokes them at the platform. All its programs are signed out. */
async function endAccount({ applicationId, userId }: AccountKey, reason: string, deps: GrantRevocationDeps): Promise<void> {
  const account = { applicationId, userId }
  const tokens = await tokensOf(account, deps)
  await deps.accounts.apply(account, 'revoked_by_user', reason)
  for (const token of tokens) await revokeAtPlatform(applicationId, token, deps)
}

const SIGNED_OUT = 'The user signed out.'

/** Signs the user out of an application, in every program. False when no program uses the account, and nothing of it is stored. */
export async function signOutAccount(account: AccountKey, deps: GrantRevocationDeps): Promise<boolean> {
  const { grants, registry, tokenStore, log } = deps
  const isStored = (await tokenStore.list()).some(({ tokens }) => isSameAccount(tokens, account))
  if (!isStored && grants.ofAccount(account).length + registry.signedInAs(account).length === 0) return false
  log.info('account-signed-out', { application: account.applicationId, user: account.userId })
  await endAccount(account, SIGNED_OUT, deps)
  // Those of an account without stored tokens.
  grants.deleteAccount(account)
  return true
}

/** The tokens of the account: the stored ones, else those that games supplied. */
async function tokensOf(account: AccountKey, { tokenStore, registry }: GrantRevocationDeps): Promise<readonly Secret<string>[]> {
  const stored = (await tokenStore.list()).filter(({ tokens }) => isSameAccount(tokens, account))
  if (stored.length > 0) return stored.map(({ tokens }) => tokens.refreshToken ?? tokens.accessToken)
  const supplied = registry.signedInAs(account).flatMap(({ signedIn }) => signedIn?.accessToken ?? [])
  return [...new Map(supplied.map((token) => [token.reveal(), token])).values()]
}

async function revokeAtPlatform(applicationId: string, token: Secret<string>, deps: GrantRevocationDeps): Promise<void> {
  const timeout = new AbortController()
  const cancelTimer = deps.clock.after(PLATFORM_MS, () => timeout.abort())
  try {
    await deps.tokenEndpoint.revoke({ applicationId, token }, timeout.signal)
  } catch (err) {
    // The tokens are deleted here; at the platform they expire.
    deps.log.warn('revocation-failed', { application: applicationId, err })
  } finally {
    cancelTimer()
  }
}
