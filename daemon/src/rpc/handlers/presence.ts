/** SET_ACTIVITY: validates and stores the activity, and returns before it is sent. */
import { storeActivity } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Grants } from '../../auth/grants/grants.ts'
import type { PresenceArbiter } from '../../presence/arbiter.ts'
import type { HandlerMap } from '../context.ts'

export interface ActivityDeps {
  readonly clock: Clock
  readonly presence: Pick<PresenceArbiter, 'set' | 'clear'>
  readonly grants: Pick<Grants, 'applicationName' | 'presenceOf'>
}

export const activityHandlers = ({ clock, presence, grants }: ActivityDeps) =>
  ({
    SET_ACTIVITY: ({ pid, activity }, { session }) => {
      const { applicationId, connection } = session
      if (pid == null && connection.peer.trust !== 'origin') {
        throw new BridgeError('INVALID_PAYLOAD', '"pid" is missing: a program names its process.', { path: 'pid' })
      }
      const nowMs = clock.now()
      const outcome = storeActivity(activity, {
        applicationId,
        nowMs,
        // Before its sign-in, a game has the name that an earlier sign-in of its application brought.
        applicationName: () => session.signedIn?.applicationName ?? grants.applicationName(applicationId),
      })
      if ('error' in outcome) throw new BridgeError(outcome.error, outcome.message, { path: outcome.path })
      if (outcome.stored === null) {
        presence.clear(applicationId, connection.id)
        return null
      }
      presence.set({ applicationId, sessionId: connection.id, claimedPid: pid ?? undefined, stored: outcome.stored, since: nowMs })
      // Libraries of typed languages fail at an echo without buttons.
      const { activity: stored } = outcome.stored
      const echo = session.contract === undefined && stored.buttons === undefined ? { ...stored, buttons: [] } : stored
      // The game learns why its activity is not seen.
      return grants.presenceOf(session.program, applicationId) !== 'shown' ? { ...echo, hidden: true } : echo
    },
  }) satisfies Partial<HandlerMap>
