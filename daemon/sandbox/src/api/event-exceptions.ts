/** The wire form of exceptions of a recurring scheduled event. */
import type { ScheduledEventException } from '@sallyport/protocol'
import type { StoredEventException, StoredScheduledEvent } from '../store/guild-item-records.ts'

export const exceptionView = (event: Pick<StoredScheduledEvent, 'id'>, one: StoredEventException): ScheduledEventException => ({
  event_id: event.id,
  event_exception_id: one.id,
  scheduled_start_time: one.startTime,
  scheduled_end_time: one.endTime,
  is_canceled: one.isCanceled,
})
