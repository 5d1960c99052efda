/** Direct messages with an activity invite or a join request: who may send them, and what they allow. */
import { HOUR_MS } from '@sallyport/core/durations'
import { ACTIVITY_FLAGS, LIMITS, MESSAGE_ACTIVITY_TYPES } from '@sallyport/protocol'
import { areAcquainted, channelOf, sendMessage } from '../api/user-messages.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import { userPairKey, type StoredUserMessage } from '../store/user-messages.ts'
import { isBlockedBetween } from './relationships.ts'
import { inviteTo, joinableOf, type JoinableSession, notJoinable } from './joinable-sessions.ts'

/** The acting user, the other user, and the game. */
export interface ActivityMessageContext {
  readonly userId: string
  readonly targetId: string
  readonly applicationId: string
}

const isOpen = ({ clock }: Platform, { id }: StoredUserMessage): boolean =>
  clock.now() - snowflakeTime(id) < LIMITS.activityInviteAge.value * HOUR_MS

/** Sends a join request from the user to the target. */
export const sendJoinRequest = (platform: Platform, { userId, targetId, applicationId }: ActivityMessageContext): StoredUserMessage =>
  sendMessage(platform, {
    authorId: userId,
    recipientId: targetId,
    applicationId,
    activity: { type: MESSAGE_ACTIVITY_TYPES.joinRequest, partyId: null, sessionId: null },
  })

/** Sends the target an invite to the user's activity. Throws invalidForm when the user has no joinable activity. */
export function sendInvite(platform: Platform, { userId, targetId, applicationId }: ActivityMessageContext): StoredUserMessage {
  const session = joinableOf(platform, applicationId, userId).at(-1)
  if (session === undefined) throw notJoinable('user')
  return sendMessage(platform, { authorId: userId, recipientId: targetId, applicationId, activity: inviteTo(session) })
}

/** Accepts the target's join request. Throws unknownMessage without an open request. */
export function acceptJoinRequest(platform: Platform, context: ActivityMessageContext): StoredUserMessage {
  const { userId, targetId, applicationId } = context
  const last = platform.store.userMessages
    .group(userPairKey(userId, targetId))
    .filter((message) => message.applicationId === applicationId && isOpen(platform, message))
    .findLast(
      ({ authorId, activity }) =>
        activity?.type === (authorId === userId ? MESSAGE_ACTIVITY_TYPES.join : MESSAGE_ACTIVITY_TYPES.joinRequest),
    )
  if (last?.authorId !== targetId) throw new PlatformError('unknownMessage', { message: 'This user has no open request to join.' })
  return sendInvite(platform, context)
}

const OPEN_PARTY = ACTIVITY_FLAGS.PARTY_PRIVACY_FRIENDS | ACTIVITY_FLAGS.PARTY_PRIVACY_VOICE_CHANNEL

/** A request for the join secret of a session. */
interface JoinSecretRequest {
  readonly requesterId: string
  readonly ownerId: string
  readonly applicationId: string
  readonly channelId: string | undefined
  readonly messageId: string | undefined
}

/** Whether the requester may join: as the owner, with an invite to this session, or as an acquaintance when the party is open. */
export function mayJoin(platform: Platform, session: JoinableSession, request: JoinSecretRequest): boolean {
  const { requesterId, ownerId, messageId } = request
  if (requesterId === ownerId) return true
  if (isBlockedBetween(platform, requesterId, ownerId)) return false
  if (messageId === undefined) return (session.flags & OPEN_PARTY) !== 0 && areAcquainted(platform, requesterId, ownerId)
  const message = platform.store.userMessages.get(messageId)
  return message !== undefined && isOpen(platform, message) && isInviteTo(message, session, request)
}

function isInviteTo(
  message: StoredUserMessage,
  session: JoinableSession,
  { requesterId, ownerId, applicationId, channelId }: JoinSecretRequest,
): boolean {
  const { activity, authorId, recipientId } = message
  return (
    activity?.type === MESSAGE_ACTIVITY_TYPES.join &&
    activity.sessionId === session.id &&
    authorId === ownerId &&
    recipientId === requesterId &&
    message.applicationId === applicationId &&
    (channelId === undefined || channelId === channelOf(message))
  )
}
