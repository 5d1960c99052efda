/** Endpoints for bans of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Ban } from '../records/member.ts'
import { Snowflake, tolerant, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, permissions: ['BAN_MEMBERS'], provenance: 'documented' } as const
const BAN = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/bans/{user_id}',
  params: () => ({ guild_id: Snowflake(), user_id: Snowflake() }),
} as const
const Seconds = once(() =>
  wholeNumber(0, LIMITS.banMessageSeconds.value)
    .nullish()
    .meta({ description: 'Also delete their messages of this many seconds. Default: 0.' }),
)

export const getGuildBans = defineEndpoint({
  ...BY_BOT,
  name: 'GET_GUILD_BANS',
  summary: 'Get a page of the bans of a guild, by ascending user id.',
  method: 'GET',
  path: '/guilds/{guild_id}/bans',
  params: () => ({ guild_id: Snowflake() }),
  query: () => ({
    limit: wholeNumber(1, LIMITS.membersPage.value).optional(),
    before: Snowflake().optional(),
    after: Snowflake().optional(),
  }),
  response: () => z.array(Ban()),
  idempotency: 'safe',
  platformErrors: [10004, 50001, 50013],
})

export const getGuildBan = defineEndpoint({
  ...BAN,
  name: 'GET_GUILD_BAN',
  summary: 'Get the ban of a user.',
  method: 'GET',
  response: Ban,
  idempotency: 'safe',
  platformErrors: [10004, 10026, 50001, 50013],
})

export const createGuildBan = defineEndpoint({
  ...BAN,
  name: 'CREATE_GUILD_BAN',
  summary: 'Ban a user from a guild; a member is removed.',
  method: 'PUT',
  body: () => ({ delete_message_seconds: Seconds() }),
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10013, 50001, 50013, 50035],
})

export const removeGuildBan = defineEndpoint({
  ...BAN,
  name: 'REMOVE_GUILD_BAN',
  summary: 'End the ban of a user.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10026, 50001, 50013],
})

export const bulkGuildBan = defineEndpoint({
  ...BY_BOT,
  name: 'BULK_GUILD_BAN',
  summary: `Ban up to ${LIMITS.bulkBan.value} users from a guild. The response names those who could not be banned.`,
  destructive: true,
  method: 'POST',
  path: '/guilds/{guild_id}/bulk-ban',
  params: () => ({ guild_id: Snowflake() }),
  body: () => ({ user_ids: z.array(Snowflake()).max(LIMITS.bulkBan.value), delete_message_seconds: Seconds() }),
  response: () => tolerant({ banned_users: z.array(Snowflake()), failed_users: z.array(Snowflake()) }),
  permissions: ['BAN_MEMBERS', 'MANAGE_GUILD'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 50001, 50013, 50035, 500000],
})
