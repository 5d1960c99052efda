import { describe, expect, test } from 'vitest'
import { BridgeError } from '@sallyport/core/errors'
import { nonceOf, readEnvelope as readNumbered } from '#daemon/src/ipc/connection/envelope.ts'

const SEQUENCE = 345
const readEnvelope = (message: unknown) => readNumbered(message, SEQUENCE)

const failure = (message: unknown): BridgeError => {
  const read = readEnvelope(message)
  if (!(read instanceof BridgeError)) throw new Error('it was accepted')
  return read
}

describe('a message', () => {
  test('is parsed to its known fields only', () => {
    expect(readEnvelope({ cmd: 'X', nonce: 'n', args: { a: 1 }, evt: 'E', data: 1, more: 2 })).toEqual({
      cmd: 'X',
      nonce: 'n',
      args: { a: 1 },
      evt: 'E',
      sequence: SEQUENCE,
    })
  })
  test.each([undefined, null])('has no key with %j', (key) => expect(readEnvelope({ cmd: 'X', key })).not.toHaveProperty('key'))
  test.each(['', 'k'.repeat(128)])('keeps the key %j, which the router checks where it has a meaning', (key) =>
    expect(readEnvelope({ cmd: 'X', key })).toMatchObject({ key }),
  )
  test.each([7, true, {}, ['k'], 'k'.repeat(129)])('is refused with the key %j', (key) =>
    expect(failure({ cmd: 'X', key })).toMatchObject({ error: 'INVALID_PAYLOAD', detail: { path: 'key' } }),
  )
  test.each([undefined, null, '', 'x'.repeat(64)])('keeps the event %j', (evt) =>
    expect(readEnvelope({ cmd: 'X', evt })).toMatchObject({ evt }),
  )
  test.each([{ large: 'x'.repeat(1_000_000) }, ['x'.repeat(1_000_000)]])('keeps nothing of an event that is not a name', (evt) => {
    expect(readEnvelope({ cmd: 'X', evt })).toMatchObject({ evt: {} })
    expect(JSON.stringify(readEnvelope({ cmd: 'X', evt }))).toHaveLength('{"cmd":"X","nonce":null,"evt":{},"sequence":345}'.length)
  })
  test('needs only cmd', () =>
    expect(readEnvelope({ cmd: 'X' })).toEqual({ cmd: 'X', nonce: null, args: undefined, evt: undefined, sequence: SEQUENCE }))
  test.each(['1', '1795253570.75560498', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '', 'ä'.repeat(1024), 7, 0, null])(
    'keeps the nonce %j',
    (nonce) => {
      expect(readEnvelope({ cmd: 'X', nonce })).toMatchObject({ nonce })
    },
  )
})

describe('invalid messages', () => {
  test.each([null, 1, 'text', true, [], [{ cmd: 'X' }]])('%j', (message) => {
    expect(failure(message)).toMatchObject({ error: 'INVALID_PAYLOAD' })
  })
  test.each([undefined, null, 1, {}, ['X']])('cmd %j is reported with its path', (cmd) => {
    expect(failure({ cmd, nonce: 'n' })).toMatchObject({ error: 'INVALID_PAYLOAD', detail: { path: 'cmd' } })
  })
  test('a name longer than any command', () => expect(failure({ cmd: 'X'.repeat(129) }).detail.path).toBe('cmd'))
  test.each([65, 1_000_000])('an event of %i characters, which no event has', (length) => {
    const evt = 'x'.repeat(length)
    expect(failure({ cmd: 'X', nonce: 'n', evt })).toMatchObject({ error: 'INVALID_PAYLOAD', detail: { path: 'evt' } })
  })
  test.each([true, {}, [], 'x'.repeat(1025)])('a nonce that cannot be echoed', (nonce) => {
    expect(failure({ cmd: 'X', nonce }).detail.path).toBe('nonce')
  })
})

describe('the nonce of an invalid message', () => {
  test.each([
    [{ nonce: 'n' }, 'n'],
    [{ nonce: 5 }, 5],
    [{ nonce: {} }, null],
    [{ nonce: 'x'.repeat(1025) }, null],
    [{}, null],
    [null, null],
    ['text', null],
    [[], null],
  ])('of %j', (message, nonce) => expect(nonceOf(message)).toBe(nonce))
})
