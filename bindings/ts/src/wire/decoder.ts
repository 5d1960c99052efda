/** Encodes and decodes frames with bounded memory. The decoder checks the length before it allocates the payload. */
import { HEADER_BYTES, OPCODES, type Opcode } from '@sallyport/protocol/wire'
import { ProtocolError } from '../errors.ts'

export interface Frame {
  readonly opcode: Opcode
  readonly payload: Uint8Array
}

const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODES))
const isOpcode = (value: number): value is Opcode => KNOWN.has(value)

/** A header and its payload in one buffer, so that one write sends both. */
export function encodeFrame(opcode: Opcode, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.length)
  frame.writeUInt32LE(opcode, 0)
  frame.writeUInt32LE(payload.length, 4)
  frame.set(payload, HEADER_BYTES)
  return frame
}

export class FrameDecoder {
  readonly #maxPayloadBytes: number
  readonly #header = Buffer.alloc(HEADER_BYTES)
  #headerBytes = 0
  /** A payload that is spread over several chunks. */
  #partial: { readonly opcode: Opcode; readonly payload: Buffer; bytes: number } | undefined

  constructor(maxPayloadBytes: number) {
    this.#maxPayloadBytes = maxPayloadBytes
  }

  /**
   * Yields the frames that this chunk completes, in order. A payload may share the chunk's memory.
   * Throws ProtocolError if the stream is invalid; the connection must then be closed.
   */
  *push(bytes: Uint8Array): Generator<Frame, void, void> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let offset = 0
    while (offset < chunk.length) {
      const partial = this.#partial
      if (partial !== undefined) {
        const copied = chunk.copy(partial.payload, partial.bytes, offset)
        partial.bytes += copied
        offset += copied
        if (partial.bytes < partial.payload.length) return
        this.#partial = undefined
        yield { opcode: partial.opcode, payload: partial.payload }
        continue
      }
      const copied = chunk.copy(this.#header, this.#headerBytes, offset)
      this.#headerBytes += copied
      offset += copied
      if (this.#headerBytes < HEADER_BYTES) return
      this.#headerBytes = 0
      const { opcode, length } = this.#readHeader()
      if (chunk.length - offset < length) {
        this.#partial = { opcode, payload: Buffer.allocUnsafe(length), bytes: 0 }
        continue
      }
      offset += length
      yield { opcode, payload: chunk.subarray(offset - length, offset) }
    }
  }

  #readHeader(): { readonly opcode: Opcode; readonly length: number } {
    const opcode = this.#header.readUInt32LE(0)
    const length = this.#header.readUInt32LE(4)
    if (!isOpcode(opcode) || opcode === OPCODES.HANDSHAKE) throw new ProtocolError(`the server sent a frame of type ${opcode}`)
    if (length > this.#maxPayloadBytes) {
      throw new ProtocolError(`the server announced a frame of ${length} bytes; at most ${this.#maxPayloadBytes} are accepted`)
    }
    return { opcode, length }
  }
}
