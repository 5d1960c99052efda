/** A user's sessions with a joinable activity. */
import { HEADLESS_SESSION_MS } from '../constants.ts'
import { MESSAGE_ACTIVITY_TYPES } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredHeadlessSession } from '../store/admin-records.ts'
import { applicationUserKey } from '../store/store.ts'
import type { StoredMessageActivity } from '../store/user-messages.ts'

/** The sealing purpose of join secrets. */
export const JOIN_SECRET = 'join-secret'

export interface JoinableSession {
  readonly id: string
  readonly partyId: string | null
  readonly flags: number
  /** The activity in the wire form, without secrets. */
  readonly shown: Readonly<Record<string, unknown>>
  /** Opens the join secret. */
  secret(): string | undefined
}

/** Sessions that have not expired. */
function unexpired({ clock }: Platform, sessions: readonly StoredHeadlessSession[]): StoredHeadlessSession[] {
  const since = clock.now() - HEADLESS_SESSION_MS
  return sessions.filter(({ changedAt }) => changedAt > since)
}

export const headlessSessionsOf = (platform: Platform, applicationId: string, userId: string): StoredHeadlessSession[] =>
  unexpired(platform, platform.store.headlessSessions.group(applicationUserKey(applicationId, userId)))

export const headlessSessions = (platform: Platform): StoredHeadlessSession[] => unexpired(platform, platform.store.headlessSessions.all())

/** Headless sessions first, then gateway sessions; the newest last. */
export const joinableOf = (platform: Platform, applicationId: string, userId: string): readonly JoinableSession[] => [
  ...headlessSessionsOf(platform, applicationId, userId).flatMap(({ id, activity, sealedJoinSecret: sealed }): JoinableSession[] => {
    if (sealed === null) return []
    const { party, flags } = activity as { readonly party?: { readonly id?: string } | null; readonly flags?: number | null }
    return [{ id, partyId: party?.id ?? null, flags: flags ?? 0, shown: activity, secret: () => platform.sealer.open(sealed, JOIN_SECRET) }]
  }),
  ...platform.shownActivities.of(applicationId, userId).map(
    ({ sessionId, partyId, flags, shown, joinSecret }): JoinableSession => ({
      id: sessionId,
      partyId,
      flags,
      shown,
      secret: () => joinSecret,
    }),
  ),
]

/** The activity of an invite to this session. */
export const inviteTo = ({ id, partyId, shown }: JoinableSession): StoredMessageActivity => ({
  type: MESSAGE_ACTIVITY_TYPES.join,
  partyId,
  sessionId: id,
  shown,
})

/** The activity that a game sends, as it is stored: an invite needs a joinable session of its author, and shows its activity. Throws invalidForm. */
export function checkedActivity(
  platform: Platform,
  activity: StoredMessageActivity,
  authorId: string,
  applicationId: string,
): StoredMessageActivity {
  if (activity.type !== MESSAGE_ACTIVITY_TYPES.join) return activity
  const session = joinableOf(platform, applicationId, authorId).find(({ id }) => id === activity.sessionId)
  if (session === undefined) throw notJoinable('activity')
  return { ...inviteTo(session), partyId: activity.partyId }
}

const NOT_JOINABLE = 'No session of this user shows an activity that can be joined.'
export const notJoinable = (field: string): PlatformError =>
  new PlatformError('invalidForm', {
    message: NOT_JOINABLE,
    errors: { [field]: { _errors: [{ code: 'ACTIVITY_NOT_JOINABLE', message: NOT_JOINABLE }] } },
  })
