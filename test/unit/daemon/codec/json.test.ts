import { describe, expect, test } from 'vitest'
import { json } from '../../../../daemon/src/codec/json.ts'

test.each([[{ a: [1, 'ü', null, true] }], ['text'], [null]])('%j goes there and back', (value) => {
  expect(json.decode(Buffer.from(json.encode(value)))).toEqual(value)
})

describe('what is not JSON throws', () => {
  test.each(['', '{', '{"a":1}x', 'undefined', "{'a':1}", '\u0000'])('%j', (text) => expect(() => json.decode(Buffer.from(text))).toThrow())
})

test('a key that would be a prototype is only a key', () => {
  const value = json.decode(Buffer.from('{"__proto__":{"polluted":1}}')) as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect('polluted' in {}).toBe(false)
})
