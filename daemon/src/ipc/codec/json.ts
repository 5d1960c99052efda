/** JSON codec, which every peer supports. */
import { jsonTextOf } from '@sallyport/core/json-text'
import type { Codec } from './codec.ts'

export const json: Codec = {
  name: 'json',
  encode: (value) => JSON.stringify(value),
  encodeResponse(cmd, data, nonce) {
    const text = jsonTextOf(data)
    return text === undefined
      ? JSON.stringify({ cmd, data: data ?? null, evt: null, nonce })
      : `{"cmd":${JSON.stringify(cmd)},"data":${text},"evt":null,"nonce":${JSON.stringify(nonce)}}`
  },
  decode: (bytes): unknown => JSON.parse(bytes.toString()),
}
