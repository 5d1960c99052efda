/** What games are told of messages: of channels in the shape of the local protocol, of the user's own conversations as they are. */
import { type EventName, GATEWAY_INTENTS } from '@sallyport/protocol'
import { messageNews } from '../../../news.ts'
import { personFrom } from '../cache/people.ts'
import type { GatewayParty } from '../../../../platform/gateway/gateway.ts'
import { type Fields, fieldsOf, idOf, messageVersion, picked, textOf } from '../../../../platform/gateway/reading.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'

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

/** A message as the local protocol shows it. */
function rpcMessage(d: Fields): object {
  const author = personFrom(d['author'])
  const nick = textOf(fieldsOf(d['member'])['nick'])
  return {
    blocked: false,
    ...picked(d, MESSAGE_FIELDS),
    ...(author === undefined ? {} : { author, bot: author.bot }),
    ...(nick === undefined ? {} : { nick }),
  }
}

/** By what other sources know the same message. */
const keyOf =
  (event: EventName, d: Fields, { applicationId }: GatewayParty) =>
  (userId: string): string =>
    messageNews(applicationId, userId, event, messageVersion(d))

/** Of a channel that the application did not make, only who may read messages is told. */
const inChannel =
  (event: EventName, messageOf: (d: Fields) => object) =>
  ({ d, party, guilds }: GatewayNews): Told | undefined => {
    const guildId = idOf(d['guild_id'])
    const channelId = idOf(d['channel_id'])
    if (guildId === undefined || channelId === undefined) return undefined
    const data = { channel_id: channelId, message: messageOf(d) }
    const isOwn = guilds.isOfApplication(guildId, channelId, party.applicationId)
    return { args: { channel_id: channelId }, data, key: keyOf(event, d, party), ...(isOwn ? {} : { scope: 'messages.read' as const }) }
  }

const direct =
  (event: EventName, dataOf: (d: Fields) => object) =>
  ({ d, party }: GatewayNews): Told | undefined => {
    const id = idOf(d['id'])
    if (id === undefined || d['guild_id'] != null || d['lobby_id'] != null) return undefined
    return { data: dataOf(d), key: keyOf(event, d, party) }
  }

const whole = (d: Fields): object => d
const onlyId = (d: Fields): object => picked(d, ['id'])
const CHANNEL_INTENTS = GUILDS | GUILD_MESSAGES | MESSAGE_CONTENT

export const MESSAGE_TELLINGS: readonly TellingRow[] = [
  {
    event: 'MESSAGE_CREATE',
    by: 'application',
    intents: CHANNEL_INTENTS,
    from: { MESSAGE_CREATE: inChannel('MESSAGE_CREATE', rpcMessage) },
  },
  {
    event: 'MESSAGE_UPDATE',
    by: 'application',
    intents: CHANNEL_INTENTS,
    from: { MESSAGE_UPDATE: inChannel('MESSAGE_UPDATE', rpcMessage) },
  },
  { event: 'MESSAGE_DELETE', by: 'application', intents: CHANNEL_INTENTS, from: { MESSAGE_DELETE: inChannel('MESSAGE_DELETE', onlyId) } },
  {
    event: 'GAME_DIRECT_MESSAGE_CREATE',
    by: 'user',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_CREATE: direct('GAME_DIRECT_MESSAGE_CREATE', whole) },
  },
  {
    event: 'GAME_DIRECT_MESSAGE_UPDATE',
    by: 'user',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_UPDATE: direct('GAME_DIRECT_MESSAGE_UPDATE', whole) },
  },
  {
    event: 'GAME_DIRECT_MESSAGE_DELETE',
    by: 'user',
    intents: DIRECT_MESSAGES,
    from: { MESSAGE_DELETE: direct('GAME_DIRECT_MESSAGE_DELETE', (d) => picked(d, ['id', 'channel_id'])) },
  },
]
