/** Endpoints about the user: who they are, their connections and guilds. */
import * as z from 'zod'
import { listedConnections } from '../answers/connections.ts'
import { withAllowedPremium } from '../answers/premium.ts'
import { LIMITS } from '../limits.ts'
import { Connection, User } from '../records/user.ts'
import { UserGuild } from '../records/guild.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getCurrentUser = defineEndpoint({
  name: 'GET_CURRENT_USER',
  summary:
    'The user the token stands for. The e-mail address comes only with the scope email, and premium_type is 0 without identify.premium.',
  method: 'GET',
  path: '/users/@me',
  params: {},
  response: User,
  auth: 'user-or-bot',
  requires: anyOf('identify'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  present: (user, { scopes }) => withAllowedPremium(user, scopes),
  provenance: 'api-description',
})

export const getCurrentUserConnections = defineEndpoint({
  name: 'GET_CURRENT_USER_CONNECTIONS',
  summary:
    'Accounts elsewhere that the user has connected. Those of two providers of game accounts are left out from the day each was dropped.',
  method: 'GET',
  path: '/users/@me/connections',
  params: {},
  response: z.array(Connection),
  auth: 'user',
  requires: anyOf('connections'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  present: (connections, { removedConnections, now }) => listedConnections(connections, removedConnections, now),
  provenance: 'documented',
})

export const getCurrentUserGuilds = defineEndpoint({
  name: 'GET_CURRENT_USER_GUILDS',
  summary: 'Guilds the user is in, by ascending id, a page at a time.',
  method: 'GET',
  path: '/users/@me/guilds',
  params: {},
  query: {
    before: Snowflake.optional(),
    after: Snowflake.optional(),
    limit: wholeNumber(1, LIMITS.guildsPage.value).optional(),
    with_counts: z.boolean().optional().meta({ description: 'Add approximate numbers of members and of those online.' }),
  },
  response: z.array(UserGuild),
  auth: 'user-or-bot',
  requires: anyOf('guilds'),
  idempotency: 'safe',
  platformErrors: [40001, 50025, 50026],
  provenance: 'documented',
})
