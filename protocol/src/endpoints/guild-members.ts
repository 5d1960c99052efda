/** Endpoints with which a bot reads and manages the members of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Member } from '../records/member.ts'
import { IsoTime, Snowflake, text, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const MEMBERS = { ...BY_BOT, params: () => ({ guild_id: Snowflake() }), response: () => z.array(Member()), idempotency: 'safe' } as const
const MEMBER = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/members/{user_id}',
  params: () => ({ guild_id: Snowflake(), user_id: Snowflake() }),
} as const
const limit = once(() => wholeNumber(1, LIMITS.membersPage.value).optional().meta({ description: 'Default: 1.' }))

export const listGuildMembers = defineEndpoint({
  ...MEMBERS,
  name: 'LIST_GUILD_MEMBERS',
  summary: 'Get a page of the members of a guild, by ascending id. Requires the privileged intent GUILD_MEMBERS.',
  method: 'GET',
  path: '/guilds/{guild_id}/members',
  query: () => ({ limit: limit(), after: Snowflake().optional() }),
  platformErrors: [10004, 50001],
})

export const searchGuildMembers = defineEndpoint({
  ...MEMBERS,
  name: 'SEARCH_GUILD_MEMBERS',
  summary: 'Get the members of a guild whose user name or nickname starts with a text.',
  method: 'GET',
  path: '/guilds/{guild_id}/members/search',
  query: () => ({ query: text(1, LIMITS.memberSearch.value), limit: limit() }),
  platformErrors: [10004, 50001, 50035],
})

export const getGuildMember = defineEndpoint({
  ...MEMBER,
  name: 'GET_GUILD_MEMBER',
  summary: 'Get a member of a guild.',
  method: 'GET',
  response: Member,
  idempotency: 'safe',
  platformErrors: [10004, 10007, 50001],
})

export const modifyGuildMember = defineEndpoint({
  ...MEMBER,
  name: 'MODIFY_GUILD_MEMBER',
  summary:
    'Edit a member of a guild. Requires MANAGE_NICKNAMES for nick, MANAGE_ROLES for roles, MODERATE_MEMBERS for a timeout, MUTE_MEMBERS and DEAFEN_MEMBERS in voice.',
  method: 'PATCH',
  body: () => ({
    nick: text(0, LIMITS.nickname.value).nullish(),
    roles: z.array(Snowflake()).max(LIMITS.guildRoles.value).nullish(),
    communication_disabled_until: IsoTime().nullish().meta({ description: 'End of a timeout, at most 28 days from now; null ends it.' }),
    mute: z.boolean().nullish(),
    deaf: z.boolean().nullish(),
    channel_id: Snowflake()
      .nullish()
      .meta({ description: 'Voice channel to move the member to; null: out of voice. Requires MOVE_MEMBERS.' }),
  }),
  response: Member,
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10007, 10011, 50001, 50013, 50035],
})

export const removeGuildMember = defineEndpoint({
  ...MEMBER,
  name: 'REMOVE_GUILD_MEMBER',
  summary: 'Remove a member from a guild.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  permissions: ['KICK_MEMBERS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10007, 50001, 50013],
})

const ROLE = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/members/{user_id}/roles/{role_id}',
  params: () => ({ guild_id: Snowflake(), user_id: Snowflake(), role_id: Snowflake() }),
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_ROLES'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10007, 10011, 50001, 50013],
} as const

export const addGuildMemberRole = defineEndpoint({
  ...ROLE,
  name: 'ADD_GUILD_MEMBER_ROLE',
  summary: 'Give a role to a member.',
  method: 'PUT',
})

export const removeGuildMemberRole = defineEndpoint({
  ...ROLE,
  name: 'REMOVE_GUILD_MEMBER_ROLE',
  summary: 'Take a role from a member.',
  method: 'DELETE',
})
