/** One transition for every way in which tokens die: a revoke, a sign-out, a platform that no longer accepts them. */
import { CLOSE_CODES } from '@sallyport/protocol'
import type { TokenKeeper } from '../auth/auth.ts'
import type { Logger } from '../core/logger.ts'
import type { Secret } from '../core/secret.ts'
import type { Caller } from './caller.ts'
import type { CallerRegistry } from './registry.ts'

export interface RevocationParts {
  readonly registry: CallerRegistry
  readonly keeper: TokenKeeper
  readonly log: Logger
}

const notify = (caller: Caller, userId: string, reason: string): void => {
  caller.signOut()
  const { channel, applicationId } = caller
  if (caller.contract === undefined) channel.close(CLOSE_CODES.TOKEN_REVOKED.code, reason)
  else channel.deliver(channel.encodeEvent('TOKEN_REVOKED', { application_id: applicationId, user_id: userId, reason }))
}

/**
 * Deletes the stored tokens, then tells every connection of that user and application: peers that named a contract get
 * TOKEN_REVOKED and stay connected, all others are closed with 4003, the only sign they understand.
 */
export async function endUse(
  { registry, keeper, log }: RevocationParts,
  applicationId: string,
  userId: string,
  reason: string,
): Promise<void> {
  await keeper.forget(applicationId, userId)
  const affected = registry.signedInAs(applicationId, userId)
  log.info('tokens-revoked', { application: applicationId, user: userId, sessions: affected.length, reason })
  for (const caller of affected) notify(caller, userId, reason)
}

const REFUSED = 'The platform no longer accepts the token.'

/**
 * The platform refused an access token. When it is a stored one, that is the end of the authorization; when a game brought it, only
 * the connections that use this very token are affected.
 */
export async function endToken(parts: RevocationParts, applicationId: string, userId: string, token: Secret<string>): Promise<void> {
  const isSame = (other: Secret<string>) => other.reveal() === token.reveal()
  const stored = await parts.keeper.list()
  if (stored.some(({ tokens }) => isSame(tokens.accessToken))) return endUse(parts, applicationId, userId, REFUSED)
  for (const caller of parts.registry.signedInAs(applicationId, userId)) {
    if (caller.signedIn !== undefined && isSame(caller.signedIn.accessToken)) notify(caller, userId, REFUSED)
  }
}
