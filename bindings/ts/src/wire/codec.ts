/** Payloads to values and back. The handshake is JSON; what follows uses the encoding it chose. msgpackr is loaded only when asked for. */
import type { EncodingName } from '@sallyport/protocol/wire'
import { ProtocolError } from '../errors.ts'

export interface Codec {
  readonly name: EncodingName
  encode(value: unknown): Uint8Array
  /** Throws ProtocolError when the bytes are not of this encoding. */
  decode(bytes: Uint8Array): unknown
}

export const jsonCodec: Codec = {
  name: 'json',
  encode: (value) => Buffer.from(JSON.stringify(value), 'utf8'),
  decode(bytes) {
    try {
      return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as unknown
    } catch {
      throw new ProtocolError('the server sent a payload that is not JSON')
    }
  },
}

/** `skipValues` leaves undefined members out, as JSON does; the package reads it but its types do not know it. */
const PLAIN_MAPS = { useRecords: false, mapsAsObjects: true, skipValues: [undefined] }

async function msgpackCodec(): Promise<Codec> {
  const { Packr } = await import('msgpackr/pack')
  // Plain maps: msgpackr's own record extension is not part of the contract.
  const packr = new Packr(PLAIN_MAPS)
  return {
    name: 'msgpack',
    encode: (value) => packr.pack(value),
    decode(bytes) {
      try {
        return packr.unpack(bytes) as unknown
      } catch {
        throw new ProtocolError('the server sent a payload that is not msgpack')
      }
    },
  }
}

export const loadCodec = (name: EncodingName): Promise<Codec> => (name === 'json' ? Promise.resolve(jsonCodec) : msgpackCodec())

/** First byte of a JSON object. In msgpack it is the number 123, which no payload of the protocol is, so one byte tells the two apart. */
const OPEN_BRACE = 0x7b

/** The codec the server really uses: one that does not know the choice in the handshake answers in JSON. */
export const codecOf = (firstPayload: Uint8Array, asked: Codec): Codec => (firstPayload[0] === OPEN_BRACE ? jsonCodec : asked)
