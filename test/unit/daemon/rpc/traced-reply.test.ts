/** What a trace has of a reply: enough to answer once more, and no secret of the request that the platform repeats. */
import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '#daemon/src/platform/api/forwarder-port.ts'
import { tracedReply } from '#daemon/src/rpc/traced-reply.ts'

const SECRET = 'planted "secret" / 1%'
const URL_OF = 'https://example.test/api/v10'
const request = (more: Partial<HttpRequest>): HttpRequest => ({ method: 'POST', url: `${URL_OF}/x`, headers: {}, ...more })
const reply = (body: object | string, headers = {}) => ({
  status: 400,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

test('has the JSON body and the headers about limits', () => {
  const headers = { 'retry-after': '5', 'x-ratelimit-bucket': ['b'], 'x-ratelimit-reset': '99', 'set-cookie': 'planted', date: 'today' }
  expect(tracedReply({ request: request({}), reply: reply({ code: 50007, message: 'No.' }, headers) })).toEqual({
    headers: { 'retry-after': '5', 'x-ratelimit-bucket': 'b' },
    body: { code: 50007, message: 'No.' },
  })
  expect(tracedReply({ request: request({}), reply: reply('<html>') })).toEqual({ headers: {} })
})

describe('has no secret of', () => {
  test.each<[string, Partial<HttpRequest>]>([
    ['the header of a user', { headers: { authorization: `Bearer ${SECRET.replaceAll(' ', '')}` } }],
    ['the header of an application', { headers: { Authorization: `Basic ${Buffer.from(`5:${SECRET}`).toString('base64')}` } }],
    ['the query', { url: `${URL_OF}/x?${new URLSearchParams({ code: SECRET }).toString()}` }],
    [
      'the path',
      { url: `${URL_OF}/webhooks/5/${encodeURIComponent(SECRET)}/x`, shownPath: '/webhooks/{application_id}/{interaction_token}/x' },
    ],
    ['a body of JSON', { body: JSON.stringify({ activities: [{ secrets: { join: SECRET } }] }) }],
    ['a form', { body: new URLSearchParams({ code_verifier: SECRET }).toString() }],
    [
      'a body with files',
      { multipart: { payload: JSON.stringify({ token: SECRET }), fields: {}, files: [], bytes: 0, async *chunks() {} } },
    ],
    ['a part of it', { multipart: { payload: undefined, fields: { secret: SECRET }, files: [], bytes: 0, async *chunks() {} } }],
  ])('%s', (_, more) => {
    const planted = JSON.stringify(more.headers ?? {}).includes('Bearer') ? SECRET.replaceAll(' ', '') : SECRET
    const echo = { message: `no ${planted}`, errors: { [planted]: { _errors: [{ message: encodeURIComponent(planted) }] } } }
    const shown = JSON.stringify(tracedReply({ request: request(more), reply: reply(echo) }))
    expect(shown).toContain('[redacted]')
    expect(shown).not.toContain('planted')
  })
})
