/** Events about roles, bans and invites of guilds. */
import * as z from 'zod'
import { Role } from '../records/role.ts'
import { User } from '../records/user.ts'
import { once } from '../once.ts'
import { IsoTime, Snowflake } from '../schema/index.ts'
import { defineEvent, READS_GUILDS, READS_MEMBERS } from './define.ts'

const OF_GUILD = {
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  provenance: 'sallyport',
} as const

const role = once(() => z.looseObject({ guild_id: Snowflake(), role: Role() }))
const ban = once(() => z.looseObject({ guild_id: Snowflake(), user: User() }))

export const guildRoleCreate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_ROLE_CREATE',
  summary: 'A role was created in the guild.',
  data: role,
})

export const guildRoleUpdate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_ROLE_UPDATE',
  summary: 'A role of the guild changed.',
  data: role,
})

export const guildRoleDelete = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_ROLE_DELETE',
  summary: 'A role of the guild was deleted.',
  data: () => z.looseObject({ guild_id: Snowflake(), role_id: Snowflake() }),
})

export const guildBanAdd = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_BAN_ADD',
  summary: 'A user was banned from the guild. Requires BAN_MEMBERS of the bot.',
  requires: READS_MEMBERS,
  data: ban,
})

export const guildBanRemove = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_BAN_REMOVE',
  summary: 'The ban of a user from the guild was lifted. Requires BAN_MEMBERS of the bot.',
  requires: READS_MEMBERS,
  data: ban,
})

export const inviteCreate = defineEvent({
  ...OF_GUILD,
  name: 'INVITE_CREATE',
  summary: 'An invite to a channel of the guild was created. Requires MANAGE_CHANNELS of the bot.',
  requires: READS_MEMBERS,
  data: () =>
    z.looseObject({
      guild_id: Snowflake(),
      channel_id: Snowflake(),
      code: z.string(),
      created_at: IsoTime(),
      max_age: z.number().int(),
      max_uses: z.number().int(),
      inviter: User().optional(),
    }),
})

export const inviteDelete = defineEvent({
  ...OF_GUILD,
  name: 'INVITE_DELETE',
  summary: 'An invite to a channel of the guild was deleted. Requires MANAGE_CHANNELS of the bot.',
  requires: READS_MEMBERS,
  data: () => z.looseObject({ guild_id: Snowflake(), channel_id: Snowflake(), code: z.string() }),
})
