import { describe, expect, test } from 'vitest'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { withJsonText } from '@sallyport/core/json-text'

test.each([[{ a: [1, 'ü', null, true] }], ['text'], [null]])('%j survives a round trip', (value) => {
  expect(json.decode(Buffer.from(json.encode(value)))).toEqual(value)
})

describe('invalid JSON throws', () => {
  test.each(['', '{', '{"a":1}x', 'undefined', "{'a':1}", '\u0000'])('%j', (text) => expect(() => json.decode(Buffer.from(text))).toThrow())
})

test('a key named __proto__ is an ordinary key', () => {
  const value = json.decode(Buffer.from('{"__proto__":{"polluted":1}}')) as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect('polluted' in {}).toBe(false)
})

describe('the response to a call', () => {
  const text = '{ "id": "1",\n"large": 12345678901234567890, "text": "\\u00fc" }'
  const given = withJsonText(JSON.parse(text), text)

  test('keeps the original JSON text exactly', () => {
    expect(json.encodeResponse('GET "X"', given, 'n"1')).toBe(`{"cmd":"GET \\"X\\"","data":${text},"evt":null,"nonce":"n\\"1"}`)
  })

  test('is encoded if there is no original text or the value was replaced', () => {
    expect(json.encodeResponse('X', undefined, null)).toBe('{"cmd":"X","data":null,"evt":null,"nonce":null}')
    expect(json.encodeResponse('X', { ...(given as object), id: '2', large: 1 }, 7)).toBe(
      '{"cmd":"X","data":{"id":"2","large":1,"text":"ü"},"evt":null,"nonce":7}',
    )
    expect(json.encodeResponse('X', withJsonText('word', '"word"'), null)).toBe('{"cmd":"X","data":"word","evt":null,"nonce":null}')
  })

  test('has warnings beside the data, in each form', () => {
    const warnings = [{ path: 'mood', reason: 'It is not known.' }]
    expect(json.encodeResponse('X', given, 7, warnings)).toBe(
      `{"cmd":"X","data":${text},"evt":null,"nonce":7,"warnings":[{"path":"mood","reason":"It is not known."}]}`,
    )
    for (const codec of [json, msgpackCodec()])
      expect(codec.decode(Buffer.from(codec.encodeResponse('X', { id: '1' }, 7, warnings)))).toEqual({
        cmd: 'X',
        data: { id: '1' },
        evt: null,
        nonce: 7,
        warnings,
      })
  })

  test('contains only the value in another encoding', () => {
    const codec = msgpackCodec()
    expect(codec.decode(Buffer.from(codec.encodeResponse('X', given, null)))).toEqual({ cmd: 'X', data: given, evt: null, nonce: null })
  })
})
