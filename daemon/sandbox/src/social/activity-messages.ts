/** Direct messages that invite a user to an activity, or ask to be invited: who may send one, and what it is good for afterwards. */
import { ACTIVITY_FLAGS, LIMITS, MESSAGE_ACTIVITY_TYPES } from '@sallyport/protocol'
import { areAcquainted, channelOf, sendMessage } from '../api/user-messages.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import { pairOf, type StoredUserMessage } from '../store/user-messages.ts'
import { joinableOf, type JoinableSession, notJoinable } from './joinable-sessions.ts'

const HOUR_MS = 3_600_000

/** Two users, the one who acts first, and the game it is about. */
export interface Between {
  readonly userId: string
  readonly targetId: string
  readonly applicationId: string
}

const isOpen = ({ clock }: Platform, { id }: StoredUserMessage): boolean =>
  clock.now() - snowflakeTime(id) < LIMITS.activityInviteAge.value * HOUR_MS

/** The user asks the target to be invited. */
export const ask = (platform: Platform, { userId, targetId, applicationId }: Between): StoredUserMessage =>
  sendMessage(platform, {
    authorId: userId,
    recipientId: targetId,
    applicationId,
    activity: { type: MESSAGE_ACTIVITY_TYPES.joinRequest, partyId: null, sessionId: null },
  })

/** The user invites the target to what they play. Throws invalidForm when nobody can join that. */
export function invite(platform: Platform, { userId, targetId, applicationId }: Between): StoredUserMessage {
  const session = joinableOf(platform, applicationId, userId).at(-1)
  if (session === undefined) throw notJoinable('user')
  const activity = { type: MESSAGE_ACTIVITY_TYPES.join, partyId: session.partyId, sessionId: session.id }
  return sendMessage(platform, { authorId: userId, recipientId: targetId, applicationId, activity })
}

/** The user lets the target join, who asked for it. Throws unknownMessage when they did not, or were answered. */
export function accept(platform: Platform, between: Between): StoredUserMessage {
  const { userId, targetId, applicationId } = between
  const last = platform.store.userMessages
    .group(pairOf(userId, targetId))
    .filter((message) => message.applicationId === applicationId && isOpen(platform, message))
    .findLast(
      ({ authorId, activity }) =>
        activity?.type === (authorId === userId ? MESSAGE_ACTIVITY_TYPES.join : MESSAGE_ACTIVITY_TYPES.joinRequest),
    )
  if (last?.authorId !== targetId) throw new PlatformError('unknownMessage', { message: 'This user did not ask to join, or was answered.' })
  return invite(platform, between)
}

const OPEN_PARTY = ACTIVITY_FLAGS.PARTY_PRIVACY_FRIENDS | ACTIVITY_FLAGS.PARTY_PRIVACY_VOICE_CHANNEL

/** How somebody came to ask for a join secret. */
export interface Asked {
  readonly askerId: string
  readonly ownerId: string
  readonly applicationId: string
  readonly channelId: string | undefined
  readonly messageId: string | undefined
}

/** The owner always; whoever shows an invite to this session; and where the party is open, whoever knows the owner. */
export function mayJoin(platform: Platform, session: JoinableSession, asked: Asked): boolean {
  const { askerId, ownerId, messageId } = asked
  if (askerId === ownerId) return true
  if (messageId === undefined) return (session.flags & OPEN_PARTY) !== 0 && areAcquainted(platform, askerId, ownerId)
  const message = platform.store.userMessages.get(messageId)
  return message !== undefined && isOpen(platform, message) && leadsTo(message, session, asked)
}

function leadsTo(message: StoredUserMessage, session: JoinableSession, { askerId, ownerId, applicationId, channelId }: Asked): boolean {
  const { activity, authorId, recipientId } = message
  return (
    activity?.type === MESSAGE_ACTIVITY_TYPES.join &&
    activity.sessionId === session.id &&
    authorId === ownerId &&
    recipientId === askerId &&
    message.applicationId === applicationId &&
    (channelId === undefined || channelId === channelOf(message))
  )
}
