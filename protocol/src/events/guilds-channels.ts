/** Events about guilds, their members and channels. */
import * as z from 'zod'
import { Channel, PartialChannel } from '../records/channel.ts'
import { PartialGuild } from '../records/guild.ts'
import { Member } from '../records/member.ts'
import { User } from '../records/user.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { allOf, anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const guildStatus = defineEvent({
  name: 'GUILD_STATUS',
  summary:
    'How a guild stands: once when it is subscribed, then whenever its name, its icon or the number of those online changed. Read with the scope guilds; online is approximate, deprecated, and 0 where the platform does not tell it.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: z.strictObject({ guild_id: Snowflake }),
  data: z.looseObject({ guild: PartialGuild, online: z.number().int().optional() }),
  provenance: 'documented',
})

export const guildCreate = defineEvent({
  name: 'GUILD_CREATE',
  summary: 'The user joined or created a guild.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: z.looseObject({ id: Snowflake, name: z.string() }),
  provenance: 'documented',
})

export const channelCreate = defineEvent({
  name: 'CHANNEL_CREATE',
  summary: 'A channel appeared.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: PartialChannel,
  provenance: 'documented',
})

export const guildUpdate = defineEvent({
  name: 'GUILD_UPDATE',
  summary: 'A guild of the user has another name or icon.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: PartialGuild,
  provenance: 'sallyport',
})

export const guildDelete = defineEvent({
  name: 'GUILD_DELETE',
  summary: 'The user left a guild, or it is gone; with unavailable it is only out of reach for now.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: z.looseObject({ id: Snowflake, unavailable: z.boolean().optional() }),
  provenance: 'sallyport',
})

export const channelUpdate = defineEvent({
  name: 'CHANNEL_UPDATE',
  summary: 'A channel changed; one that became hidden or visible too.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: Channel,
  provenance: 'sallyport',
})

export const channelDelete = defineEvent({
  name: 'CHANNEL_DELETE',
  summary: 'A channel is gone.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: noArguments,
  data: Channel,
  provenance: 'sallyport',
})

/** Members of a guild are known to the bot of an application; sessions that are signed in to it share in that. */
const MEMBERS = allOf('rpc', 'rpc.authenticated')

export const guildMemberAdd = defineEvent({
  name: 'GUILD_MEMBER_ADD',
  summary: 'Somebody joined the guild.',
  delivery: 'subscription',
  requires: MEMBERS,
  args: z.strictObject({ guild_id: Snowflake }),
  data: Member.extend({ guild_id: Snowflake }),
  provenance: 'sallyport',
})

export const guildMemberUpdate = defineEvent({
  name: 'GUILD_MEMBER_UPDATE',
  summary: 'A member of the guild changed.',
  delivery: 'subscription',
  requires: MEMBERS,
  args: z.strictObject({ guild_id: Snowflake }),
  data: Member.partial().extend({ guild_id: Snowflake, user: User }),
  provenance: 'sallyport',
})

export const guildMemberRemove = defineEvent({
  name: 'GUILD_MEMBER_REMOVE',
  summary: 'Somebody left the guild.',
  delivery: 'subscription',
  requires: MEMBERS,
  args: z.strictObject({ guild_id: Snowflake }),
  data: z.looseObject({ guild_id: Snowflake, user: User }),
  provenance: 'sallyport',
})

export const voiceChannelStatusUpdate = defineEvent({
  name: 'VOICE_CHANNEL_STATUS_UPDATE',
  summary: 'The status of a voice channel of the guild changed; null: it has none.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: z.strictObject({ guild_id: Snowflake }),
  data: z.looseObject({ guild_id: Snowflake, id: Snowflake, status: z.string().nullable() }),
  provenance: 'sallyport',
})

export const voiceChannelStartTimeUpdate = defineEvent({
  name: 'VOICE_CHANNEL_START_TIME_UPDATE',
  summary: 'Voice began in a channel of the guild, or ended (null). In seconds since the epoch.',
  delivery: 'subscription',
  requires: anyOf('rpc'),
  args: z.strictObject({ guild_id: Snowflake }),
  data: z.looseObject({ guild_id: Snowflake, id: Snowflake, voice_start_time: z.number().nullish() }),
  provenance: 'sallyport',
})
