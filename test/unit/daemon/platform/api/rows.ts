/** Endpoint rows for tests: one per property, so that no test depends on a real row. */
import type { EndpointRow } from '@sallyport/protocol'
import { z } from 'zod'

export const row = (over: Partial<EndpointRow> = {}): EndpointRow => ({
  name: 'READ_THING',
  summary: 'Read a thing.',
  method: 'GET',
  path: '/channels/{channel_id}/things',
  pathParameters: ['channel_id'],
  queryParameters: ['limit', 'tag'],
  hasBody: false,
  encoding: 'json',
  args: z.strictObject({ channel_id: z.string(), limit: z.number().optional(), tag: z.array(z.string()).optional() }),
  response: z.looseObject({ id: z.string() }),
  success: [200],
  auth: 'user',
  requires: [[]],
  permissions: [],
  majorParameter: 'channel_id',
  idempotency: 'safe',
  audited: false,
  platformErrors: [],
  provenance: 'documented',
  since: '1.0',
  ...over,
})

export const writeRow = (over: Partial<EndpointRow> = {}): EndpointRow =>
  row({
    name: 'WRITE_THING',
    method: 'POST',
    queryParameters: [],
    hasBody: true,
    args: z.strictObject({ channel_id: z.string(), content: z.string().optional() }),
    idempotency: 'none',
    ...over,
  })
