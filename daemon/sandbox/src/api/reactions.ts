/** Reactions to channel messages. */
import { LIMITS, type User } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredReaction } from '../store/guild-item-records.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { messageFor } from './channel-messages.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { pageOf } from './pages.ts'
import { personView } from './user-view.ts'

/** Different emoji on one message. */
const REACTIONS_MAX = 20
const PAGE_DEFAULT = 25

interface Named {
  readonly channel_id: string
  readonly message_id: string
}

type ReactionPermission = 'READ_MESSAGE_HISTORY' | 'MANAGE_MESSAGES'

function messageOf(operation: Operation, { channel_id, message_id }: Named, ...permissions: ReactionPermission[]): StoredChannelMessage {
  const channel = textChannelFor(operation, channel_id, ...permissions)
  return messageFor(operation, channel, message_id)
}

const keyOf = (messageId: string, emoji: string): string => `${messageId}:${emoji}`

/** Throws unknownEmoji for an emoji without a reaction. */
function reactionOf({ platform }: Operation, { id }: StoredChannelMessage, emoji: string): StoredReaction {
  const found = platform.store.reactions.get(keyOf(id, emoji))
  if (found === undefined) throw new PlatformError('unknownEmoji')
  return found
}

const createReaction: Handler<'CREATE_REACTION'> = ({ emoji_name: emoji, ...named }, operation) => {
  const { platform, caller } = operation
  const { store } = platform
  const message = messageOf(operation, named, 'READ_MESSAGE_HISTORY')
  const before = store.reactions.get(keyOf(message.id, emoji))
  if (before === undefined) {
    const channel = textChannelFor(operation, named.channel_id)
    if (!mayIn(operation, channel, 'ADD_REACTIONS')) throw new PlatformError('missingPermissions')
    if (store.reactions.group(message.id).length >= REACTIONS_MAX) throw new PlatformError('tooManyReactions')
  }
  const userIds = [...new Set([...(before?.userIds ?? []), caller.id])]
  store.commit([store.reactions.put(keyOf(message.id, emoji), { messageId: message.id, emoji, userIds })])
  return null
}

/** Removes one user; the last one removes the reaction. */
function withdraw(operation: Operation, reaction: StoredReaction, userId: string): null {
  const { store } = operation.platform
  const userIds = reaction.userIds.filter((id) => id !== userId)
  const key = keyOf(reaction.messageId, reaction.emoji)
  store.commit([userIds.length === 0 ? store.reactions.delete(key) : store.reactions.put(key, { ...reaction, userIds })])
  return null
}

const deleteOwn: Handler<'DELETE_OWN_REACTION'> = ({ emoji_name, ...named }, operation) =>
  withdraw(operation, reactionOf(operation, messageOf(operation, named), emoji_name), operation.caller.id)

const deleteOfUser: Handler<'DELETE_USER_REACTION'> = ({ emoji_name, user_id, ...named }, operation) =>
  withdraw(operation, reactionOf(operation, messageOf(operation, named, 'MANAGE_MESSAGES'), emoji_name), user_id)

const getReactions: Handler<'GET_REACTIONS'> = ({ emoji_name, after, limit = PAGE_DEFAULT, ...named }, operation): User[] => {
  const { platform, caller } = operation
  const { userIds } = reactionOf(operation, messageOf(operation, named), emoji_name)
  const users = userIds.map((id) => ({ id }))
  return pageOf(users, { after, limit: Math.min(limit, LIMITS.reactionsPage.value) }).flatMap(
    ({ id }) => personView(platform, caller.applicationId, id) ?? [],
  )
}

const deleteAll: Handler<'DELETE_ALL_REACTIONS'> = (named, operation) => {
  const { store } = operation.platform
  const message = messageOf(operation, named, 'MANAGE_MESSAGES')
  store.commit(store.reactions.group(message.id).map(({ emoji }) => store.reactions.delete(keyOf(message.id, emoji))))
  return null
}

const deleteAllForEmoji: Handler<'DELETE_ALL_REACTIONS_FOR_EMOJI'> = ({ emoji_name, ...named }, operation) => {
  const { store } = operation.platform
  const { messageId, emoji } = reactionOf(operation, messageOf(operation, named, 'MANAGE_MESSAGES'), emoji_name)
  store.commit([store.reactions.delete(keyOf(messageId, emoji))])
  return null
}

export const reactionHandlers = {
  CREATE_REACTION: createReaction,
  DELETE_ALL_REACTIONS: deleteAll,
  DELETE_ALL_REACTIONS_FOR_EMOJI: deleteAllForEmoji,
  DELETE_OWN_REACTION: deleteOwn,
  DELETE_USER_REACTION: deleteOfUser,
  GET_REACTIONS: getReactions,
} satisfies Partial<Handlers>
