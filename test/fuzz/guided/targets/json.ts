/** JSON: refused with SyntaxError, or a plain value that survives the way there and back; an answer holds it as it is. */
import { isDeepStrictEqual } from 'node:util'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { hold, isPlain, refusalOf, type Target } from '../target.ts'

export const target: Target = {
  seeds: ['{"cmd":"AUTHORIZE","args":{"scopes":["identify"]},"nonce":"1"}', '[1e5,-0.5,"\\u00e9\\ud83d",null,true,{"__proto__":1}]'],
  words: ['"__proto__"', '\\u0000', '\\ud800', '\u2028', '1e400'],
  run(bytes) {
    let value: unknown
    if (
      refusalOf(
        () => (value = json.decode(bytes)),
        (failure) => failure instanceof SyntaxError,
      ) !== undefined
    )
      return
    const isFinite = !JSON.stringify(value).includes('null') || bytes.includes('null')
    hold(isPlain(value), 'a decoded value is plain')
    const again = json.decode(Buffer.from(json.encode(value)))
    // JSON has no -0 and no infinity.
    if (isFinite) hold(isDeepStrictEqual(again, JSON.parse(JSON.stringify(value))), 'a value survives the way there and back')
    const answer = JSON.parse(String(json.encodeResponse('A', value, 'n'))) as { readonly data: unknown }
    hold(isDeepStrictEqual(answer.data, again), 'an answer holds the value')
  },
}
