/** Endpoints for the user: profile, connections and guilds. */
import * as z from 'zod'
import { listedConnections } from '../responses/connections.ts'
import { withAllowedPremium } from '../responses/premium.ts'
import { LIMITS } from '../limits.ts'
import { ApplicationIdentity, Connection, User } from '../records/user.ts'
import { UserGuild } from '../records/guild.ts'
import { Member } from '../records/member.ts'
import { Snowflake, tolerant, wholeNumber } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getCurrentUser = defineEndpoint({
  name: 'GET_CURRENT_USER',
  summary: 'Get the user of the token. The e-mail address requires the scope email; premium_type is 0 without identify.premium.',
  method: 'GET',
  path: '/users/@me',
  params: () => ({}),
  response: User,
  auth: 'user-or-bot',
  botFor: { isOnRequest: true },
  requires: anyOf('identify'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  shapeResponse: (user, { scopes }) => withAllowedPremium(user, scopes),
  provenance: 'api-description',
})

export const getCurrentUserConnections = defineEndpoint({
  name: 'GET_CURRENT_USER_CONNECTIONS',
  summary:
    'Get the connected accounts of the user. Accounts of two removed game account providers are omitted, each from its removal date.',
  method: 'GET',
  path: '/users/@me/connections',
  params: () => ({}),
  response: () => z.array(Connection()),
  auth: 'user',
  requires: anyOf('connections'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  shapeResponse: (connections, { removedConnections, now }) => listedConnections(connections, removedConnections, now),
  provenance: 'documented',
})

export const getCurrentUserGuilds = defineEndpoint({
  name: 'GET_CURRENT_USER_GUILDS',
  summary: 'Get a page of the guilds of the user, by ascending id.',
  method: 'GET',
  path: '/users/@me/guilds',
  params: () => ({}),
  query: () => ({
    before: Snowflake().optional(),
    after: Snowflake().optional(),
    limit: wholeNumber(1, LIMITS.guildsPage.value).optional(),
    with_counts: z.boolean().optional().meta({ description: 'Include approximate member and online counts.' }),
  }),
  response: () => z.array(UserGuild()),
  auth: 'user-or-bot',
  botFor: { isOnRequest: true },
  requires: anyOf('guilds'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  provenance: 'documented',
})

export const getCurrentUserGuildMember = defineEndpoint({
  name: 'GET_CURRENT_USER_GUILD_MEMBER',
  summary: 'Get the membership of the user in a guild: nickname, roles and times.',
  method: 'GET',
  path: '/users/@me/guilds/{guild_id}/member',
  params: () => ({ guild_id: Snowflake() }),
  response: Member,
  auth: 'user',
  requires: anyOf('guilds.members.read'),
  idempotency: 'safe',
  platformErrors: [10004, 50001],
  provenance: 'documented',
})

/** The local protocol has its own GET_USER, which the desktop client handles. */
export const getUserByBot = defineEndpoint({
  name: 'GET_USER_BY_BOT',
  summary: 'Get a user by id.',
  method: 'GET',
  path: '/users/{user_id}',
  params: () => ({ user_id: Snowflake() }),
  response: User,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10013],
  provenance: 'documented',
})

/** Its scope for tokens of users is unknown, so the platform judges it. */
export const getUserApplicationIdentities = defineEndpoint({
  name: 'GET_USER_APPLICATION_IDENTITIES',
  summary: 'Get the identities of a user in games, with their game profiles on request.',
  method: 'GET',
  path: '/users/{user_id}/application-identities',
  params: () => ({ user_id: Snowflake() }),
  query: () => ({ with_profiles: z.boolean().optional().meta({ description: 'Include the game profiles.' }) }),
  response: () => tolerant({ identities: z.array(ApplicationIdentity()) }),
  auth: 'user',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10013],
  provenance: 'observed',
})
