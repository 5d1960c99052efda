/** Commands that send requests to the platform's gateway via the connection of the application's bot. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Member } from '../records/member.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const MOST = LIMITS.membersQuery.value

/** Returns a conflict between arguments. */
function problemOf({
  query,
  limit,
  user_ids,
}: {
  query?: string
  limit?: number
  user_ids?: readonly string[]
}): [string, string] | undefined {
  if ((query === undefined) === (user_ids === undefined)) return ['query', 'pass exactly one of query and user_ids']
  if (query === undefined && limit !== undefined) return ['limit', 'is only allowed with query']
  if (query !== undefined && query !== '' && limit === 0) return ['limit', 'can be 0 (all members) only with an empty query']
  return undefined
}

export const requestGuildMembers = defineCommand({
  name: 'REQUEST_GUILD_MEMBERS',
  summary:
    'Members of a guild of the bot: by name prefix, by id, or all (empty query, limit 0). All members require the privileged intent GUILD_MEMBERS and are limited to one request in 30 s per guild.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: () =>
    z
      .strictObject({
        guild_id: Snowflake(),
        query: z.string().max(LIMITS.nickname.value).optional(),
        limit: wholeNumber(0, MOST)
          .optional()
          .meta({ description: `0 with an empty query: all members. Default: 0 with an empty query, else ${MOST}.` }),
        presences: z.boolean().optional().meta({ description: 'Requires the privileged intent GUILD_PRESENCES.' }),
        user_ids: z.array(Snowflake()).min(1).max(MOST).optional(),
      })
      .check((context) => {
        const problem = problemOf(context.value as Parameters<typeof problemOf>[0])
        if (problem !== undefined) context.issues.push({ code: 'custom', path: [problem[0]], message: problem[1], input: context.value })
      }),
  data: () =>
    z.looseObject({
      guild_id: Snowflake(),
      members: z.array(Member().partial()),
      not_found: z.array(z.string()).meta({ description: 'Requested ids that are not members.' }),
      presences: z.array(z.unknown()).optional(),
    }),
  errors: ['INVALID_GUILD', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const requestChannelInfo = defineCommand({
  name: 'REQUEST_CHANNEL_INFO',
  summary: 'Status and voice start time of the voice channels in a guild of the bot.',
  handledBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: () =>
    z.strictObject({
      guild_id: Snowflake(),
      fields: z
        .array(z.enum(['status', 'voice_start_time']))
        .min(1)
        .optional()
        .meta({ description: 'Default: all.' }),
    }),
  data: () =>
    z.looseObject({
      guild_id: Snowflake(),
      channels: z.array(
        tolerant({
          id: Snowflake(),
          status: text(0, LIMITS.voiceChannelStatus.value).nullish(),
          voice_start_time: z.number().nullish().meta({ description: 'Seconds since the epoch.' }),
        }),
      ),
    }),
  errors: ['INVALID_GUILD', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
