/** Fetches a join secret from the platform as an account, without a call of a game. */
import { type DataOf, ENDPOINTS, LIMITS } from '@sallyport/protocol'
import type { TokenStore } from '../auth/auth.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Canceller } from '@sallyport/core/cancel'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import type { AccountKey } from './activity-message.ts'
import type { GameInvitesDeps } from './game-invites.ts'

export interface JoinSecretDeps {
  readonly registry: SessionRegistry
  readonly tokenStore: TokenStore
  readonly forwarder: Forwarder
  readonly clock: Clock
  /** The system user whose tokens are stored. */
  readonly uid: number | undefined
}

export function joinSecretFetcher({ registry, tokenStore, forwarder, clock, uid }: JoinSecretDeps): GameInvitesDeps['fetchSecret'] {
  /** The token of a connected game, else the stored one: the user may accept an invite while no game runs. */
  const tokenOf = async ({ applicationId, userId }: AccountKey, cancel: Canceller): Promise<Secret<string> | undefined> => {
    const [ownToken] = registry.signedInAs(applicationId, userId).flatMap(({ signedIn }) => (signedIn?.isManaged === false ? signedIn : []))
    if (ownToken !== undefined) return ownToken.accessToken
    const stored = (await tokenStore.storedFor(applicationId, uid)).find(({ account }) => account.userId === userId)
    return stored === undefined ? undefined : (await tokenStore.current(stored.account, cancel))?.accessToken
  }
  return async (account, { userId, sessionId, applicationId, channelId, messageId }) => {
    const cancel = new Canceller()
    const token = await tokenOf(account, cancel)
    if (token === undefined) throw new BridgeError('INVALID_TOKEN', 'No user is signed in to this account any more; sign in again.')
    const answer = await forwarder.forward(
      ENDPOINTS.GET_ACTIVITY_SECRET,
      {
        user_id: userId,
        session_id: sessionId,
        application_id: applicationId,
        action: '1',
        channel_id: channelId,
        message_id: messageId,
      },
      { kind: 'user', id: `${account.applicationId}:${account.userId}`, token },
      cancel,
      clock.now() + LIMITS.deadlineMs.value,
    )
    return new Secret((answer as DataOf<'GET_ACTIVITY_SECRET'>).secret)
  }
}
