/** Payload encoding. A codec handles values and bytes, not frames or commands. */
import type { CallWarning, EncodingName } from '@sallyport/protocol/wire'

export interface Codec {
  readonly name: EncodingName
  encode(value: unknown): Buffer | string
  /** Encodes the response to a call. */
  encodeResponse(cmd: string, data: unknown, nonce: string | number | null, warnings?: readonly CallWarning[]): Buffer | string
  /** Throws when the bytes are not of this encoding. */
  decode(bytes: Buffer): unknown
}
