/** Commands that ask the platform's gateway, by the connection of the application's bot. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Member } from '../records/member.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const MOST = LIMITS.membersQuery.value

/** What is wrong between arguments that are each right by themselves. */
function problemOf({
  query,
  limit,
  user_ids,
}: {
  query?: string
  limit?: number
  user_ids?: readonly string[]
}): [string, string] | undefined {
  if ((query === undefined) === (user_ids === undefined)) return ['query', 'give exactly one of query and user_ids']
  if (query === undefined && limit !== undefined) return ['limit', 'goes with query only']
  if (query !== undefined && query !== '' && limit === 0)
    return ['limit', 'only an empty query may have the limit 0, which means everybody']
  return undefined
}

export const requestGuildMembers = defineCommand({
  name: 'REQUEST_GUILD_MEMBERS',
  summary:
    'Members of a guild of the bot: by the beginning of their name, by id, or (query empty, limit 0) everybody. Everybody needs the privileged intent GUILD_MEMBERS and may be asked for once in 30 s for each guild.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: z
    .strictObject({
      guild_id: Snowflake,
      query: z.string().max(LIMITS.nickname.value).optional(),
      limit: wholeNumber(0, MOST)
        .optional()
        .meta({ description: `0 with an empty query: everybody. Absent: 0 with an empty query, else ${MOST}.` }),
      presences: z.boolean().optional().meta({ description: 'Needs the privileged intent GUILD_PRESENCES.' }),
      user_ids: z.array(Snowflake).min(1).max(MOST).optional(),
    })
    .check((context) => {
      const problem = problemOf(context.value as Parameters<typeof problemOf>[0])
      if (problem !== undefined) context.issues.push({ code: 'custom', path: [problem[0]], message: problem[1], input: context.value })
    }),
  data: z.looseObject({
    guild_id: Snowflake,
    members: z.array(Member.partial()),
    not_found: z.array(z.string()).meta({ description: 'Ids asked for that are no members.' }),
    presences: z.array(z.unknown()).optional(),
  }),
  errors: ['INVALID_GUILD', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const requestChannelInfo = defineCommand({
  name: 'REQUEST_CHANNEL_INFO',
  summary: 'What passes in the voice channels of a guild of the bot: their status, and when voice began there.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.authenticated'),
  args: z.strictObject({
    guild_id: Snowflake,
    fields: z
      .array(z.enum(['status', 'voice_start_time']))
      .min(1)
      .optional()
      .meta({ description: 'Absent: all.' }),
  }),
  data: z.looseObject({
    guild_id: Snowflake,
    channels: z.array(
      tolerant({
        id: Snowflake,
        status: text(0, LIMITS.voiceChannelStatus.value).nullish(),
        voice_start_time: z.number().nullish().meta({ description: 'Seconds since the epoch.' }),
      }),
    ),
  }),
  errors: ['INVALID_GUILD', 'RATE_LIMITED'],
  provenance: 'sallyport',
})
