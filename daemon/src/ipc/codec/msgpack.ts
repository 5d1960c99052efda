/** MessagePack codec, for peers that request it in the handshake. It accepts only values that JSON can represent. */
import { Packr } from 'msgpackr/pack'
import type { Codec } from './codec.ts'
import { assertPlainMsgpack } from './msgpack-scan.ts'

/** The package documents `skipValues`, but its types lack it. It omits `undefined` fields, as JSON does. */
const OPTIONS = { useRecords: false, moreTypes: false, int64AsType: 'number', variableMapSize: true, skipValues: [undefined] } as const

export function msgpackCodec(): Codec {
  const packr = new Packr(OPTIONS)
  return {
    name: 'msgpack',
    encode: (value) => packr.pack(value),
    encodeResponse: (cmd, data, nonce, warnings) =>
      packr.pack({ cmd, data: data ?? null, evt: null, nonce, ...(warnings === undefined ? {} : { warnings }) }),
    decode(bytes) {
      assertPlainMsgpack(bytes)
      return packr.unpack(bytes) as unknown
    },
  }
}
