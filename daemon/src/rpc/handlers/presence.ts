/** SET_ACTIVITY: checked, stored, shown; answered at once. */
import { storeActivity } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Handler } from '../context.ts'

export const setActivity: Handler<'SET_ACTIVITY'> = ({ pid, activity }, { caller, services }) => {
  const { applicationId, channel } = caller
  if (pid == null && channel.peer.trust !== 'origin') {
    throw new BridgeError('INVALID_PAYLOAD', '"pid" is missing: a program names its process.', { path: 'pid' })
  }
  const nowMs = services.clock.now()
  const outcome = storeActivity(activity, {
    applicationId,
    nowMs,
    ...(caller.signedIn === undefined ? {} : { applicationName: caller.signedIn.applicationName }),
  })
  if ('error' in outcome) throw new BridgeError(outcome.error, outcome.message, { path: outcome.path })
  if (outcome.stored === null) {
    services.presence.clear(applicationId, channel.id)
    return null
  }
  services.presence.set({ applicationId, sessionId: channel.id, claimedPid: pid ?? undefined, stored: outcome.stored, since: nowMs })
  return outcome.stored.activity
}
