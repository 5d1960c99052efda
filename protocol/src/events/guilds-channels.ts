/** Events about guilds and channels. */
import * as z from 'zod'
import { PartialChannel } from '../records/channel.ts'
import { PartialGuild } from '../records/guild.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
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
