/** Direct messages between users: recipients, sending and history. */
import { userHistory, type UserMessage } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { compareIds, snowflakeTime } from '../snowflake.ts'
import type { StoredUser } from '../store/records.ts'
import { checkedActivity } from '../social/joinable-sessions.ts'
import { isBlockedBetween } from '../social/relationships.ts'
import { RELATIONSHIP_TYPES, relationshipKey } from '../store/relationships.ts'
import { userPairKey, type StoredMessageActivity, type StoredUserMessage } from '../store/user-messages.ts'
import { changesOf } from './application-flags.ts'
import { checkModerated } from './auto-moderation.ts'
import { asUser, type Handler, type Handlers, type Operation } from './handlers.ts'
import { userView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

/** The type of direct message channels. */
export const DIRECT_CHANNEL = 1

const getUserMessages: Handler<'GET_USER_MESSAGES'> = ({ user_id, limit }, operation) => {
  const { platform } = operation
  const peer = recipientOf(operation, user_id)
  const messages = messagesWith(operation, peer.id)
  // Users without messages have no channel.
  if (messages.length === 0) throw new PlatformError('unknownChannel')
  const isBlocked = isBlockedBetween(platform, peer.id, asUser(operation.caller).id)
  return userHistory(messages, platform.clock.now())
    .filter(({ authorId }) => !isBlocked || authorId !== peer.id)
    .slice(0, limit)
    .map((message) => userMessageView(platform, message))
}

const sendUserMessage: Handler<'SEND_USER_MESSAGE'> = ({ user_id, content, metadata }, operation) => {
  const { platform } = operation
  const { id: authorId, applicationId } = asUser(operation.caller)
  const recipientId = recipientOf(operation, user_id).id
  checkModerated(content)
  return userMessageView(platform, sendMessage(platform, { authorId, recipientId, applicationId, content, metadata: metadata ?? null }))
}

const sendActivityMessage: Handler<'SEND_ACTIVITY_MESSAGE'> = ({ user_id, content = '', activity: given }, operation) => {
  const { platform } = operation
  const { id: authorId, applicationId } = asUser(operation.caller)
  const recipientId = recipientOf(operation, user_id).id
  checkModerated(content)
  const named = { type: given.type, partyId: given.party_id ?? null, sessionId: given.session_id ?? null }
  const activity = checkedActivity(platform, named, authorId, applicationId)
  return userMessageView(platform, sendMessage(platform, { authorId, recipientId, applicationId, content, activity }))
}

type Draft = Pick<StoredUserMessage, 'authorId' | 'recipientId' | 'applicationId' | 'activity'> &
  Partial<Pick<StoredUserMessage, 'content' | 'metadata'>>

/** Stores a message and deletes those beyond the history's limits. Throws cannotMessage for users who do not know each other, or of whom one blocks the other. */
export function sendMessage(platform: Platform, draft: Draft): StoredUserMessage {
  const { store, ids, clock } = platform
  const { authorId, recipientId } = draft
  if (!areAcquainted(platform, authorId, recipientId) || isBlockedBetween(platform, authorId, recipientId))
    throw new PlatformError('cannotMessage')
  const message: StoredUserMessage = { id: ids.next(), content: '', metadata: null, editedAt: null, ...draft }
  const all = [...store.userMessages.group(userPairKey(authorId, recipientId)), message]
  const kept = new Set(userHistory(all, clock.now()))
  const lapsed = all.filter((one) => !kept.has(one))
  store.commit([store.userMessages.put(message.id, message), ...lapsed.map(({ id }) => store.userMessages.delete(id))])
  return message
}

const editUserMessage: Handler<'EDIT_USER_MESSAGE'> = ({ user_id, message_id, content }, operation) => {
  const { platform, caller } = operation
  const before = messageOf(operation, user_id, message_id)
  if (before.authorId !== caller.id) throw new PlatformError('notAuthor')
  checkModerated(content)
  // The moderation metadata belongs to the old text.
  const { moderationMetadata: _, ...kept } = before
  const message = { ...kept, content, editedAt: platform.clock.now() }
  platform.store.commit([platform.store.userMessages.put(message.id, message)])
  return userMessageView(platform, message)
}

const deleteUserMessage: Handler<'DELETE_USER_MESSAGE'> = ({ user_id, message_id }, operation) => {
  const { platform, caller } = operation
  const message = messageOf(operation, user_id, message_id)
  if (message.authorId !== caller.id) throw new PlatformError('missingPermissions')
  platform.store.commit([platform.store.userMessages.delete(message.id)])
  return null
}

/** The other user. Throws for the caller's own id. */
function recipientOf({ platform, caller }: Operation, id: string): StoredUser {
  const peer = platform.store.users.get(id)
  if (peer === undefined || peer.id === asUser(caller).id) throw new PlatformError('unknownUser')
  return peer
}

const messagesWith = ({ platform, caller }: Operation, peerId: string): StoredUserMessage[] =>
  platform.store.userMessages.group(userPairKey(caller.id, peerId))

function messageOf(operation: Operation, peerId: string, messageId: string): StoredUserMessage {
  const peer = recipientOf(operation, peerId)
  const found = messagesWith(operation, peer.id).find(({ id }) => id === messageId)
  if (found === undefined) throw new PlatformError('unknownMessage')
  return found
}

/** Users know each other when they are friends, or share a guild or a lobby of any application. */
export const areAcquainted = ({ store }: Platform, one: string, other: string): boolean =>
  store.relationships.get(relationshipKey({ userId: one, otherId: other }))?.type === RELATIONSHIP_TYPES.friend ||
  store.guilds.all().some(({ members }) => members[one] !== undefined && members[other] !== undefined) ||
  store.lobbies.all().some(({ members }) => [one, other].every((userId) => members.some(({ id }) => id === userId)))

export function userMessageView(platform: Pick<Platform, 'store'>, message: StoredUserMessage): UserMessage {
  const author = platform.store.users.get(message.authorId)
  if (author === undefined) throw new PlatformError('unknownUser')
  return {
    id: message.id,
    type: 0,
    content: message.content,
    channel_id: channelOf(message),
    author: userView(platform, author),
    recipient_id: message.recipientId,
    timestamp: isoTime(snowflakeTime(message.id)),
    edited_timestamp: message.editedAt === null ? null : isoTime(message.editedAt),
    ...(message.metadata === null ? {} : { metadata: { ...message.metadata } }),
    ...(message.moderationMetadata === undefined ? {} : { moderation_metadata: { ...message.moderationMetadata } }),
    flags: 0,
    application_id: message.applicationId,
    ...(message.activity === undefined
      ? {}
      : { activity: activityView(message.activity), application: inviteApplication(platform, message.applicationId) }),
  }
}

/** What a direct message of a game never has. */
const PLAIN = {
  attachments: [],
  components: [],
  embeds: [],
  mention_everyone: false,
  mention_roles: [],
  mentions: [],
  pinned: false,
  tts: false,
}

/** The data of an event of a direct message. It includes the channel, which clients cannot look up. */
export function userMessageEventData(platform: Pick<Platform, 'store'>, message: StoredUserMessage) {
  const view = userMessageView(platform, message)
  const recipients = [message.authorId, message.recipientId]
    .flatMap((id) => platform.store.users.get(id) ?? [])
    .map((user) => userView(platform, user))
  return { ...PLAIN, ...view, channel: { id: view.channel_id, type: DIRECT_CHANNEL, recipients } }
}

const activityView = ({ type, partyId, sessionId, shown }: StoredMessageActivity): NonNullable<UserMessage['activity']> => ({
  type,
  ...(partyId === null ? {} : { party_id: partyId }),
  ...(sessionId === null ? {} : { session_id: sessionId }),
  ...(shown === undefined ? {} : { shown }),
})

/** The application beside an invite or a join request. */
const inviteApplication = (platform: Pick<Platform, 'store'>, id: string) => {
  const { cover_image: cover, description } = changesOf(platform, id)
  return {
    id,
    name: platform.store.applications.get(id)?.name ?? `Application ${id}`,
    icon: null,
    description: description ?? '',
    type: null,
    ...(typeof cover === 'string' ? { cover_image: cover } : {}),
  }
}

/** Direct message channels are not stored; each pair of users has one id. */
export const channelOf = ({ authorId, recipientId }: StoredUserMessage): string => (BigInt(authorId) ^ BigInt(recipientId)).toString()

const getUserMessageSummaries: Handler<'GET_USER_MESSAGE_SUMMARIES'> = (_, { platform, caller }) => {
  const { id: ownId } = asUser(caller)
  const own = platform.store.userMessages.all().filter(({ authorId, recipientId }) => authorId === ownId || recipientId === ownId)
  const newestFirst = own.toSorted((a, b) => compareIds(b.id, a.id))
  const byPeer = Map.groupBy(newestFirst, ({ authorId, recipientId }) => (authorId === ownId ? recipientId : authorId))
  return [...byPeer].flatMap(([user_id, [last]]) =>
    last === undefined || isBlockedBetween(platform, ownId, user_id) ? [] : [{ user_id, last_message_id: last.id }],
  )
}

export const userMessageHandlers = {
  GET_USER_MESSAGE_SUMMARIES: getUserMessageSummaries,
  DELETE_USER_MESSAGE: deleteUserMessage,
  EDIT_USER_MESSAGE: editUserMessage,
  GET_USER_MESSAGES: getUserMessages,
  SEND_ACTIVITY_MESSAGE: sendActivityMessage,
  SEND_USER_MESSAGE: sendUserMessage,
} satisfies Partial<Handlers>
