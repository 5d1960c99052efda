/** What games are told of guilds, their members and channels. GUILD_STATUS is apart, since it is also told at the subscription. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import type { CachedGuild } from '../cache/guild-cache.ts'
import { guildIcon } from '../../../guild-icon.ts'
import { type Fields, idOf, picked } from '../../../../platform/gateway/reading.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'

const { GUILDS, GUILD_MEMBERS } = GATEWAY_INTENTS

type NamedGuild = CachedGuild & { readonly name: string }

/** A guild of the cache, when the dispatch did this to it. */
const guildWhen =
  (what: 'joined' | 'changed', dataOf: (guild: NamedGuild, imageOrigin: string) => object) =>
  ({ guild: news, guilds, imageOrigin }: GatewayNews): Told | undefined => {
    if (news?.what !== what) return undefined
    const guild = guilds.guild(news.guildId)
    return guild?.name === undefined ? undefined : { data: dataOf({ ...guild, name: guild.name }, imageOrigin) }
  }

/** To those who subscribed for this guild. */
const ofGuild = (d: Fields, data: object = d): Told | undefined => {
  const guildId = idOf(d['guild_id'])
  return guildId === undefined ? undefined : { args: { guild_id: guildId }, data }
}

const channelWhole = ({ d, guild }: GatewayNews): Told | undefined =>
  guild === undefined || guild.what === 'unchanged' ? undefined : { data: d }

const MEMBER_FIELDS = ['nick', 'avatar', 'avatar_decoration_data', 'banner', 'bio', 'pronouns']

/** The user's own membership, which the platform tells without the intent for members. */
function ownMember({ d, party }: GatewayNews): Told | undefined {
  const user = d['user'] as { readonly id?: unknown } | undefined
  const guildId = idOf(d['guild_id'])
  if (party.kind !== 'user' || guildId === undefined || user?.id !== party.userId) return undefined
  return { args: { guild_id: guildId }, data: { user_id: party.userId, guild_id: guildId, ...picked(d, MEMBER_FIELDS) } }
}

export const GUILD_TELLINGS: readonly TellingRow[] = [
  {
    event: 'GUILD_CREATE',
    by: 'application',
    intents: GUILDS,
    from: { GUILD_CREATE: guildWhen('joined', ({ id, name }) => ({ id, name })) },
  },
  {
    event: 'GUILD_UPDATE',
    by: 'application',
    intents: GUILDS,
    from: {
      GUILD_UPDATE: guildWhen('changed', (guild, imageOrigin) => ({
        id: guild.id,
        name: guild.name,
        icon_url: guildIcon(guild, imageOrigin),
      })),
    },
  },
  {
    event: 'GUILD_DELETE',
    by: 'application',
    intents: GUILDS,
    from: {
      GUILD_DELETE: ({ guild }) =>
        guild === undefined
          ? undefined
          : { data: guild.what === 'unavailable' ? { id: guild.guildId, unavailable: true } : { id: guild.guildId } },
    },
  },
  {
    event: 'CHANNEL_CREATE',
    by: 'application',
    intents: GUILDS,
    from: {
      CHANNEL_CREATE: ({ d, guild }) =>
        guild === undefined ? undefined : { data: picked(d, ['id', 'name', 'type', 'guild_id', 'flags']) },
    },
  },
  { event: 'CHANNEL_UPDATE', by: 'application', intents: GUILDS, from: { CHANNEL_UPDATE: channelWhole } },
  { event: 'CHANNEL_DELETE', by: 'application', intents: GUILDS, from: { CHANNEL_DELETE: channelWhole } },
  { event: 'CURRENT_GUILD_MEMBER_UPDATE', by: 'user', intents: GUILDS, from: { GUILD_MEMBER_UPDATE: ownMember } },
  {
    event: 'GUILD_MEMBER_ADD',
    by: 'application',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_ADD: ({ d }) => ofGuild(d) },
  },
  {
    event: 'GUILD_MEMBER_UPDATE',
    by: 'application',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_UPDATE: ({ d }) => ofGuild(d) },
  },
  {
    event: 'GUILD_MEMBER_REMOVE',
    by: 'application',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_REMOVE: ({ d }) => ofGuild(d) },
  },
  {
    event: 'VOICE_CHANNEL_STATUS_UPDATE',
    by: 'application',
    intents: GUILDS,
    from: { VOICE_CHANNEL_STATUS_UPDATE: ({ d }) => ofGuild(d, { status: null, ...d }) },
  },
  {
    event: 'VOICE_CHANNEL_START_TIME_UPDATE',
    by: 'application',
    intents: GUILDS,
    from: { VOICE_CHANNEL_START_TIME_UPDATE: ({ d }) => ofGuild(d, { voice_start_time: null, ...d }) },
  },
]
