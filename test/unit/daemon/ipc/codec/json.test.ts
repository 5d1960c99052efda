import { describe, expect, test } from 'vitest'
import { json } from '../../../../../daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '../../../../../daemon/src/ipc/codec/msgpack.ts'
import { withJsonText } from '@sallyport/core/json-text'

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

describe('the answer to a call', () => {
  const text = '{ "id": "1",\n"large": 12345678901234567890, "text": "\\u00fc" }'
  const given = withJsonText(JSON.parse(text), text)

  test('carries the text it came in, to the letter', () => {
    expect(json.encodeAnswer('GET "X"', given, 'n"1')).toBe(`{"cmd":"GET \\"X\\"","data":${text},"evt":null,"nonce":"n\\"1"}`)
  })

  test('is printed where it came as no text, or as another value was made of it', () => {
    expect(json.encodeAnswer('X', undefined, null)).toBe('{"cmd":"X","data":null,"evt":null,"nonce":null}')
    expect(json.encodeAnswer('X', { ...(given as object), id: '2', large: 1 }, 7)).toBe(
      '{"cmd":"X","data":{"id":"2","large":1,"text":"ü"},"evt":null,"nonce":7}',
    )
    expect(json.encodeAnswer('X', withJsonText('word', '"word"'), null)).toBe('{"cmd":"X","data":"word","evt":null,"nonce":null}')
  })

  test('is the value alone in another encoding', () => {
    const codec = msgpackCodec()
    expect(codec.decode(Buffer.from(codec.encodeAnswer('X', given, null)))).toEqual({ cmd: 'X', data: given, evt: null, nonce: null })
  })
})
