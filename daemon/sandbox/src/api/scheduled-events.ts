/** Scheduled events of guilds: status, place, exceptions of recurring events, and interested users. */
import { EVENT_PLACES, EVENT_STATUS, eventPlaceProblems, LIMITS, type ScheduledEvent, type ScheduledEventUser } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredScheduledEvent } from '../store/guild-item-records.ts'
import { guildFor } from './access.ts'
import { mayIn } from './channel-access.ts'
import { exceptionView } from './event-exceptions.ts'
import { invalidBody } from './form-errors.ts'
import { GuildItems } from './guild-items.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { imageHash } from './images.ts'
import { memberView } from './members.ts'
import { pageOf } from './pages.ts'
import { personView } from './user-view.ts'

const isOpen = ({ status }: Pick<StoredScheduledEvent, 'status'>): boolean =>
  status === EVENT_STATUS.scheduled || status === EVENT_STATUS.active

export const scheduledEvents = new GuildItems<StoredScheduledEvent>({
  collection: (store) => store.scheduledEvents,
  unknown: 'unknownScheduledEvent',
  createPermission: 'CREATE_EVENTS',
  managePermission: 'MANAGE_EVENTS',
  checkRoom(others) {
    if (others.filter(isOpen).length >= LIMITS.guildEvents.value) throw new PlatformError('tooManyScheduledEvents')
  },
  audit: 'GUILD_SCHEDULED_EVENT',
})

export function eventView(operation: Operation, one: StoredScheduledEvent, withCount = false): ScheduledEvent {
  const creator = personView(operation.platform, operation.caller.applicationId, one.creatorId)
  return {
    id: one.id,
    guild_id: one.guildId,
    channel_id: one.channelId,
    creator_id: one.creatorId,
    ...(creator === undefined ? {} : { creator }),
    name: one.name,
    description: one.description,
    image: one.image,
    scheduled_start_time: one.startTime,
    scheduled_end_time: one.endTime,
    privacy_level: 2,
    status: one.status,
    entity_type: one.placeType,
    entity_id: null,
    entity_metadata: one.location === null ? null : { location: one.location },
    recurrence_rule: one.recurrence && recurrenceView(one.recurrence),
    guild_scheduled_event_exceptions: one.exceptions.map((exception) => exceptionView(one, exception)),
    ...(withCount ? { user_count: one.interestedIds.length } : {}),
  }
}

/** Fields that its creator left out are null. */
const recurrenceView = (recurrence: object) => ({
  end: null,
  interval: 1,
  by_weekday: null,
  by_n_weekday: null,
  by_month: null,
  by_month_day: null,
  ...recurrence,
})

/** Whether the caller sees the place of the event. */
export function seesEvent(operation: Operation, { channelId }: StoredScheduledEvent): boolean {
  const channel = operation.platform.store.channels.get(channelId ?? '')
  return channelId === null || (channel !== undefined && mayIn(operation, channel))
}

/** The channel of an event in a voice channel of the guild, or null. The sandbox has no stage channels. */
function placeOf({ platform }: Operation, guildId: string, type: number, channelId: string | null | undefined): string | null {
  if (type === EVENT_PLACES.external) return null
  const channel = platform.store.channels.get(channelId ?? '')
  if (channel === undefined || channel.guildId !== guildId) throw new PlatformError('unknownChannel')
  if (channel.type !== CHANNEL_TYPES.voice || type !== EVENT_PLACES.voice) throw new PlatformError('wrongChannelType')
  return channel.id
}

/** Throws invalidForm when the event ends before it starts, or starts in the past. */
function checkTimes({ platform }: Operation, start: string, end: string | null): void {
  const [from, to] = [Date.parse(start), end === null ? undefined : Date.parse(end)]
  const problem = (path: string, message: string) => invalidBody([{ path: [path], message }])
  if (!(from > platform.clock.now())) throw problem('scheduled_start_time', 'Cannot schedule event in the past.')
  if (to !== undefined && !(to > from)) throw problem('scheduled_end_time', 'Cannot schedule event to end before start.')
}

const listScheduledEvents: Handler<'LIST_SCHEDULED_EVENTS_FOR_GUILD'> = ({ guild_id, with_user_count }, operation) =>
  scheduledEvents
    .list(operation, guild_id)
    .filter((one) => seesEvent(operation, one))
    .map((one) => eventView(operation, one, with_user_count))

/** Throws unknownScheduledEvent for one that the caller cannot see. */
export function visibleEvent(operation: Operation, guildId: string, id: string): StoredScheduledEvent {
  const found = scheduledEvents.get(operation, guildId, id)
  if (!seesEvent(operation, found)) throw new PlatformError('unknownScheduledEvent')
  return found
}

const getScheduledEvent: Handler<'GET_GUILD_SCHEDULED_EVENT'> = ({ guild_id, guild_scheduled_event_id: id, with_user_count }, operation) =>
  eventView(operation, visibleEvent(operation, guild_id, id), with_user_count)

