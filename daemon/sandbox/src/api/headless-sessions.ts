/** Presence without a gateway connection, and its join secrets. */
import type { HeadlessSession } from '@sallyport/protocol'
import { areRelated } from '../oauth/portal-settings.ts'
import { hashOf, newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import { mayJoin } from '../social/activity-messages.ts'
import { headlessSessionsOf, JOIN_SECRET, joinableOf } from '../social/joinable-sessions.ts'
import type { StoredHeadlessSession } from '../store/admin-records.ts'
import { applicationUserKey } from '../store/store.ts'
import { asUser, type Handler, type Handlers } from './handlers.ts'

const unknownToken = (): PlatformError =>
  new PlatformError('invalidForm', {
    errors: { token: { _errors: [{ code: 'HEADLESS_SESSION_UNKNOWN', message: 'No headless session has this token, or it has ended.' }] } },
  })

const createHeadlessSession: Handler<'CREATE_HEADLESS_SESSION'> = ({ activities, token: given }, { platform, caller }) => {
  const { store, sealer, ids, clock } = platform
  const { applicationId, id: userId } = asUser(caller)
  const [first] = activities
  if (first === undefined) throw new PlatformError('invalidForm')
  if (first.application_id !== applicationId) throw new PlatformError('notAuthorizedForApplication')
  const live = headlessSessionsOf(platform, applicationId, userId)
  const before = given == null ? undefined : live.find(({ tokenHash }) => tokenHash === hashOf(given))
  if (given != null && before === undefined) throw unknownToken()
  const token = given ?? newToken()
  const { secrets, ...activity } = first
  const session: StoredHeadlessSession = {
    id: before?.id ?? ids.next(),
    applicationId,
    userId,
    tokenHash: hashOf(token),
    activity,
    sealedJoinSecret: secrets?.join == null ? null : sealer.seal(secrets.join, JOIN_SECRET),
    changedAt: clock.now(),
  }
  const ended = store.headlessSessions.group(applicationUserKey(applicationId, userId)).filter((one) => !live.includes(one))
  store.commit([...ended.map(({ id }) => store.headlessSessions.delete(id)), store.headlessSessions.put(session.id, session)])
  return { activities: [headlessActivityView(session)], token }
}

/** Includes whether it is joinable, but not the secret. */
export const headlessActivityView = ({ id, activity, sealedJoinSecret }: StoredHeadlessSession): HeadlessSession['activities'][number] => ({
  ...(activity as { name: string; type: number }),
  session_id: id,
  flags: Number(activity['flags'] ?? 0) | (sealedJoinSecret === null ? 0 : JOINABLE),
})
const JOINABLE = 1 << 1

const deleteHeadlessSession: Handler<'DELETE_HEADLESS_SESSION'> = ({ token }, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  const session = headlessSessionsOf(platform, applicationId, id).find(({ tokenHash }) => tokenHash === hashOf(token))
  if (session === undefined) throw unknownToken()
  platform.store.commit([platform.store.headlessSessions.delete(session.id)])
  return null
}

const getActivitySecret: Handler<'GET_ACTIVITY_SECRET'> = (args, { platform, caller }) => {
  const { user_id: ownerId, session_id: sessionId, application_id: applicationId, channel_id: channelId, message_id: messageId } = args
  const requester = asUser(caller)
  if (!areRelated(platform, applicationId, requester.applicationId)) throw new PlatformError('notAuthorizedForApplication')
  if (platform.store.users.get(ownerId) === undefined) throw new PlatformError('unknownUser')
  const session = joinableOf(platform, applicationId, ownerId).find(({ id }) => id === sessionId)
  const joinRequest = { requesterId: requester.id, ownerId, applicationId, channelId, messageId }
  const secret = session !== undefined && mayJoin(platform, session, joinRequest) ? session.secret() : undefined
  if (secret === undefined) throw new PlatformError('missingAccess')
  return { secret }
}

export const headlessSessionHandlers = {
  CREATE_HEADLESS_SESSION: createHeadlessSession,
  DELETE_HEADLESS_SESSION: deleteHeadlessSession,
  GET_ACTIVITY_SECRET: getActivitySecret,
} satisfies Partial<Handlers>
