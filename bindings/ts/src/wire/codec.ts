/** Encodes and decodes payloads. The handshake is JSON and selects the encoding of later frames. msgpackr is loaded only if selected. */
import type { EncodingName } from '@sallyport/protocol/wire'
import { ProtocolError } from '../errors.ts'

export interface Codec {
  readonly name: EncodingName
  encode(value: unknown): Uint8Array
  /** Throws ProtocolError if the bytes are not in this encoding. */
  decode(bytes: Uint8Array): unknown
}

const jsonCodec: Codec = {
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

/** `skipValues` omits undefined members, as JSON does; the package supports it but its types do not declare it. */
const PLAIN_MAPS = { useRecords: false, mapsAsObjects: true, skipValues: [undefined] }

/** The byte that MessagePack never uses. No text has it either, because it is not UTF-8. */
const NEVER_USED = 0xc1

const contains = (value: unknown, wanted: unknown): boolean =>
  value === wanted || (typeof value === 'object' && value !== null && Object.values(value).some((part) => contains(part, wanted)))

async function msgpackCodec(): Promise<Codec> {
  const { Packr } = await import('msgpackr/pack')
  // Plain maps, because msgpackr's own record extension is not part of the contract.
  const packr = new Packr(PLAIN_MAPS)
  // The package decodes the byte as an object of its own, without an error.
  const neverUsed: unknown = packr.unpack(Uint8Array.of(NEVER_USED))
  return {
    name: 'msgpack',
    encode: (value) => packr.pack(value),
    decode(bytes) {
      try {
        const value: unknown = packr.unpack(bytes)
        if (!bytes.includes(NEVER_USED) || !contains(value, neverUsed)) return value
      } catch {
        // Reported below.
      }
      throw new ProtocolError('the server sent a payload that is not msgpack')
    },
  }
}

export const loadCodec = (name: EncodingName): Promise<Codec> => (name === 'json' ? Promise.resolve(jsonCodec) : msgpackCodec())

/** First byte of a JSON object. In msgpack it is the number 123, which is never a payload of the protocol, so one byte identifies the encoding. */
const OPEN_BRACE = 0x7b

/** The codec that the server uses: JSON if it does not support the encoding in the handshake. */
export const codecOf = (firstPayload: Uint8Array, requested: Codec): Codec => (firstPayload[0] === OPEN_BRACE ? jsonCodec : requested)
