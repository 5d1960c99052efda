/** Endpoints for scheduled events of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import {
  eventPlaceProblems,
  SCHEDULED_EVENT_BODY,
  SCHEDULED_EVENT_CHANGES,
  ScheduledEvent,
  ScheduledEventException,
  ScheduledEventUser,
} from '../records/scheduled-event.ts'
import { IsoTime, Snowflake, tolerant, wholeNumber } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

const BY_BOT = { auth: 'bot', requires: NO_SCOPE, provenance: 'documented' } as const
const EVENTS = { ...BY_BOT, path: '/guilds/{guild_id}/scheduled-events', params: () => ({ guild_id: Snowflake() }) } as const
const EVENT_PARAMS = once(() => ({ guild_id: Snowflake(), guild_scheduled_event_id: Snowflake() }))
const EVENT = { ...BY_BOT, path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}', params: EVENT_PARAMS } as const
const WITH_COUNT = once(() => ({
  with_user_count: z.boolean().optional().meta({ description: 'Include the number of interested users.' }),
}))

export const listScheduledEventsForGuild = defineEndpoint({
  ...EVENTS,
  name: 'LIST_SCHEDULED_EVENTS_FOR_GUILD',
  summary: 'Get the scheduled events of a guild in channels that the bot can view, and elsewhere.',
  method: 'GET',
  query: WITH_COUNT,
  response: () => z.array(ScheduledEvent()),
  idempotency: 'safe',
  platformErrors: [10004, 50001],
})

export const createGuildScheduledEvent = defineEndpoint({
  ...EVENTS,
  name: 'CREATE_GUILD_SCHEDULED_EVENT',
  summary: `Create a scheduled event. A guild has at most ${LIMITS.guildEvents.value} that are scheduled or active.`,
  method: 'POST',
  body: SCHEDULED_EVENT_BODY,
  rules: eventPlaceProblems,
  response: ScheduledEvent,
  permissions: ['CREATE_EVENTS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10003, 10004, 30038, 50001, 50013, 50035],
})

export const getGuildScheduledEvent = defineEndpoint({
  ...EVENT,
  name: 'GET_GUILD_SCHEDULED_EVENT',
  summary: 'Get a scheduled event of a guild.',
  method: 'GET',
  query: WITH_COUNT,
  response: ScheduledEvent,
  idempotency: 'safe',
  platformErrors: [10004, 10070, 50001],
})

export const modifyGuildScheduledEvent = defineEndpoint({
  ...EVENT,
  name: 'MODIFY_GUILD_SCHEDULED_EVENT',
  summary: 'Edit, start (status 2), end (3) or cancel (4) a scheduled event. For its own events, the bot needs only CREATE_EVENTS.',
  method: 'PATCH',
  body: SCHEDULED_EVENT_CHANGES,
  rules: eventPlaceProblems,
  response: ScheduledEvent,
  permissions: ['MANAGE_EVENTS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10003, 10004, 10070, 50001, 50013, 50035, 180000],
})

export const deleteGuildScheduledEvent = defineEndpoint({
  ...EVENT,
  name: 'DELETE_GUILD_SCHEDULED_EVENT',
  summary: 'Delete a scheduled event. For its own events, the bot needs only CREATE_EVENTS.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  permissions: ['MANAGE_EVENTS'],
  idempotency: 'natural',
  audited: true,
  platformErrors: [10004, 10070, 50001, 50013],
})

const EXCEPTION_CHANGES = once(() => ({
  scheduled_start_time: IsoTime().nullish(),
  scheduled_end_time: IsoTime().nullish(),
  is_canceled: z.boolean().nullish(),
}))
const EXCEPTION = {
  ...BY_BOT,
  path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/exceptions/{exception_id}',
  params: () => ({ ...EVENT_PARAMS(), exception_id: Snowflake() }),
  permissions: ['MANAGE_EVENTS'],
  audited: true,
} as const

export const createGuildScheduledEventException = defineEndpoint({
  ...BY_BOT,
  name: 'CREATE_GUILD_SCHEDULED_EVENT_EXCEPTION',
  summary: 'Move or cancel one occurrence of a recurring event.',
  method: 'POST',
  path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/exceptions',
  params: EVENT_PARAMS,
  body: () => ({ original_scheduled_start_time: IsoTime().meta({ description: 'Start of the occurrence.' }), ...EXCEPTION_CHANGES() }),
  response: ScheduledEventException,
  permissions: ['MANAGE_EVENTS'],
  idempotency: 'none',
  audited: true,
  platformErrors: [10004, 10070, 50001, 50013, 50035],
})

export const modifyGuildScheduledEventException = defineEndpoint({
  ...EXCEPTION,
  name: 'MODIFY_GUILD_SCHEDULED_EVENT_EXCEPTION',
  summary: 'Edit the exception of one occurrence of a recurring event.',
  method: 'PATCH',
  body: EXCEPTION_CHANGES,
  response: ScheduledEventException,
  idempotency: 'natural',
  platformErrors: [10004, 10070, 50001, 50013, 50035],
})

export const deleteGuildScheduledEventException = defineEndpoint({
  ...EXCEPTION,
  name: 'DELETE_GUILD_SCHEDULED_EVENT_EXCEPTION',
  summary: 'Delete an exception, so that the occurrence takes place as scheduled.',
  method: 'DELETE',
  response: () => z.null(),
  success: [204],
  idempotency: 'natural',
  platformErrors: [10004, 10070, 50001, 50013],
})

const USERS_PAGE = once(() => ({
  with_member: z.boolean().optional().meta({ description: 'Include the members.' }),
  limit: wholeNumber(1, LIMITS.eventUsersPage.value).optional().meta({ description: 'Default: 100.' }),
  before: Snowflake().optional(),
  after: Snowflake().optional(),
}))

export const getGuildScheduledEventUsers = defineEndpoint({
  ...EVENT,
  name: 'GET_GUILD_SCHEDULED_EVENT_USERS',
  summary: 'Get a page of the users who are interested in a scheduled event, by ascending id.',
  method: 'GET',
  path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/users',
  query: USERS_PAGE,
  response: () => z.array(ScheduledEventUser()),
  idempotency: 'safe',
  platformErrors: [10004, 10070, 50001],
})

export const getGuildScheduledEventUserCounts = defineEndpoint({
  ...EVENT,
  name: 'GET_GUILD_SCHEDULED_EVENT_USER_COUNTS',
  summary: 'Get the number of interested users of a scheduled event, and of exceptions by id.',
  method: 'GET',
  path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/users/counts',
  query: () => ({ guild_scheduled_event_exception_ids: z.array(Snowflake()).max(LIMITS.eventExceptionIds.value).optional() }),
  response: () =>
    tolerant({
      guild_scheduled_event_count: z.number().int(),
      guild_scheduled_event_exception_counts: z.record(z.string(), z.number().int()),
    }),
  idempotency: 'safe',
  platformErrors: [10004, 10070, 50001],
})

export const getGuildScheduledEventExceptionUsers = defineEndpoint({
  ...BY_BOT,
  name: 'GET_GUILD_SCHEDULED_EVENT_EXCEPTION_USERS',
  summary: 'Get a page of the users who are interested in one occurrence of a recurring event, by ascending id.',
  method: 'GET',
  path: '/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}/{guild_scheduled_event_exception_id}/users',
  params: () => ({ ...EVENT_PARAMS(), guild_scheduled_event_exception_id: Snowflake() }),
  query: USERS_PAGE,
  response: () => z.array(ScheduledEventUser()),
  idempotency: 'safe',
  platformErrors: [10004, 10070, 50001],
})
