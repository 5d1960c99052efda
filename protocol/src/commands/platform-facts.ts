/** Commands that answer from the bridge's own tables: what holds on a day, what a voice connection may use, how activities are addressed. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const Day = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a day such as 2026-11-16')

export const getPlatformChanges = defineCommand({
  name: 'GET_PLATFORM_CHANGES',
  summary:
    'Every dated change of the platform and whether it holds on a day (today when absent); and what the named version of the SDK lacks.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ date: Day.optional(), sdk_version: text(1, 64).optional() }),
  data: tolerant({
    date: z.string(),
    changes: z.array(
      tolerant({ id: z.string(), since: z.string(), until: z.string().nullable(), holds: z.boolean(), summary: z.string() }),
    ),
    sdk: tolerant({
      oldest: z.string().nullable().meta({ description: 'Oldest supported version; null before July 2026.' }),
      newest: z.string().nullable(),
      support: z.enum(['supported', 'ended', 'newer', 'unknown']).nullable().meta({ description: 'Of the named version.' }),
      lacks: z.array(z.string()).nullable().meta({ description: 'What the named version does not have.' }),
    }),
  }),
  provenance: 'sallyport',
})

export const checkVoiceConnection = defineCommand({
  name: 'CHECK_VOICE_CONNECTION',
  summary:
    'Whether a voice connection may be made today with this gateway version, encryption mode and encryption end to end; refused with the reason if not.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({
    gateway_version: wholeNumber(0, 1000).optional(),
    mode: text(1, 64).optional(),
    end_to_end_encrypted: z.boolean().optional(),
  }),
  data: tolerant({ modes: z.array(z.string()), buffered_resume: z.boolean() }),
  errors: ['INVALID_PAYLOAD'],
  provenance: 'sallyport',
})

export const mapActivityUrl = defineCommand({
  name: 'MAP_ACTIVITY_URL',
  summary:
    'The address by which an embedded activity reaches an outside one through the proxy of the platform, with or without the prefix as its SDK writes it.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({
    url: text(1, LIMITS.applicationUrl.value),
    mappings: z
      .array(z.strictObject({ prefix: text(1, LIMITS.activityUrl.value), target: text(1, LIMITS.activityUrl.value) }))
      .max(LIMITS.activityMappings.value)
      .optional(),
    application_id: Snowflake.optional(),
    embedded_sdk_version: text(1, 64).optional().meta({ description: 'Before 2.2 mapped paths begin with /.proxy.' }),
  }),
  data: tolerant({ url: z.string(), is_mapped: z.boolean().meta({ description: 'false: no mapping fits, and url is what was sent.' }) }),
  errors: ['INVALID_PAYLOAD'],
  provenance: 'sallyport',
})
