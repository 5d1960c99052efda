/** Endpoints for roles of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Role } from '../records/role.ts'
import { BitFieldText, Snowflake, text, wholeNumber } from '../schema/index.ts'
import { imageData } from '../schema/data-uri.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getGuildRole = defineEndpoint({
  name: 'GET_GUILD_ROLE',
  summary: 'Get a role of a guild.',
  method: 'GET',
  path: '/guilds/{guild_id}/roles/{role_id}',
  params: () => ({ guild_id: Snowflake(), role_id: Snowflake() }),
  response: Role,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 10011, 50001],
  provenance: 'documented',
})

export const getGuildRoleMemberCounts = defineEndpoint({
  name: 'GET_GUILD_ROLE_MEMBER_COUNTS',
  summary: 'Get the number of members per role of a guild, by role id; without the @everyone role.',
  method: 'GET',
  path: '/guilds/{guild_id}/roles/member-counts',
  params: () => ({ guild_id: Snowflake() }),
  response: () => z.record(z.string(), z.number().int()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})

const MANAGED = {
  params: () => ({ guild_id: Snowflake() }),
  auth: 'bot',
  requires: NO_SCOPE,
  permissions: ['MANAGE_ROLES'],
  audited: true,
  provenance: 'documented',
} as const
const ONE = {
  ...MANAGED,
  path: '/guilds/{guild_id}/roles/{role_id}',
  params: () => ({ guild_id: Snowflake(), role_id: Snowflake() }),
} as const
const Color = once(() => wholeNumber(0, 0xff_ff_ff))
const ROLE_BODY = once(() => ({
  name: text(1, LIMITS.roleName.value).nullish(),
  permissions: BitFieldText().nullish(),
  colors: z
    .strictObject({ primary_color: Color(), secondary_color: Color().nullish(), tertiary_color: Color().nullish() })
    .nullish()
    .meta({ description: 'Gradients require the guild feature ENHANCED_ROLE_COLORS.' }),
  color: Color().nullish().meta({ description: 'Deprecated; use colors, which wins.' }),
  icon: imageData(LIMITS.imageBytes).nullish().meta({ description: 'Requires the guild feature ROLE_ICONS.' }),
  unicode_emoji: text(1, LIMITS.emojiName.value).nullish().meta({ description: 'As the icon. Requires the guild feature ROLE_ICONS.' }),
  hoist: z.boolean().nullish().meta({ description: 'Show its members separately.' }),
  mentionable: z.boolean().nullish(),
}))

export const getGuildRoles = defineEndpoint({
  name: 'GET_GUILD_ROLES',
  summary: 'Get the roles of a guild.',
  method: 'GET',
  path: '/guilds/{guild_id}/roles',
  params: () => ({ guild_id: Snowflake() }),
  response: () => z.array(Role()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})

export const createGuildRole = defineEndpoint({
  ...MANAGED,
  name: 'CREATE_GUILD_ROLE',
  summary: 'Create a role above @everyone.',
  method: 'POST',
  path: '/guilds/{guild_id}/roles',
  body: ROLE_BODY,
  response: Role,
  idempotency: 'none',
  platformErrors: [10004, 30005, 50001, 50013, 50035],
})

export const modifyGuildRolePositions = defineEndpoint({
  ...MANAGED,
  name: 'MODIFY_GUILD_ROLE_POSITIONS',
  summary: 'Move roles of a guild.',
  method: 'PATCH',
  path: '/guilds/{guild_id}/roles',
  body: () => ({
    roles: z
      .array(z.strictObject({ id: Snowflake(), position: wholeNumber(0, LIMITS.guildRoles.value).nullish() }))
      .max(LIMITS.guildRoles.value),
  }),
  bodyArgument: 'roles',
  response: () => z.array(Role()),
  idempotency: 'natural',
  platformErrors: [10004, 10011, 50001, 50013, 50035],
})

export const modifyGuildRole = defineEndpoint({
  ...ONE,
  name: 'MODIFY_GUILD_ROLE',
  summary: 'Edit a role; absent fields stay unchanged.',
  method: 'PATCH',
  body: ROLE_BODY,
  response: Role,
  idempotency: 'natural',
  platformErrors: [10004, 10011, 50001, 50013, 50035],
})

export const deleteGuildRole = defineEndpoint({
  ...ONE,
  name: 'DELETE_GUILD_ROLE',
  summary: 'Delete a role.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10004, 10011, 50001, 50013],
})
