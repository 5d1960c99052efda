/** Each usual fault has a sentence that says what to do. */
import { remedyOf } from '@sallyport/core/call-remedy'
import type { CallTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'

const CALL: CallTrace = {
  id: 'c1-1',
  kept: 'whole',
  at: 1,
  connection: 1,
  cmd: 'X',
  result: 'error',
  error: { code: 1000, message: 'No.' },
}
const HELD = ['rpc.local', 'rpc.authenticated', 'identify']
const failed = (more: object): CallTrace['error'] => ({ code: 1001, message: 'No.', ...more })
const leg = { method: 'GET', path: '/x', after_ms: 0, ms: 1 }

test.each<[string, Partial<CallTrace>, RegExp]>([
  [
    'a scope that is missing',
    { scopes: { required: [['guilds']], missing: ['guilds'], held: HELD } },
    /AUTHORIZE once more with the scope guilds/,
  ],
  ['a missing sign-in', { scopes: { required: [['guilds']], missing: ['guilds'], held: ['rpc.local'] } }, /^Sign in first.*scope guilds/],
  [
    'a missing sign-in alone',
    { scopes: { required: [['rpc.authenticated']], missing: ['rpc.authenticated'], held: [] } },
    /^Sign in first: call AUTHORIZE, then/,
  ],
  [
    'a scope that the platform refuses, also after a request that was given up',
    { error: failed({ code: 5000, message: 'OAuth2 Error: invalid_scope: Not rpc.' }), requests: [{ ...leg, failure: 'aborted' }] },
    /^Leave out the scope/,
  ],
  ['a user who refuses', { error: failed({ code: 5000, message: 'OAuth2 Error: access_denied: No.' }) }, /^Ask again when the user/],
  ['another refusal', { error: failed({ code: 5000, message: 'OAuth2 Error: Invalid OAuth2 redirect_uri' }) }, /what the error says/],
  ['a token that is refused', { error: failed({ http_status: 401 }) }, /^Sign in again/],
  ['a rate limit with a time', { error: failed({ http_status: 429, retry_after: 3600 }) }, /less often.*3600 s/],
  ['a rate limit without one', { requests: [{ ...leg, status: 429 }] }, /less often\.$/],
  ['a dead platform', { requests: [{ ...leg, failure: 'unreachable' }] }, /network.*doctor.*later/],
  ['an error of the platform', { error: failed({ http_status: 503 }) }, /^Try again later/],
  ['an argument', { error: failed({ code: 4000, path: 'activity.state' }) }, /argument activity\.state/],
])('%s', (_, more, sentence) => expect(remedyOf({ ...CALL, ...more })).toMatch(sentence))

test('nothing is advised without a failure, or where only the message says more', () => {
  expect(remedyOf(CALL)).toBeUndefined()
  const { error: _none, ...succeeded } = CALL
  expect(remedyOf({ ...succeeded, scopes: { required: [], missing: [], held: [] } })).toBeUndefined()
})
