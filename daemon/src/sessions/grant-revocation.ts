/** The user takes a grant back, or nobody used it: its program is signed out, and with the last grant of an account its tokens go. */
import type { Accounts } from '../auth/accounts/accounts.ts'
import type { TokenEndpoint } from '../auth/auth.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { endProgram, type RevocationParts } from './revocation.ts'

export interface GrantRevocationParts extends RevocationParts {
  readonly grants: Grants
  readonly accounts: Accounts
  readonly tokenEndpoint: TokenEndpoint
  readonly clock: Clock
}

/** How long the platform may take to hear of it; here it counts at once. */
const PLATFORM_MS = 10_000

const TAKEN_BACK = 'The user took the grant of this program back.'
const UNUSED = 'Nobody used what was granted for too long.'

/** False when there is no such grant. Rejects when something could not be deleted. */
export async function revokeGrant(id: string, parts: GrantRevocationParts): Promise<boolean> {
  const grant = parts.grants.remove(id)
  if (grant === undefined) return false
  parts.log.info('grant-revoked', { grant: id, application: grant.applicationId, user: grant.userId })
  await afterRemoval(grant, TAKEN_BACK, parts.grants.ofAccount(grant.applicationId, grant.userId).length > 0, parts)
  return true
}

/** Ends what was not used for too long; run at the start, so that no timer has to. */
export async function sweepGrants(parts: GrantRevocationParts): Promise<void> {
  for (const grant of parts.grants.sweep()) {
    parts.log.info('grant-expired', { grant: grant.id, application: grant.applicationId, user: grant.userId })
    await afterRemoval(grant, UNUSED, parts.grants.isInUse(grant.applicationId, grant.userId), parts)
  }
}

/** `isInUse`: others go on with the account, so that its tokens stay. */
async function afterRemoval(grant: Grant, reason: string, isInUse: boolean, parts: GrantRevocationParts): Promise<void> {
  const { accounts } = parts
  const { applicationId, userId } = grant
  if (isInUse) {
    const accountState = await accounts.stateOf(applicationId, userId)
    endProgram(parts, grant, { reason, cause: 'revoked_by_user', accountState, signIn: ['oauth2'] })
    return
  }
  const tokens = await tokensOf(grant, parts)
  await accounts.note(applicationId, userId, 'revoked_by_user', reason)
  for (const token of tokens) await revokeAtPlatform(applicationId, token, parts)
}

/** The tokens that stand for the account: those that are kept, else those that games brought. */
async function tokensOf({ applicationId, userId }: Grant, { keeper, registry }: GrantRevocationParts): Promise<readonly Secret<string>[]> {
  const stored = (await keeper.list()).filter(({ tokens }) => tokens.applicationId === applicationId && tokens.userId === userId)
  if (stored.length > 0) return stored.map(({ tokens }) => tokens.refreshToken ?? tokens.accessToken)
  const brought = registry.signedInAs(applicationId, userId).flatMap(({ signedIn }) => signedIn?.accessToken ?? [])
  return [...new Map(brought.map((token) => [token.reveal(), token])).values()]
}

async function revokeAtPlatform(applicationId: string, token: Secret<string>, parts: GrantRevocationParts): Promise<void> {
  const timeout = new AbortController()
  const cancelTimer = parts.clock.after(PLATFORM_MS, () => timeout.abort())
  try {
    await parts.tokenEndpoint.revoke({ applicationId, token }, timeout.signal)
  } catch (err) {
    // The tokens are gone from here; at the platform they end with their time.
    parts.log.warn('revoke-failed', { application: applicationId, err })
  } finally {
    cancelTimer()
  }
}
