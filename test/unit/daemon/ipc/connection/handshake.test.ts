import { describe, expect, test } from 'vitest'
import { isRefusal, readHandshake } from '#daemon/src/ipc/connection/handshake.ts'

const read = (hello: unknown) => readHandshake(Buffer.from(JSON.stringify(hello)))
const greeting = (hello: object) => {
  const outcome = read({ v: 1, client_id: '1234567890', ...hello })
  if (isRefusal(outcome)) throw new Error(outcome.reason)
  return outcome
}
const codeOf = (hello: unknown): number => {
  const outcome = read(hello)
  if (!isRefusal(outcome)) throw new Error('it was accepted')
  return outcome.code
}

test('a minimal handshake gets defaults that every old client supports', () => {
  expect(greeting({})).toEqual({ applicationId: '1234567890', encoding: 'json', maxFrameBytes: 65_528, streams: false })
})

describe('v', () => {
  test.each([1, '1', 1.0])('%j is the version', (v) => expect(greeting({ v }).applicationId).toBe('1234567890'))
  test.each([
    ['missing', undefined],
    ['2', 2],
    ['text that is another number', '2'],
    ['null', null],
    ['true', true],
    ['a list that prints as 1', [1]],
    ['an object that cannot be printed', { toString: 1, valueOf: 1 }],
  ])('%s is refused with 4004', (_, v) => expect(codeOf({ v, client_id: '1' })).toBe(4004))
})

describe('client_id', () => {
  test.each([
    ['text', '207646673902501888', '207646673902501888'],
    ['a number', 1234567890, '1234567890'],
  ])('may be %s', { tags: ['4.3-6'] }, (_, client_id, id) => expect(greeting({ client_id }).applicationId).toBe(id))
  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a path', '../../etc'],
    ['digits with a line break', '123\n'],
    ['more than 64 bits', '123456789012345678901'],
    ['a number that lost digits', 207646673902501888],
    ['a fraction', 1.5],
    ['negative', -1],
    ['an object', { toString: 1 }],
  ])('%s is refused with 4000', (_, client_id) => expect(codeOf({ v: 1, client_id })).toBe(4000))
  test('a wrong version is reported before a wrong id', () => expect(codeOf({ v: 2, client_id: '' })).toBe(4004))
})

describe('encoding', () => {
  test.each(['json', 'msgpack'] as const)('%s is supported', (encoding) => expect(greeting({ encoding }).encoding).toBe(encoding))
  test.each(['etf', '', null, 1, 'toString'])('%j is refused with 4005', (encoding) =>
    expect(codeOf({ v: 1, client_id: '1', encoding })).toBe(4005),
  )
})

describe('max_frame_bytes', () => {
  test.each([
    ['what the peer says', 16_384, 16_384],
    ['never more than the contract allows', 9_999_999, 1_048_576],
    ['at least what READY needs', 1016, 1016],
    ['not less, or the peer could not even get READY', 100, 65_528],
    ['not text', '9000', 65_528],
    ['not negative', -5, 65_528],
  ])('%s', (_, max_frame_bytes, expected) => expect(greeting({ max_frame_bytes }).maxFrameBytes).toBe(expected))
})

test('streams must be exactly true', () => {
  expect(greeting({ streams: true }).streams).toBe(true)
  for (const streams of [1, 'true', {}, null]) expect(greeting({ streams }).streams).toBe(false)
})

test('contract and sdk_version are kept if they are strings', () => {
  expect(greeting({ contract: '1.0', sdk_version: '2.3' })).toMatchObject({ contract: '1.0', sdkVersion: '2.3' })
  const other = greeting({ contract: 1, sdk_version: null })
  expect(other).not.toHaveProperty('contract')
  expect(other).not.toHaveProperty('sdkVersion')
})

test('unknown keys are ignored', () => {
  expect(greeting({ nonce: 'x', pid: 5, constructor: 1 })).toEqual(greeting({}))
})

test.each(['', '{', 'null', '[]', '"text"', '1', 'true', '\u0000'])('%j is not a handshake', (text) => {
  expect(readHandshake(Buffer.from(text))).toMatchObject({ code: 1003 })
})

test('every refusal names the requirement', () => {
  for (const hello of [{}, { v: 1 }, { v: 1, client_id: '1', encoding: 'etf' }, null]) {
    const outcome = read(hello)
    expect(isRefusal(outcome) && outcome.reason.length).toBeGreaterThan(20)
  }
})
