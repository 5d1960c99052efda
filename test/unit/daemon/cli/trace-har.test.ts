/** Traces as an HTTP archive: valid by the schema of HAR 1.2, with each call and its requests. */
import { createRequire } from 'node:module'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { CallTrace } from '@sallyport/protocol'
import { harOf } from '#daemon/src/cli/trace-har.ts'

const CALLS: readonly CallTrace[] = [
  {
    id: 'c1-3',
    kept: 'whole',
    at: Date.UTC(2026, 10, 29, 9),
    connection: 1,
    application_id: '42',
    cmd: 'GET_GUILD',
    result: 'error',
    request: { cmd: 'GET_GUILD', args: { guild_id: '7' } },
    request_bytes: 60,
    requests: [
      { method: 'GET', path: '/guilds/{guild_id}', status: 429, after_ms: 2, ms: 10 },
      { method: 'GET', path: '/guilds/{guild_id}', failure: 'unreachable', after_ms: 1012, ms: 5 },
    ],
    error: { code: 5011, message: 'The platform limits this call.' },
    response_bytes: 90,
    ms: 1020,
  },
  { id: 'c1-4', kept: 'failure', at: Date.UTC(2026, 10, 29, 9, 1), connection: 1, cmd: 'DISPATCH', result: 'error', error: { code: 4000 } },
]

const packages = createRequire(import.meta.url)
/** One for each kind of object, without types of their own. */
const SCHEMAS = Object.values(packages('har-schema') as Readonly<Record<string, AnySchemaObject>>)
// The schema checks the shape of times by a pattern besides.
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
ajv.addMetaSchema(packages('ajv/dist/refs/json-schema-draft-06.json') as AnySchemaObject)
ajv.addSchema(SCHEMAS)

/** What the schema of HAR 1.2 says against a value. */
function errorsOf(value: unknown): readonly string[] {
  const isValid = ajv.getSchema('har.json')
  if (isValid === undefined) throw new Error('there is no schema of HAR')
  void isValid(value)
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Har {
  readonly log: {
    readonly pages: readonly { readonly id: string; readonly title: string }[]
    readonly entries: readonly {
      readonly pageref: string
      readonly startedDateTime: string
      readonly request: { readonly method: string; readonly url: string; readonly postData?: { readonly text: string } }
      readonly response: { readonly status: number; readonly statusText: string }
    }[]
  }
}

describe('an archive', () => {
  const { log } = harOf(CALLS, 'https://platform.example') as Har

  test('is valid', () => {
    expect(errorsOf({ log })).toEqual([])
    expect(errorsOf(harOf([]))).toEqual([])
    expect(errorsOf({ log: { ...log, entries: [{ ...log.entries[0], time: 'long' }] } })).toEqual(['/log/entries/0/time must be number'])
  })

  test('has a page for each call, with the call and its requests in the order of their times', () => {
    expect(log.pages.map(({ id, title }) => [id, title])).toEqual([
      ['c1-3', 'c1-3 GET_GUILD'],
      ['c1-4', 'c1-4 DISPATCH'],
    ])
    expect(
      log.entries.map(({ pageref, startedDateTime, request, response }) => [
        pageref,
        startedDateTime,
        request.method,
        request.url,
        response.status,
        response.statusText,
      ]),
    ).toEqual([
      ['c1-3', '2026-11-29T09:00:00.000Z', 'CALL', 'rpc://42/GET_GUILD', 5011, 'The platform limits this call.'],
      ['c1-3', '2026-11-29T09:00:00.002Z', 'GET', 'https://platform.example/guilds/{guild_id}', 429, ''],
      ['c1-3', '2026-11-29T09:00:01.012Z', 'GET', 'https://platform.example/guilds/{guild_id}', 0, 'unreachable'],
      ['c1-4', '2026-11-29T09:01:00.000Z', 'CALL', 'rpc://unknown/DISPATCH', 4000, ''],
    ])
    expect(log.entries[0]?.request.postData?.text).toBe('{"cmd":"GET_GUILD","args":{"guild_id":"7"}}')
  })
})
