/** SET_ACTIVITY: validates and stores the activity, and returns before it is sent. */
import { storeActivity } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Handler } from '../context.ts'

export const setActivity: Handler<'SET_ACTIVITY'> = ({ pid, activity }, { session, services }) => {
  const { applicationId, connection } = session
  if (pid == null && connection.peer.trust !== 'origin') {
    throw new BridgeError('INVALID_PAYLOAD', '"pid" is missing: a program names its process.', { path: 'pid' })
  }
  const nowMs = services.clock.now()
  const outcome = storeActivity(activity, {
    applicationId,
    nowMs,
    ...(session.signedIn === undefined ? {} : { applicationName: session.signedIn.applicationName }),
  })
  if ('error' in outcome) throw new BridgeError(outcome.error, outcome.message, { path: outcome.path })
  if (outcome.stored === null) {
    services.presence.clear(applicationId, connection.id)
    return null
  }
  services.presence.set({ applicationId, sessionId: connection.id, claimedPid: pid ?? undefined, stored: outcome.stored, since: nowMs })
  return outcome.stored.activity
}
