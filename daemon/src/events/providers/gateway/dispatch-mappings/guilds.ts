/** Mappings for guilds, their members and channels. The status of a guild is separate, because it is also published at the subscription. */
import { GATEWAY_INTENTS } from '@sallyport/protocol'
import type { CachedGuild } from '../cache/guild-cache.ts'
import { guildIcon } from '../../../guild-icon.ts'
import { type Fields, idOf, picked } from '@sallyport/core/json-read'
import type { DispatchContext, MappedEvent, DispatchMapping } from './dispatch-mapping.ts'

const { GUILDS, GUILD_MEMBERS } = GATEWAY_INTENTS

type NamedGuild = CachedGuild & { readonly name: string }

/** Maps a dispatch that changed a cached guild in this way. */
const guildWhen =
  (kind: 'joined' | 'changed', dataOf: (guild: NamedGuild, imageOrigin: string) => object) =>
  ({ guild: change, guilds, imageOrigin }: DispatchContext): MappedEvent | undefined => {
    if (change?.kind !== kind) return undefined
    const guild = guilds.guild(change.guildId)
    return guild?.name === undefined ? undefined : { data: dataOf({ ...guild, name: guild.name }, imageOrigin) }
  }

/** Maps a dispatch to the subscriptions to its guild. */
const ofGuild = (d: Fields, data: object = d): MappedEvent | undefined => {
  const guildId = idOf(d['guild_id'])
  return guildId === undefined ? undefined : { args: { guild_id: guildId }, data }
}

const channelWhole = ({ d, guild }: DispatchContext): MappedEvent | undefined =>
  guild === undefined || guild.kind === 'unchanged' ? undefined : { data: d }

const MEMBER_FIELDS = ['nick', 'avatar', 'avatar_decoration_data', 'banner', 'bio', 'pronouns']

/** Maps the user's own membership, which the platform sends without the intent for members. */
function ownMember({ d, identity }: DispatchContext): MappedEvent | undefined {
  const user = d['user'] as { readonly id?: unknown } | undefined
  const guildId = idOf(d['guild_id'])
  if (identity.kind !== 'user' || guildId === undefined || user?.id !== identity.userId) return undefined
  return { args: { guild_id: guildId }, data: { user_id: identity.userId, guild_id: guildId, ...picked(d, MEMBER_FIELDS) } }
}

export const GUILD_MAPPINGS: readonly DispatchMapping[] = [
  {
    event: 'GUILD_CREATE',
    intents: GUILDS,
    from: { GUILD_CREATE: guildWhen('joined', ({ id, name }) => ({ id, name })) },
  },
  {
    event: 'GUILD_UPDATE',
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
    intents: GUILDS,
    from: {
      GUILD_DELETE: ({ guild }) =>
        guild === undefined
          ? undefined
          : { data: guild.kind === 'unavailable' ? { id: guild.guildId, unavailable: true } : { id: guild.guildId } },
    },
  },
  {
    event: 'CHANNEL_CREATE',
    intents: GUILDS,
    from: {
      CHANNEL_CREATE: ({ d, guild }) =>
        guild === undefined ? undefined : { data: picked(d, ['id', 'name', 'type', 'guild_id', 'flags']) },
    },
  },
  { event: 'CHANNEL_UPDATE', intents: GUILDS, from: { CHANNEL_UPDATE: channelWhole } },
  { event: 'CHANNEL_DELETE', intents: GUILDS, from: { CHANNEL_DELETE: channelWhole } },
  { event: 'CURRENT_GUILD_MEMBER_UPDATE', intents: GUILDS, from: { GUILD_MEMBER_UPDATE: ownMember } },
  {
    event: 'GUILD_MEMBER_ADD',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_ADD: ({ d }) => ofGuild(d) },
  },
  {
    event: 'GUILD_MEMBER_UPDATE',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_UPDATE: ({ d }) => ofGuild(d) },
  },
  {
    event: 'GUILD_MEMBER_REMOVE',
    intents: GUILDS | GUILD_MEMBERS,
    from: { GUILD_MEMBER_REMOVE: ({ d }) => ofGuild(d) },
  },
  {
    event: 'VOICE_CHANNEL_STATUS_UPDATE',
    intents: GUILDS,
    from: { VOICE_CHANNEL_STATUS_UPDATE: ({ d }) => ofGuild(d, { status: null, ...d }) },
  },
  {
    event: 'VOICE_CHANNEL_START_TIME_UPDATE',
    intents: GUILDS,
    from: { VOICE_CHANNEL_START_TIME_UPDATE: ({ d }) => ofGuild(d, { voice_start_time: null, ...d }) },
  },
]
