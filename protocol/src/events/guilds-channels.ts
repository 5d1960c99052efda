/** Events about guilds, their members and channels. */
import * as z from 'zod'
import { Channel, PartialChannel } from '../records/channel.ts'
import { PartialGuild } from '../records/guild.ts'
import { Member } from '../records/member.ts'
import { User } from '../records/user.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent, READS_GUILDS, READS_MEMBERS } from './define.ts'

/** The desktop client knows only `rpc` for these events. */
const CLIENT = anyOf('rpc')

export const guildStatus = defineEvent({
  name: 'GUILD_STATUS',
  summary:
    'Status of a guild: once after SUBSCRIBE, then after each change of name, icon or online count. Without the desktop client of the platform it requires the scope guilds. online is deprecated and approximate; it is 0 if the platform does not return it.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  clientRequires: CLIENT,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => z.looseObject({ guild: PartialGuild(), online: z.number().int().optional() }),
  retained: ['guild_id'],
  provenance: 'documented',
})

export const guildCreate = defineEvent({
  name: 'GUILD_CREATE',
  summary: 'The user joined or created a guild.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  clientRequires: CLIENT,
  args: noArguments,
  data: () => z.looseObject({ id: Snowflake(), name: z.string() }),
  provenance: 'documented',
})

export const channelCreate = defineEvent({
  name: 'CHANNEL_CREATE',
  summary: 'A channel was created.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  clientRequires: CLIENT,
  args: noArguments,
  data: PartialChannel,
  provenance: 'documented',
})

export const guildUpdate = defineEvent({
  name: 'GUILD_UPDATE',
  summary: 'The name or icon of a guild of the user changed.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: noArguments,
  data: PartialGuild,
  provenance: 'sallyport',
})

export const guildDelete = defineEvent({
  name: 'GUILD_DELETE',
  summary: 'The user left a guild, or it was deleted. With unavailable, it is only unavailable for now.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: noArguments,
  data: () => z.looseObject({ id: Snowflake(), unavailable: z.boolean().optional() }),
  provenance: 'sallyport',
})

export const channelUpdate = defineEvent({
  name: 'CHANNEL_UPDATE',
  summary: 'A channel changed, or became hidden or visible.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: noArguments,
  data: Channel,
  provenance: 'sallyport',
})

export const channelDelete = defineEvent({
  name: 'CHANNEL_DELETE',
  summary: 'A channel was deleted.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: noArguments,
  data: Channel,
  provenance: 'sallyport',
})

export const guildMemberAdd = defineEvent({
  name: 'GUILD_MEMBER_ADD',
  summary: 'A user joined the guild.',
  delivery: 'subscription',
  requires: READS_MEMBERS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => Member().extend({ guild_id: Snowflake() }),
  provenance: 'sallyport',
})

export const guildMemberUpdate = defineEvent({
  name: 'GUILD_MEMBER_UPDATE',
  summary: 'A member of the guild changed.',
  delivery: 'subscription',
  requires: READS_MEMBERS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => Member().partial().extend({ guild_id: Snowflake(), user: User() }),
  provenance: 'sallyport',
})

export const guildMemberRemove = defineEvent({
  name: 'GUILD_MEMBER_REMOVE',
  summary: 'A user left the guild.',
  delivery: 'subscription',
  requires: READS_MEMBERS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => z.looseObject({ guild_id: Snowflake(), user: User() }),
  provenance: 'sallyport',
})

export const voiceChannelStatusUpdate = defineEvent({
  name: 'VOICE_CHANNEL_STATUS_UPDATE',
  summary: 'The status of a voice channel of the guild changed; null if it was cleared.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => z.looseObject({ guild_id: Snowflake(), id: Snowflake(), status: z.string().nullable() }),
  provenance: 'sallyport',
})

export const voiceChannelStartTimeUpdate = defineEvent({
  name: 'VOICE_CHANNEL_START_TIME_UPDATE',
  summary: 'Voice started or ended (null) in a channel of the guild. In seconds since the epoch.',
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  data: () => z.looseObject({ guild_id: Snowflake(), id: Snowflake(), voice_start_time: z.number().nullish() }),
  provenance: 'sallyport',
})
