/** MessagePack payloads, for peers that ask for them in the handshake. Only what JSON can say is accepted. */
import { Packr } from 'msgpackr'
import type { Codec } from './codec.ts'
import { assertPlainMsgpack } from './msgpack-scan.ts'

export function msgpackCodec(): Codec {
  const packr = new Packr({ useRecords: false, moreTypes: false, int64AsType: 'number', variableMapSize: true, skipValues: [undefined] })
  return {
    name: 'msgpack',
    encode: (value) => packr.pack(value),
    decode(bytes) {
      assertPlainMsgpack(bytes)
      return packr.unpack(bytes)
    },
  }
}
