/** Mappings for messages. Channel messages take the form of the local protocol; direct messages stay as the platform sends them. */
import { type EventName, EVENTS, type EventRow, GATEWAY_INTENTS } from '@sallyport/protocol'
import { messageKey } from '../../../dedupe-keys.ts'
import { userFrom } from '../cache/user-cache.ts'
import type { GatewayIdentity } from '../../../../platform/gateway/gateway.ts'
import { type Fields, fieldsOf, idOf, picked, textOf } from '@sallyport/core/json-read'
import { type DispatchContext, type DispatchMapping, type MappedEvent, messageVersion } from './dispatch-mapping.ts'

const { GUILDS, GUILD_MESSAGES, MESSAGE_CONTENT, DIRECT_MESSAGES } = GATEWAY_INTENTS

const MESSAGE_FIELDS = [
  'id',
  'content',
  'edited_timestamp',
  'timestamp',
  'tts',
  'mentions',
  'mention_everyone',
  'mention_roles',
  'embeds',
  'attachments',
  'pinned',
  'type',
]

/** A message in the form of the local protocol. */
function rpcMessage(d: Fields): object {
  const author = userFrom(d['author'])
  const nick = textOf(fieldsOf(d['member'])['nick'])
  return {
    blocked: false,
    ...picked(d, MESSAGE_FIELDS),
    ...(author === undefined ? {} : { author, bot: author.bot }),
    ...(nick === undefined ? {} : { nick }),
  }
}

/** The dedupe key that other providers give the same message. */
const dedupeKeyOf =
  (event: EventName, d: Fields, { applicationId }: GatewayIdentity) =>
  (userId: string): string =>
    messageKey({ applicationId, userId }, event, messageVersion(d))

/** Maps a channel message. In a channel that the application did not create, it requires the scope of its row. */
const inChannel =
  (event: EventName, messageOf: (d: Fields) => object) =>
  ({ d, identity, guilds }: DispatchContext): MappedEvent | undefined => {
    const guildId = idOf(d['guild_id'])
    const channelId = idOf(d['channel_id'])
    if (guildId === undefined || channelId === undefined) return undefined
    const { narrowed }: EventRow = EVENTS[event]
    const data = { channel_id: channelId, message: messageOf(d) }
    const isOwn = guilds.isOfApplication(guildId, channelId, identity.applicationId)
    return {
      args: { channel_id: channelId },
      data,
      dedupeKey: dedupeKeyOf(event, d, identity),
      ...(isOwn || narrowed === undefined ? {} : { scope: narrowed.without }),
    }
  }

/** Maps a dispatch with the ids of several messages to an event for each. */
const bulk =
  (map: (context: DispatchContext) => MappedEvent | undefined) =>
  (context: DispatchContext): readonly MappedEvent[] => {
    const { ids } = context.d
    return Array.isArray(ids) ? ids.flatMap((id: unknown) => map({ ...context, d: { ...context.d, id } }) ?? []) : []
  }

const direct =
  (event: EventName, dataOf: (d: Fields) => object) =>
  ({ d, identity }: DispatchContext): MappedEvent | undefined => {
    const id = idOf(d['id'])
    if (id === undefined || d['guild_id'] != null || d['lobby_id'] != null) return undefined
    return { data: dataOf(d), dedupeKey: dedupeKeyOf(event, d, identity) }
  }

const whole = (d: Fields): object => d
const onlyId = (d: Fields): object => picked(d, ['id'])
const CHANNEL_INTENTS = GUILDS | GUILD_MESSAGES | MESSAGE_CONTENT

export const MESSAGE_MAPPINGS: readonly DispatchMapping[] = [
  {
    event: 'MESSAGE_CREATE',
    intents: CHANNEL_INTENTS,
    from: { MESSAGE_CREATE: inChannel('MESSAGE_CREATE', rpcMessage) },
  },
  {
    event: 'MESSAGE_UPDATE',
    intents: CHANNEL_INTENTS,
    from: { MESSAGE_UPDATE: inChannel('MESSAGE_UPDATE', rpcMessage) },
  },
  {
    event: 'MESSAGE_DELETE',
    intents: CHANNEL_INTENTS,
    from: { MESSAGE_DELETE: inChannel('MESSAGE_DELETE', onlyId), MESSAGE_DELETE_BULK: bulk(inChannel('MESSAGE_DELETE', onlyId)) },
  },
  {
    event: 'GAME_DIRECT_MESSAGE_CREATE',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_CREATE: direct('GAME_DIRECT_MESSAGE_CREATE', whole) },
  },
  {
    event: 'GAME_DIRECT_MESSAGE_UPDATE',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_UPDATE: direct('GAME_DIRECT_MESSAGE_UPDATE', whole) },
  },
  {
    event: 'GAME_DIRECT_MESSAGE_DELETE',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_DELETE: direct('GAME_DIRECT_MESSAGE_DELETE', (d) => picked(d, ['id', 'channel_id'])) },
  },
]
