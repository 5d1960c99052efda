/** JSON codec, which every peer supports. */
import { jsonTextOf } from '@sallyport/core/json-text'
import type { Codec } from './codec.ts'

export const json: Codec = {
  name: 'json',
  encode: (value) => JSON.stringify(value),
  encodeResponse(cmd, data, nonce, warnings) {
    const text = jsonTextOf(data)
    // Absent warnings leave no member.
    if (text === undefined) return JSON.stringify({ cmd, data: data ?? null, evt: null, nonce, warnings })
    const more = warnings === undefined ? '' : `,"warnings":${JSON.stringify(warnings)}`
    return `{"cmd":${JSON.stringify(cmd)},"data":${text},"evt":null,"nonce":${JSON.stringify(nonce)}${more}}`
  },
  decode: (bytes): unknown => JSON.parse(bytes.toString()),
}