const createScheduledEvent: Handler<'CREATE_GUILD_SCHEDULED_EVENT'> = (args, operation) => {
  const { guild_id, name, entity_type, scheduled_start_time, scheduled_end_time = null, recurrence_rule = null } = args
  checkTimes(operation, scheduled_start_time, scheduled_end_time)
  const values = {
    name,
    description: args.description ?? null,
    image: imageHash(args.image, null),
    startTime: scheduled_start_time,
    endTime: scheduled_end_time,
    status: EVENT_STATUS.scheduled,
    placeType: entity_type,
    channelId: placeOf(operation, guild_id, entity_type, args.channel_id),
    location: entity_type === EVENT_PLACES.external ? (args.entity_metadata?.location ?? null) : null,
    recurrence: recurrence_rule,
    exceptions: [],
    interestedIds: [],
  }
  return eventView(operation, scheduledEvents.create(operation, guild_id, values, args.audit_log_reason))
}

/** The statuses that may follow each status. An ended event does not change. */
const NEXT: Readonly<Record<number, readonly number[]>> = {
  [EVENT_STATUS.scheduled]: [EVENT_STATUS.active, EVENT_STATUS.canceled],
  [EVENT_STATUS.active]: [EVENT_STATUS.completed],
}

type Changes = Parameters<Handler<'MODIFY_GUILD_SCHEDULED_EVENT'>>[0]

function changed(operation: Operation, one: StoredScheduledEvent, args: Changes): StoredScheduledEvent {
  if (!isOpen(one)) throw new PlatformError('finishedEvent')
  const { status = one.status, entity_type: placeType = one.placeType } = args
  if (status !== one.status && NEXT[one.status]?.includes(status) !== true)
    throw invalidBody([{ path: ['status'], message: 'The event cannot have this status now.' }])
  const startTime = args.scheduled_start_time ?? one.startTime
  const endTime = args.scheduled_end_time === undefined ? one.endTime : args.scheduled_end_time
  if (args.scheduled_start_time !== undefined || args.scheduled_end_time !== undefined) checkTimes(operation, startTime, endTime)
  const isMoved = args.entity_type !== undefined || args.channel_id !== undefined
  const location = args.entity_metadata?.location ?? one.location
  const place = {
    entity_type: placeType,
    channel_id: args.channel_id === undefined ? one.channelId : args.channel_id,
    scheduled_end_time: endTime,
    ...(location === null ? {} : { entity_metadata: { location } }),
  }
  if (isMoved && placeType === one.placeType) {
    const problems = eventPlaceProblems(place)
    if (problems.length > 0) throw invalidBody(problems)
  }
  return {
    ...one,
    name: args.name ?? one.name,
    description: args.description === undefined ? one.description : args.description,
    image: imageHash(args.image, one.image),
    startTime,
    endTime,
    status,
    placeType,
    channelId: isMoved ? placeOf(operation, one.guildId, placeType, place.channel_id) : one.channelId,
    location: placeType === EVENT_PLACES.external ? location : null,
    recurrence: args.recurrence_rule === undefined ? one.recurrence : args.recurrence_rule,
  }
}

const modifyScheduledEvent: Handler<'MODIFY_GUILD_SCHEDULED_EVENT'> = (args, operation) => {
  const { guild_id, guild_scheduled_event_id: id, audit_log_reason: reason } = args
  return eventView(
    operation,
    scheduledEvents.modify(operation, guild_id, id, (one) => changed(operation, one, args), reason),
  )
}

const deleteScheduledEvent: Handler<'DELETE_GUILD_SCHEDULED_EVENT'> = (args, operation) =>
  scheduledEvents.delete(operation, args.guild_id, args.guild_scheduled_event_id, args.audit_log_reason)

const INTERESTED = 1

interface UsersPage {
  readonly guild_id: string
  readonly with_member?: boolean | undefined
  readonly limit?: number | undefined
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export function usersView(operation: Operation, one: StoredScheduledEvent, page: UsersPage, exceptionId?: string): ScheduledEventUser[] {
  const guild = guildFor(operation, page.guild_id)
  const { before, after, limit = LIMITS.eventUsersPage.value } = page
  const users = one.interestedIds.map((id) => ({ id }))
  return pageOf(users, { before, after, limit }).map(({ id }) => {
    const user = personView(operation.platform, operation.caller.applicationId, id)
    return {
      guild_scheduled_event_id: one.id,
      ...(exceptionId === undefined ? {} : { guild_scheduled_event_exception_id: exceptionId }),
      user_id: id,
      ...(user === undefined ? {} : { user }),
      ...(page.with_member === true ? { member: memberView(operation, guild, id) } : {}),
      response: INTERESTED,
    }
  })
}

const getScheduledEventUsers: Handler<'GET_GUILD_SCHEDULED_EVENT_USERS'> = ({ guild_scheduled_event_id: id, ...page }, operation) =>
  usersView(operation, visibleEvent(operation, page.guild_id, id), page)

export const scheduledEventHandlers = {
  CREATE_GUILD_SCHEDULED_EVENT: createScheduledEvent,
  DELETE_GUILD_SCHEDULED_EVENT: deleteScheduledEvent,
  GET_GUILD_SCHEDULED_EVENT: getScheduledEvent,
  GET_GUILD_SCHEDULED_EVENT_USERS: getScheduledEventUsers,
  LIST_SCHEDULED_EVENTS_FOR_GUILD: listScheduledEvents,
  MODIFY_GUILD_SCHEDULED_EVENT: modifyScheduledEvent,
} satisfies Partial<Handlers>
