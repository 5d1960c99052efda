/** Exceptions of recurring scheduled events, and their users. An exception has the interested users of its event. */
import { PlatformError } from '../platform-error.ts'
import type { StoredEventException, StoredScheduledEvent } from '../store/guild-item-records.ts'
import { guildFor } from './access.ts'
import { exceptionView } from './event-exceptions.ts'
import { invalidBody } from './form-errors.ts'
import { auditWrites } from './audit-writes.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { usersView, visibleEvent } from './scheduled-events.ts'

interface Named {
  readonly guild_id: string
  readonly guild_scheduled_event_id: string
}

type Audit = 'GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE' | 'GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE' | 'GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE'

function managed(operation: Operation, { guild_id, guild_scheduled_event_id: id }: Named): StoredScheduledEvent {
  guildFor(operation, guild_id, 'MANAGE_EVENTS')
  return visibleEvent(operation, guild_id, id)
}

function exceptionOf({ exceptions }: StoredScheduledEvent, id: string): StoredEventException {
  const found = exceptions.find((one) => one.id === id)
  if (found === undefined) throw new PlatformError('unknownScheduledEvent')
  return found
}

function store(operation: Operation, event: StoredScheduledEvent, targetId: string, audit: Audit, reason: string | undefined): void {
  const { scheduledEvents } = operation.platform.store
  operation.platform.store.commit([
    scheduledEvents.put(event.id, event),
    ...auditWrites(operation, event.guildId, { event: audit, targetId, reason }),
  ])
}

const createException: Handler<'CREATE_GUILD_SCHEDULED_EVENT_EXCEPTION'> = (args, operation) => {
  const event = managed(operation, args)
  if (event.recurrence === null)
    throw invalidBody([{ path: ['original_scheduled_start_time'], message: 'Only a recurring event has exceptions.' }])
  const one: StoredEventException = {
    id: operation.platform.ids.next(),
    originalStart: args.original_scheduled_start_time,
    startTime: args.scheduled_start_time ?? null,
    endTime: args.scheduled_end_time ?? null,
    isCanceled: args.is_canceled ?? false,
  }
  const exceptions = [...event.exceptions.filter(({ originalStart }) => originalStart !== one.originalStart), one]
  store(operation, { ...event, exceptions }, one.id, 'GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE', args.audit_log_reason)
  return exceptionView(event, one)
}

const modifyException: Handler<'MODIFY_GUILD_SCHEDULED_EVENT_EXCEPTION'> = (args, operation) => {
  const event = managed(operation, args)
  const before = exceptionOf(event, args.exception_id)
  const after: StoredEventException = {
    ...before,
    startTime: args.scheduled_start_time === undefined ? before.startTime : args.scheduled_start_time,
    endTime: args.scheduled_end_time === undefined ? before.endTime : args.scheduled_end_time,
    isCanceled: args.is_canceled ?? before.isCanceled,
  }
  const exceptions = event.exceptions.map((one) => (one.id === after.id ? after : one))
  store(operation, { ...event, exceptions }, after.id, 'GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE', args.audit_log_reason)
  return exceptionView(event, after)
}

const deleteException: Handler<'DELETE_GUILD_SCHEDULED_EVENT_EXCEPTION'> = (args, operation) => {
  const event = managed(operation, args)
  const { id } = exceptionOf(event, args.exception_id)
  const exceptions = event.exceptions.filter((one) => one.id !== id)
  store(operation, { ...event, exceptions }, id, 'GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE', args.audit_log_reason)
  return null
}

const getExceptionUsers: Handler<'GET_GUILD_SCHEDULED_EVENT_EXCEPTION_USERS'> = (
  { guild_scheduled_event_id: id, guild_scheduled_event_exception_id: exceptionId, ...page },
  operation,
) => {
  const event = visibleEvent(operation, page.guild_id, id)
  return usersView(operation, event, page, exceptionOf(event, exceptionId).id)
}

const getUserCounts: Handler<'GET_GUILD_SCHEDULED_EVENT_USER_COUNTS'> = (args, operation) => {
  const event = visibleEvent(operation, args.guild_id, args.guild_scheduled_event_id)
  const count = event.interestedIds.length
  const ids = (args.guild_scheduled_event_exception_ids ?? []).map((id) => exceptionOf(event, id).id)
  return { guild_scheduled_event_count: count, guild_scheduled_event_exception_counts: Object.fromEntries(ids.map((id) => [id, count])) }
}

export const eventOccurrenceHandlers = {
  CREATE_GUILD_SCHEDULED_EVENT_EXCEPTION: createException,
  DELETE_GUILD_SCHEDULED_EVENT_EXCEPTION: deleteException,
  GET_GUILD_SCHEDULED_EVENT_EXCEPTION_USERS: getExceptionUsers,
  GET_GUILD_SCHEDULED_EVENT_USER_COUNTS: getUserCounts,
  MODIFY_GUILD_SCHEDULED_EVENT_EXCEPTION: modifyException,
} satisfies Partial<Handlers>
