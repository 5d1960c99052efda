/** The wire form of channel messages. */
import type { Message } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredCause } from '../store/admin-records.ts'
import type { StoredChannelMessage } from '../store/records.ts'
import { attachmentView } from './attachments.ts'
import { componentsView } from './component-view.ts'
import { embedView } from './embed-view.ts'
import { mediaOf } from './media-view.ts'
import { pollView } from './poll-view.ts'
import { botView, userView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

export const MESSAGE_TYPES = { default: 0, reply: 19, autoModerationAction: 24 } as const

/** The forwarded message: without author and guild. */
export function snapshotView(platform: Platform, message: StoredChannelMessage) {
  const attachments = (message.attachments ?? []).map((one) => attachmentView(platform, message.channelId, one))
  const media = mediaOf(message.id, attachments)
  return {
    type: 0,
    content: message.content,
    mentions: mentionsOf(platform, message),
    mention_roles: [],
    attachments,
    embeds: message.embeds.map((one) => embedView(one, media)),
    timestamp: isoTime(snowflakeTime(message.id)),
    edited_timestamp: message.editedAt === null ? null : isoTime(message.editedAt),
    flags: message.flags,
    components: componentsView(message.components, media),
  }
}

export function messageView(platform: Platform, message: StoredChannelMessage): Message {
  const { reference } = message
  return {
    ...snapshotView(platform, message),
    type: message.type ?? (reference?.type === 0 ? MESSAGE_TYPES.reply : MESSAGE_TYPES.default),
    id: message.id,
    channel_id: message.channelId,
    author: authorView(platform, message),
    pinned: message.pinnedAt !== null,
    mention_everyone: false,
    tts: message.tts,
    ...(message.applicationId === null ? {} : { application_id: message.applicationId }),
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(message.poll === null ? {} : { poll: pollView(message.id, message.poll, platform.clock.now()) }),
    ...(message.stickerIds.length === 0
      ? {}
      : { sticker_items: message.stickerIds.map((id) => ({ id, name: `sticker ${id}`, format_type: 1 })) }),
    ...(reference === null
      ? {}
      : {
          message_reference: {
            type: reference.type,
            message_id: reference.messageId,
            channel_id: reference.channelId,
            guild_id: reference.guildId,
          },
        }),
    ...(message.cause === undefined ? {} : { webhook_id: message.authorId, interaction_metadata: causeView(platform, message.cause) }),
    ...(message.snapshot === null ? {} : { message_snapshots: [{ message: message.snapshot }] }),
  }
}

function causeView(platform: Platform, { interactionId, type, userId, owners }: StoredCause): NonNullable<Message['interaction_metadata']> {
  const user = platform.store.users.get(userId)
  if (user === undefined) throw new PlatformError('unknownUser')
  return { id: interactionId, type, user: userView(platform, user), authorizing_integration_owners: { ...owners } }
}

function authorView(platform: Platform, { authorId, applicationId }: StoredChannelMessage): Message['author'] {
  const user = platform.store.users.get(authorId)
  return user === undefined ? botView(applicationOf(platform, applicationId ?? authorId)) : userView(platform, user)
}

const mentionsOf = ({ store }: Platform, { mentionedIds }: StoredChannelMessage) =>
  mentionedIds.flatMap((id) => {
    const user = store.users.get(id)
    return user === undefined ? [] : [userView({ store }, user)]
  })
