/** Asks the platform for a join secret in the name of an account, with nobody waiting at the other end of a connection. */
import { type DataOf, ENDPOINTS, LIMITS } from '@sallyport/protocol'
import type { TokenKeeper } from '../auth/auth.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'
import { Canceller } from '@sallyport/core/cancel'
import type { SessionRegistry } from '../sessions/registry.ts'
import type { Forwarder } from '../platform/api/upstream.ts'
import type { Party } from './activity-message.ts'
import type { JoinParts } from './joins.ts'

export interface AccountSecretParts {
  readonly registry: SessionRegistry
  readonly keeper: TokenKeeper
  readonly forwarder: Forwarder
  readonly clock: Clock
  /** The system user whose tokens are kept. */
  readonly uid: number | undefined
}

export function accountSecrets({ registry, keeper, forwarder, clock, uid }: AccountSecretParts): JoinParts['secretOf'] {
  /** A game's own token while it is there, else what is kept: the user may take an invite while no game runs. */
  const tokenOf = async ({ applicationId, userId }: Party, stop: Canceller): Promise<Secret<string> | undefined> => {
    const [brought] = registry.signedInAs(applicationId, userId).flatMap(({ signedIn }) => (signedIn?.isManaged === false ? signedIn : []))
    if (brought !== undefined) return brought.accessToken
    const stored = (await keeper.storedFor(applicationId, uid)).find(({ account }) => account.userId === userId)
    return stored === undefined ? undefined : (await keeper.current(stored.account, stop))?.accessToken
  }
  return async (party, { userId, sessionId, applicationId, channelId, messageId }) => {
    const stop = new Canceller()
    const token = await tokenOf(party, stop)
    if (token === undefined) throw new BridgeError('INVALID_TOKEN', 'Nobody is signed in for this account any more; sign in again.')
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
      { kind: 'user', id: `${party.applicationId}:${party.userId}`, token },
      stop,
      clock.now() + LIMITS.deadlineMs.value,
    )
    return new Secret((answer as DataOf<'GET_ACTIVITY_SECRET'>).secret)
  }
}
