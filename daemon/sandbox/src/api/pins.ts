/** Pinned messages of channels. */
import { isInEffect, LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredChannel, StoredChannelMessage } from '../store/records.ts'
import { auditWrites } from './audit-writes.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { messageFor } from './channel-messages.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { readableView } from './message-content.ts'
import { isoTime } from './wire-time.ts'

type Pinned = StoredChannelMessage & { readonly pinnedAt: number }

const pinnedIn = ({ store }: Platform, channel: StoredChannel): Pinned[] =>
  store.channelMessages.group(channel.id).filter((message): message is Pinned => message.pinnedAt !== null)

const getChannelPins: Handler<'GET_CHANNEL_PINS'> = ({ channel_id, before, limit = LIMITS.pinsPage.value }, operation) => {
  const { platform } = operation
  const channel = textChannelFor(operation, channel_id)
  if (!mayIn(operation, channel, 'READ_MESSAGE_HISTORY')) return { items: [], has_more: false }
  const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before)
  if (Number.isNaN(until)) throw new PlatformError('invalidForm')
  const pins = pinnedIn(platform, channel)
    .filter(({ pinnedAt }) => pinnedAt < until)
    .toSorted((a, b) => b.pinnedAt - a.pinnedAt)
  return {
    items: pins.slice(0, limit).map((message) => ({ pinned_at: isoTime(message.pinnedAt), message: readableView(operation, message) })),
    has_more: pins.length > limit,
  }
}

const getPinnedMessages: Handler<'GET_PINNED_MESSAGES'> = (args, operation) =>
  getChannelPins(args, operation).items.map(({ message }) => message)

const pinMessage: Handler<'PIN_MESSAGE' | 'PIN_MESSAGE_DEPRECATED'> = ({ channel_id, message_id, audit_log_reason: reason }, operation) => {
  const { platform } = operation
  const { channel, message } = toPin(operation, channel_id, message_id)
  if (message.pinnedAt !== null) return null
  if (pinnedIn(platform, channel).length >= LIMITS.channelPins.value) throw new PlatformError('tooManyPins')
  return keep(operation, { ...message, pinnedAt: platform.clock.now() }, { event: 'MESSAGE_PIN', channel, reason })
}

const unpinMessage: Handler<'UNPIN_MESSAGE' | 'UNPIN_MESSAGE_DEPRECATED'> = (
  { channel_id, message_id, audit_log_reason: reason },
  operation,
) => {
  const { channel, message } = toPin(operation, channel_id, message_id)
  return keep(operation, { ...message, pinnedAt: null }, { event: 'MESSAGE_UNPIN', channel, reason })
}

function toPin(operation: Operation, channelId: string, messageId: string) {
  const channel = textChannelFor(operation, channelId)
  const needed = isInEffect('pin-needs-own-permission', operation.platform.clock.now()) ? 'PIN_MESSAGES' : 'MANAGE_MESSAGES'
  if (!mayIn(operation, channel, needed)) throw new PlatformError('missingPermissions')
  return { channel, message: messageFor(operation, channel, messageId) }
}

interface Noted {
  readonly event: 'MESSAGE_PIN' | 'MESSAGE_UNPIN'
  readonly channel: StoredChannel
  readonly reason: string | undefined
}

function keep(operation: Operation, message: StoredChannelMessage, { event, channel, reason }: Noted): null {
  const { store } = operation.platform
  const options = { channel_id: channel.id, message_id: message.id }
  store.commit([
    store.channelMessages.put(message.id, message),
    ...auditWrites(operation, channel.guildId, { event, targetId: message.authorId, options, reason }),
  ])
  return null
}

export const pinHandlers = {
  GET_CHANNEL_PINS: getChannelPins,
  GET_PINNED_MESSAGES: getPinnedMessages,
  PIN_MESSAGE: pinMessage,
  PIN_MESSAGE_DEPRECATED: pinMessage,
  UNPIN_MESSAGE: unpinMessage,
  UNPIN_MESSAGE_DEPRECATED: unpinMessage,
} satisfies Partial<Handlers>
