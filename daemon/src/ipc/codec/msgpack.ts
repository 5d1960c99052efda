/** MessagePack payloads, for peers that ask for them in the handshake. Only what JSON can say is accepted. */
import { Packr } from 'msgpackr/pack'
import type { Codec } from './codec.ts'
import { assertPlainMsgpack } from './msgpack-scan.ts'

/** `skipValues` is documented by the package and missing in its types: what JSON leaves out is left out here too. */
const OPTIONS = { useRecords: false, moreTypes: false, int64AsType: 'number', variableMapSize: true, skipValues: [undefined] } as const

export function msgpackCodec(): Codec {
  const packr = new Packr(OPTIONS)
  return {
    name: 'msgpack',
    encode: (value) => packr.pack(value),
    encodeAnswer: (cmd, data, nonce) => packr.pack({ cmd, data: data ?? null, evt: null, nonce }),
    decode(bytes) {
      assertPlainMsgpack(bytes)
      return packr.unpack(bytes) as unknown
    },
  }
}
