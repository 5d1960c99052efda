/** Pinned messages of channels. */
import { holdsOn, LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredChannel, StoredChannelMessage } from '../store/records.ts'
import { mayIn, textChannelFor } from './channel-access.ts'
import { messageFor } from './channel-messages.ts'
import type { Handler, Operation } from './handlers.ts'
import { messageView } from './message-view.ts'
import { isoTime } from './wire-time.ts'

type Pinned = StoredChannelMessage & { readonly pinnedAt: number }

const pinnedIn = ({ store }: Platform, channel: StoredChannel): Pinned[] =>
  store.channelMessages.group(channel.id).filter((message): message is Pinned => message.pinnedAt !== null)

export const getChannelPins: Handler<'GET_CHANNEL_PINS'> = ({ channel_id, before, limit = LIMITS.pinsPage.value }, operation) => {
  const { platform } = operation
  const channel = textChannelFor(operation, channel_id)
  if (!mayIn(operation, channel, 'READ_MESSAGE_HISTORY')) return { items: [], has_more: false }
  const until = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before)
  if (Number.isNaN(until)) throw new PlatformError('invalidForm')
  const pins = pinnedIn(platform, channel)
    .filter(({ pinnedAt }) => pinnedAt < until)
    .toSorted((a, b) => b.pinnedAt - a.pinnedAt)
  return {
    items: pins.slice(0, limit).map((message) => ({ pinned_at: isoTime(message.pinnedAt), message: messageView(platform, message) })),
    has_more: pins.length > limit,
  }
}

export const pinMessage: Handler<'PIN_MESSAGE'> = ({ channel_id, message_id }, operation) => {
  const { platform } = operation
  const { channel, message } = toPin(operation, channel_id, message_id)
  if (message.pinnedAt !== null) return null
  if (pinnedIn(platform, channel).length >= LIMITS.channelPins.value) throw new PlatformError('tooManyPins')
  return keep(operation, { ...message, pinnedAt: platform.clock.now() })
}

export const unpinMessage: Handler<'UNPIN_MESSAGE'> = ({ channel_id, message_id }, operation) =>
  keep(operation, { ...toPin(operation, channel_id, message_id).message, pinnedAt: null })

function toPin(operation: Operation, channelId: string, messageId: string) {
  const channel = textChannelFor(operation, channelId)
  const needed = holdsOn('pin-needs-own-permission', operation.platform.clock.now()) ? 'PIN_MESSAGES' : 'MANAGE_MESSAGES'
  if (!mayIn(operation, channel, needed)) throw new PlatformError('missingPermissions')
  return { channel, message: messageFor(operation, channel, messageId) }
}

function keep({ platform: { store } }: Operation, message: StoredChannelMessage): null {
  store.commit([store.channelMessages.put(message.id, message)])
  return null
}
