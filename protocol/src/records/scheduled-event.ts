/** Scheduled events of a guild: one-time or recurring, in a channel or elsewhere. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { imageData } from '../schema/data-uri.ts'
import { IsoTime, Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { Member } from './member.ts'
import { User } from './user.ts'

export const EVENT_PLACES = { stage: 1, voice: 2, external: 3 } as const
export const EVENT_STATUS = { scheduled: 1, active: 2, completed: 3, canceled: 4 } as const

const Place = once(() => z.literal(Object.values(EVENT_PLACES)).meta({ description: '1: stage channel, 2: voice channel, 3: elsewhere.' }))
const Status = once(() =>
  z.literal(Object.values(EVENT_STATUS)).meta({ description: '1: scheduled, 2: active, 3: completed, 4: canceled.' }),
)
const Location = once(() =>
  z.strictObject({ location: text(1, LIMITS.eventLocation.value).meta({ description: 'Where the event takes place.' }) }),
)
const WEEKDAYS = 7
const MONTHS = 12
const Weekday = once(() => wholeNumber(0, WEEKDAYS - 1).meta({ description: '0: Monday.' }))

export const RecurrenceRule = once(() =>
  z.strictObject({
    start: IsoTime(),
    end: IsoTime().nullish(),
    frequency: z.literal([0, 1, 2, 3]).meta({ description: '0: yearly, 1: monthly, 2: weekly, 3: daily.' }),
    interval: wholeNumber(1, 2).nullish(),
    by_weekday: z.array(Weekday()).max(WEEKDAYS).nullish(),
    by_n_weekday: z
      .array(z.strictObject({ n: wholeNumber(1, 5), day: Weekday() }))
      .max(1)
      .nullish()
      .meta({ description: 'The nth weekday of a month.' }),
    by_month: z.array(wholeNumber(1, MONTHS)).max(MONTHS).nullish(),
    by_month_day: z.array(wholeNumber(1, 31)).max(1).nullish(),
  }),
)

const COMMON = once(() => ({
  description: text(0, LIMITS.eventDescription.value).nullish(),
  image: imageData(LIMITS.imageBytes).nullish().meta({ description: 'Cover image.' }),
  channel_id: Snowflake().nullish().meta({ description: 'The channel of an event of type 1 or 2.' }),
  entity_metadata: Location().optional().meta({ description: 'Required for an event of type 3.' }),
  scheduled_end_time: IsoTime().nullish().meta({ description: 'Required for an event of type 3.' }),
  recurrence_rule: RecurrenceRule().nullish(),
}))
const Name = once(() => text(1, LIMITS.eventName.value))
const Privacy = once(() => z.literal(2).meta({ description: '2: visible to members of the guild.' }))

export const SCHEDULED_EVENT_BODY = once(() => ({
  name: Name(),
  entity_type: Place(),
  privacy_level: Privacy(),
  scheduled_start_time: IsoTime(),
  ...COMMON(),
}))
export const SCHEDULED_EVENT_CHANGES = once(() => ({
  name: Name().optional(),
  entity_type: Place().optional(),
  privacy_level: Privacy().optional(),
  scheduled_start_time: IsoTime().optional(),
  status: Status().optional(),
  ...COMMON(),
}))

interface PlaceFields {
  readonly entity_type?: number | undefined
  readonly channel_id?: string | null | undefined
  readonly entity_metadata?: object | undefined
  readonly scheduled_end_time?: string | null | undefined
}

/** Returns missing and conflicting arguments of the place. Without a type, an edit does not move the event. */
export function eventPlaceProblems({
  entity_type: type,
  channel_id: channelId,
  entity_metadata: place,
  scheduled_end_time: end,
}: PlaceFields) {
  if (type === undefined) return []
  if (type === EVENT_PLACES.external)
    return [
      ...(place === undefined ? [{ path: ['entity_metadata'], message: 'is required for an event of type 3' }] : []),
      ...(end == null ? [{ path: ['scheduled_end_time'], message: 'is required for an event of type 3' }] : []),
      ...(channelId == null ? [] : [{ path: ['channel_id'], message: 'must be absent or null for an event of type 3' }]),
    ]
  return channelId == null ? [{ path: ['channel_id'], message: 'is required for an event of type 1 or 2' }] : []
}

export const ScheduledEventException = once(() =>
  tolerant({
    event_id: Snowflake(),
    event_exception_id: Snowflake(),
    scheduled_start_time: IsoTime().nullable(),
    scheduled_end_time: IsoTime().nullable(),
    is_canceled: z.boolean(),
  }).meta({ id: 'ScheduledEventException', description: 'A changed or canceled occurrence of a recurring event.' }),
)
export type ScheduledEventException = z.output<ReturnType<typeof ScheduledEventException>>

export const ScheduledEvent = once(() =>
  tolerant({
    id: Snowflake(),
    guild_id: Snowflake(),
    channel_id: Snowflake().nullable(),
    creator_id: Snowflake().nullish(),
    creator: User().optional(),
    name: z.string(),
    description: z.string().nullish(),
    image: z.string().nullish().meta({ description: 'Hash of the cover image.' }),
    scheduled_start_time: IsoTime(),
    scheduled_end_time: IsoTime().nullable(),
    privacy_level: z.number().int(),
    status: z.number().int().meta({ description: '1: scheduled, 2: active, 3: completed, 4: canceled.' }),
    entity_type: z.number().int().meta({ description: '1: stage channel, 2: voice channel, 3: elsewhere.' }),
    entity_id: Snowflake().nullish(),
    entity_metadata: tolerant({ location: z.string().optional() }).nullable(),
    user_count: z.number().int().optional().meta({ description: 'Interested users; on request.' }),
    recurrence_rule: z.unknown().optional(),
    guild_scheduled_event_exceptions: z.array(ScheduledEventException()).optional(),
  }).meta({ id: 'ScheduledEvent', description: 'A scheduled event of a guild.' }),
)
export type ScheduledEvent = z.output<ReturnType<typeof ScheduledEvent>>

export const ScheduledEventUser = once(() =>
  tolerant({
    guild_scheduled_event_id: Snowflake(),
    guild_scheduled_event_exception_id: Snowflake().nullish(),
    user_id: Snowflake(),
    user: User().optional(),
    member: Member().optional(),
    response: z.number().int().meta({ description: '1: interested, 0: not.' }),
  }).meta({ id: 'ScheduledEventUser', description: 'A user who answered a scheduled event.' }),
)
export type ScheduledEventUser = z.output<ReturnType<typeof ScheduledEventUser>>
