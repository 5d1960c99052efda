import { COMMANDS, type CommandName, parserOf } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { validate } from '#daemon/src/rpc/validate.ts'

function refusal(name: CommandName, args: unknown): BridgeError {
  try {
    validate(
      parserOf(() => COMMANDS[name].args),
      args,
    )
  } catch (failure) {
    if (failure instanceof BridgeError) return failure
    throw failure
  }
  throw new Error('it was accepted')
}

const activity = (fields: object) => ({ pid: 1, activity: fields })
const LONG = 'x'.repeat(129)

describe('an error names the path, the rule and the given size', () => {
  test.each([
    ['a missing field', 'GET_USER', {}, 'id', '"id" is missing.'],
    [
      'a text too long',
      'SET_ACTIVITY',
      activity({ details: LONG }),
      'activity.details',
      '"activity.details" must have at most 128 characters, 129 given.',
    ],
    [
      'a list too long',
      'SET_ACTIVITY',
      activity({ buttons: Array.from({ length: 3 }, () => ({ label: 'a', url: 'https://a.test' })) }),
      'activity.buttons',
      '"activity.buttons" must have at most 2 items, 3 given.',
    ],
    [
      'an item of a list',
      'SET_ACTIVITY',
      activity({
        buttons: [
          { label: 'a', url: 'https://a.test' },
          { label: '', url: 'https://a.test' },
        ],
      }),
      'activity.buttons[1].label',
      '"activity.buttons[1].label" must have at least 1 characters, 0 given.',
    ],
    [
      'a number too large',
      'SET_HTTP_REQUEST_TIMEOUT',
      { timeout_ms: 300_001 },
      'timeout_ms',
      '"timeout_ms" must be at most 300000, 300001 given.',
    ],
    ['a number too small', 'SET_HTTP_REQUEST_TIMEOUT', { timeout_ms: 0 }, 'timeout_ms', '"timeout_ms" must be at least 1, 0 given.'],
    ['another kind', 'SET_ACTIVITY', activity({ buttons: 'x' }), 'activity.buttons', '"activity.buttons" must be array, not string.'],
    ['null where it means nothing', 'GET_USER', { id: null }, 'id', '"id" must be string, not null.'],
    ['a list for an object', 'GET_USER', [], '', 'args must be object, not array.'],
    ['one of several', 'SET_ACTIVITY', activity({ type: 1 }), 'activity.type', '"activity.type" must be one of 0, 2, 3, 5.'],
    ['an unknown field', 'GET_USER', { id: '1', more: 1 }, 'more', '"more" is not known.'],
    ['an unknown field inside', 'SET_VOICE_SETTINGS', { input: { loud: true } }, 'input.loud', '"input.loud" is not known.'],
    ['a format', 'GET_USER', { id: 'ann' }, 'id', '"id" must be an id: 1 to 20 decimal digits, the first not 0.'],
    [
      'an address of another scheme',
      'SET_ACTIVITY',
      activity({ buttons: [{ label: 'a', url: 'javascript:alert(1)' }] }),
      'activity.buttons[0].url',
      '"activity.buttons[0].url" must be an http or https URL.',
    ],
  ] as const)('%s', (_, name, args, path, message) => {
    const failure = refusal(name, args)
    expect(failure).toMatchObject({ error: 'INVALID_PAYLOAD', message, detail: { path } })
  })
})

describe('errors contain no values', () => {
  const VALUE = 'value-that-may-be-a-secret'
  test.each([
    ['SET_ACTIVITY', activity({ secrets: { join: VALUE.repeat(10) } })],
    ['SET_VOICE_SETTINGS', { input: { unknown: VALUE } }],
    ['SET_ACTIVITY', activity({ timestamps: { start: VALUE } })],
    ['SET_ACTIVITY', activity({ type: VALUE })],
    ['SET_ACTIVITY', { pid: VALUE }],
    ['SET_ACTIVITY', activity({ assets: { large_url: VALUE } })],
    ['SET_ACTIVITY', VALUE],
    ['GET_TOKEN', { code: VALUE, code_verifier: VALUE, redirect_uri: VALUE }],
    ['AUTHENTICATE', { access_token: VALUE.repeat(1000) }],
    ['AUTHENTICATE', { access_token: { token: VALUE } }],
    ['AUTHORIZE', { scopes: [VALUE, 1] }],
    ['AUTHORIZE', { code_challenge: VALUE, rpc_token: VALUE }],
    ['CREATE_OR_JOIN_LOBBY', { secret: VALUE.repeat(20) }],
    ['CREATE_OR_JOIN_LOBBY', { secret: 's', lobby_metadata: { key: VALUE.repeat(60) } }],
  ] as const)('of %s %#', (name, args) => {
    const failure = refusal(name, args)
    expect(`${failure.message} ${JSON.stringify(failure.detail)}`).not.toContain(VALUE)
  })
})

test('names from a game do not make the response longer', () => {
  const NAME = 'n'.repeat(100_000)
  for (const args of [
    { input: { [NAME]: 1 } },
    { [NAME]: 1 },
    Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`name${index}`, 1])),
  ]) {
    const failure = refusal('SET_VOICE_SETTINGS', args)
    expect(JSON.stringify(failure.toWire()).length).toBeLessThan(500)
  }
  const lobby = refusal('CREATE_OR_JOIN_LOBBY', { secret: 's', lobby_metadata: { [NAME]: 5 } })
  expect(JSON.stringify(lobby.toWire()).length).toBeLessThan(500)
})

test('valid arguments are returned parsed', () => {
  expect(
    validate(
      parserOf(() => COMMANDS.GET_USER.args),
      { id: '1' },
    ),
  ).toEqual({ id: '1' })
})
