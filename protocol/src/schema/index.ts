/** Building blocks of wire schemas. Everything here is plain JSON: no transforms, dates or bigint. */
import * as z from 'zod'
import { once } from '../once.ts'

/** A 64-bit id as decimal text. */
export const Snowflake = once(() =>
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,19})$/, 'must be an id: 1 to 20 decimal digits, the first not 0')
    .meta({ id: 'Snowflake', description: 'A 64-bit id as decimal text.' }),
)

/** A bit field as decimal text, for bits beyond 30. */
export const BitFieldText = once(() =>
  z
    .string()
    .regex(/^[0-9]{1,20}$/, 'must be a bit field as decimal text')
    .meta({ id: 'BitFieldText', description: 'A bit field as decimal text.' }),
)

/** ISO 8601 time with offset. */
export const IsoTime = once(() =>
  z.string().meta({ id: 'IsoTime', description: 'ISO 8601 date and time with an offset; microseconds are allowed.' }),
)

/** Text of `min` to `max` UTF-16 units. */
export const text = (min: number, max: number) => z.string().min(min).max(max)

/** An http or https URL with a host. The pattern has no flags, because JSON Schema does not support them. */
export const WEB_URL = /^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#]+[^\s]*$/

/** An http or https URL, or `attachment://` with the name of a file of the message. */
export const MEDIA_URL = /^(?:[hH][tT][tT][pP][sS]?:\/\/[^\s/?#]+[^\s]*|attachment:\/\/[^\s/\\?#]+)$/

/** `attachment://` with the name of a file of the message. */
export const ATTACHMENT_URL = /^attachment:\/\/[^\s/\\?#]+$/

/** An integer; 5.0 is accepted too, because some senders write 5 as 5.0. */
export const wholeNumber = (min: number, max: number) => z.number().int().min(min).max(max)

/** Text keys to text values. */
export const StringMap = once(() => z.record(z.string(), z.string()))

/** An object from a platform: known fields are validated, unknown fields pass through. */
export const tolerant = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape)

/** Arguments of a command that takes none: absent, null and {} are the same. */
export const noArguments = once(() => z.strictObject({}).nullish())

/** Undocumented arguments: any object, or none. */
export const anyArguments = once(() => z.record(z.string(), z.unknown()).nullish())

/** Response without data. */
export const empty = once(() => z.null())

/** Undocumented response. */
export const undocumented = once(() => z.unknown())

/** A process id sent by the game; only a label, not verified. */
export const ProcessId = once(() => z.number().int().min(0).max(4_294_967_295))
