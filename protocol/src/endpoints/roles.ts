/** Endpoints for roles of a guild. */
import * as z from 'zod'
import { Role } from '../records/role.ts'
import { Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getGuildRole = defineEndpoint({
  name: 'GET_GUILD_ROLE',
  summary: 'Get a role of a guild.',
  method: 'GET',
  path: '/guilds/{guild_id}/roles/{role_id}',
  params: { guild_id: Snowflake, role_id: Snowflake },
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
  params: { guild_id: Snowflake },
  response: z.record(z.string(), z.number().int()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})
