/** How payloads are written. A codec knows values and bytes, not frames or commands. */
import type { EncodingName } from '@sallyport/protocol/wire'

export interface Codec {
  readonly name: EncodingName
  encode(value: unknown): Buffer | string
  /** The answer to a call. */
  encodeAnswer(cmd: string, data: unknown, nonce: string | number | null): Buffer | string
  /** Throws when the bytes are not of this encoding. */
  decode(bytes: Buffer): unknown
}
