/** Commands that use only tables of the bridge: dated changes, voice connections, activity URLs. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const Day = once(() => z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a day such as 2026-11-16'))

export const getPlatformChanges = defineCommand({
  name: 'GET_PLATFORM_CHANGES',
  summary:
    'Dated changes of the platform and whether they are in effect on a day (default: today), and the changes that an SDK version lacks.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ date: Day().optional(), sdk_version: text(1, 64).optional() }),
  data: () =>
    tolerant({
      date: z.string(),
      changes: z.array(
        tolerant({
          id: z.string(),
          since: z.string(),
          until: z.string().nullable(),
          announced: z.string().nullable().meta({ description: 'An earlier announced day that the platform postponed.' }),
          holds: z.boolean(),
          summary: z.string(),
        }),
      ),
      sdk: tolerant({
        oldest: z.string().nullable().meta({ description: 'Oldest supported SDK version; null before July 2026.' }),
        newest: z.string().nullable().meta({ description: 'Newest SDK version that a source names; null before July 2026.' }),
        release_months: z.array(z.number().int()).meta({ description: 'Months of minor releases, 1 to 12.' }),
        support: z
          .enum(['supported', 'ended', 'newer', 'unknown'])
          .nullable()
          .meta({ description: 'Support status of the requested SDK version.' }),
        lacks: z.array(z.string()).nullable().meta({ description: 'Changes that the requested SDK version does not have.' }),
        consoles: z
          .array(tolerant({ console: z.enum(['A', 'B']), system_sdk: z.string(), since: z.string() }))
          .nullable()
          .meta({
            description: 'Least system SDKs of consoles, of the requested SDK version or of the newest; empty: no source names them.',
          }),
      }),
    }),
  provenance: 'sallyport',
})

export const checkVoiceConnection = defineCommand({
  name: 'CHECK_VOICE_CONNECTION',
  summary:
    'Check whether a voice connection with this gateway version, encryption mode and end-to-end encryption is supported today; fails with the reason if not.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      gateway_version: wholeNumber(0, 1000).optional(),
      mode: text(1, 64).optional(),
      end_to_end_encrypted: z.boolean().optional(),
    }),
  data: () => tolerant({ modes: z.array(z.string()), buffered_resume: z.boolean() }),
  errors: ['INVALID_PAYLOAD'],
  provenance: 'sallyport',
})

export const mapActivityUrl = defineCommand({
  name: 'MAP_ACTIVITY_URL',
  summary: 'Map an external URL to the proxy URL of an embedded activity, with or without the prefix, depending on its SDK version.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      url: text(1, LIMITS.applicationUrl.value),
      mappings: z
        .array(z.strictObject({ prefix: text(1, LIMITS.activityUrl.value), target: text(1, LIMITS.activityUrl.value) }))
        .max(LIMITS.activityMappings.value)
        .optional(),
      application_id: Snowflake().optional(),
      embedded_sdk_version: text(1, 64).optional().meta({ description: 'Before 2.2, mapped paths begin with /.proxy.' }),
    }),
  data: () =>
    tolerant({ url: z.string(), is_mapped: z.boolean().meta({ description: 'false: no mapping matches, and url is unchanged.' }) }),
  errors: ['INVALID_PAYLOAD'],
  provenance: 'sallyport',
})
