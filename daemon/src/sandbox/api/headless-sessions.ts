/** Presence without a connection to the gateway, and the secrets with which others join it. */
import { type HeadlessSession, LIMITS } from '@sallyport/protocol'
import { hashOf, newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredHeadlessSession } from '../store/administration.ts'
import { userOfApplication } from '../store/store.ts'
import { asUser, type Handler } from './handlers.ts'

/** Sessions of the user that have not ended by themselves. */
function sessionsOf({ store, clock }: Platform, applicationId: string, userId: string): StoredHeadlessSession[] {
  const since = clock.now() - LIMITS.headlessSessionMs.value
  return store.headlessSessions.group(userOfApplication(applicationId, userId)).filter(({ changedAt }) => changedAt > since)
}

const unknownToken = (): PlatformError =>
  new PlatformError('invalidForm', {
    errors: { token: { _errors: [{ code: 'HEADLESS_SESSION_UNKNOWN', message: 'No headless session has this token, or it has ended.' }] } },
  })

export const createHeadlessSession: Handler<'CREATE_HEADLESS_SESSION'> = ({ activities, token: given }, { platform, caller }) => {
  const { store, sealer, ids, clock } = platform
  const { applicationId, id: userId } = asUser(caller)
  const [first] = activities
  if (first === undefined) throw new PlatformError('invalidForm')
  if (first.application_id !== applicationId) throw new PlatformError('notAuthorizedForApplication')
  const live = sessionsOf(platform, applicationId, userId)
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
  const ended = store.headlessSessions.group(userOfApplication(applicationId, userId)).filter((one) => !live.includes(one))
  store.commit([...ended.map(({ id }) => store.headlessSessions.drop(id)), store.headlessSessions.put(session.id, session)])
  return { activities: [activityView(session)], token }
}

/** Whether it can be joined is told; with what is not. */
const activityView = ({ id, activity, sealedJoinSecret }: StoredHeadlessSession): HeadlessSession['activities'][number] => ({
  ...(activity as { name: string; type: number }),
  session_id: id,
  flags: Number(activity['flags'] ?? 0) | (sealedJoinSecret === null ? 0 : JOINABLE),
})
const JOINABLE = 1 << 1
const JOIN_SECRET = 'join-secret'

export const deleteHeadlessSession: Handler<'DELETE_HEADLESS_SESSION'> = ({ token }, { platform, caller }) => {
  const { applicationId, id } = asUser(caller)
  const session = sessionsOf(platform, applicationId, id).find(({ tokenHash }) => tokenHash === hashOf(token))
  if (session === undefined) throw unknownToken()
  platform.store.commit([platform.store.headlessSessions.drop(session.id)])
  return null
}

export const getActivitySecret: Handler<'GET_ACTIVITY_SECRET'> = ({ user_id, session_id, application_id }, { platform, caller }) => {
  if (application_id !== asUser(caller).applicationId) throw new PlatformError('notAuthorizedForApplication')
  if (platform.store.users.get(user_id) === undefined) throw new PlatformError('unknownUser')
  const session = sessionsOf(platform, application_id, user_id).find(({ id }) => id === session_id)
  const secret = session?.sealedJoinSecret == null ? undefined : platform.sealer.open(session.sealedJoinSecret, JOIN_SECRET)
  if (secret === undefined) throw new PlatformError('missingAccess')
  return { secret }
}
