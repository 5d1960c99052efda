/** Channel messages that bots read and delete. */
import { PlatformError } from '../platform-error.ts'
import { compareIds } from '../snowflake.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { messageFor } from './channel-messages.ts'
import type { Handler, Handlers } from './handlers.ts'
import { readableView } from './message-content.ts'

const DEFAULT_PAGE = 50

const getChannelMessages: Handler<'GET_CHANNEL_MESSAGES'> = ({ channel_id, around, before, after, limit = DEFAULT_PAGE }, operation) => {
  const { platform } = operation
  const channel = textChannelFor(operation, channel_id)
  if (!mayIn(operation, channel, 'READ_MESSAGE_HISTORY')) return []
  const newestFirst = platform.store.channelMessages.group(channel.id).toSorted((a, b) => compareIds(b.id, a.id))
  return page(newestFirst, { around, before, after }, limit).map((message) => readableView(operation, message))
}

interface Anchors {
  readonly around: string | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

function page(newestFirst: readonly StoredChannelMessage[], { around, before, after }: Anchors, limit: number): StoredChannelMessage[] {
  const older = (id: string) => newestFirst.filter((one) => compareIds(one.id, id) < 0)
  const newer = (id: string) => newestFirst.filter((one) => compareIds(one.id, id) > 0)
  if (before !== undefined) return older(before).slice(0, limit)
  // The first after the anchor, not the newest of all.
  if (after !== undefined) return newer(after).slice(-limit)
  if (around === undefined) return newestFirst.slice(0, limit)
  const half = Math.floor(limit / 2)
  const middle = newestFirst.filter(({ id }) => id === around)
  return [...newer(around).slice(half === 0 ? newestFirst.length : -half), ...middle, ...older(around)].slice(0, limit)
}

const getChannelMessage: Handler<'GET_CHANNEL_MESSAGE'> = ({ channel_id, message_id }, operation) => {
  const channel = textChannelFor(operation, channel_id, 'READ_MESSAGE_HISTORY')
  return readableView(operation, messageFor(operation, channel, message_id))
}

const deleteMessage: Handler<'DELETE_MESSAGE'> = ({ channel_id, message_id }, operation) => {
  const { platform, caller } = operation
  const { store } = platform
  const channel = textChannelFor(operation, channel_id)
  const message = messageFor(operation, channel, message_id)
  if (message.authorId !== caller.applicationId && !mayIn(operation, channel, 'MANAGE_MESSAGES'))
    throw new PlatformError('missingPermissions')
  const { attachments = [] } = message
  store.commit([...attachments.map(({ id }) => store.files.delete(id)), store.channelMessages.delete(message.id)])
  return null
}

export const channelHistoryHandlers = {
  DELETE_MESSAGE: deleteMessage,
  GET_CHANNEL_MESSAGE: getChannelMessage,
  GET_CHANNEL_MESSAGES: getChannelMessages,
} satisfies Partial<Handlers>
