/** Decodes frames from bytes in any chunking. Pure: it reads header and length and does not interpret payloads. */
import { HEADER_BYTES } from '@sallyport/protocol/wire'

export interface FrameSink {
  /** Receives a complete frame. The payload is a view that is valid only during the call. */
  onFrame(opcode: number, payload: Buffer): void
  /** A header declares more than the limit. The decoder stops. */
  onOversize(declaredBytes: number, limitBytes: number): void
}

const EMPTY = Buffer.alloc(0)
/** First allocation for a payload that spans chunks. It doubles as bytes arrive, so that a declared length alone costs nothing. */
const FIRST_BODY_BYTES = 4096

/**
 *   chunk  ──▶ complete frames are passed on as views, without a copy
 *          └─▶ the remainder: up to 8 header bytes in `head`, then the partial payload in `body`
 */
export class FrameDecoder {
  /** Largest accepted payload, in bytes. */
  maxPayloadBytes: number
  #head: Buffer | undefined
  #headBytes = 0
  #body = EMPTY
  #bodyBytes = 0
  /** Payload length of the current frame; -1 while its header is incomplete. */
  #needed = -1
  #opcode = 0
  #stopped = false

  constructor(maxPayloadBytes: number) {
    this.maxPayloadBytes = maxPayloadBytes
  }

  /** Buffered bytes of an incomplete frame. */
  get heldBytes(): number {
    return this.#headBytes + this.#body.length
  }

  /** Stops decoding. Bytes after a violation or a CLOSE frame are not read. */
  stop(): void {
    this.#stopped = true
    this.#head = undefined
    this.#headBytes = 0
    this.#body = EMPTY
  }

  push(chunk: Buffer, sink: FrameSink): void {
    if (this.#stopped) return
    let at = 0
    if (this.#headBytes > 0 || this.#needed >= 0) at = this.#continue(chunk, sink)
    while (!this.#stopped && chunk.length - at >= HEADER_BYTES) {
      const length = chunk.readUInt32LE(at + 4)
      if (length > this.maxPayloadBytes) return this.#refuse(length, sink)
      const end = at + HEADER_BYTES + length
      if (end > chunk.length) break
      const opcode = chunk.readUInt32LE(at)
      const payload = length === 0 ? EMPTY : chunk.subarray(at + HEADER_BYTES, end)
      at = end
      sink.onFrame(opcode, payload)
    }
    if (!this.#stopped && at < chunk.length) this.#keep(chunk, at, sink)
  }

  /** Completes the frame from earlier chunks; returns the number of bytes consumed from this chunk. */
  #continue(chunk: Buffer, sink: FrameSink): number {
    let at = 0
    if (this.#needed < 0) {
      at = this.#fillHead(chunk, 0, sink)
      if (this.#needed < 0) return chunk.length
    }
    const taken = Math.min(this.#needed - this.#bodyBytes, chunk.length - at)
    this.#append(chunk, at, at + taken)
    if (this.#bodyBytes === this.#needed) this.#deliver(sink)
    return at + taken
  }

  #keep(chunk: Buffer, at: number, sink: FrameSink): void {
    const bodyAt = this.#fillHead(chunk, at, sink)
    if (this.#needed >= 0) this.#append(chunk, bodyAt, chunk.length)
  }

  /** Collects the header. Checks its length before allocating memory for the payload. */
  #fillHead(chunk: Buffer, at: number, sink: FrameSink): number {
    this.#head ??= Buffer.allocUnsafeSlow(HEADER_BYTES)
    const taken = Math.min(HEADER_BYTES - this.#headBytes, chunk.length - at)
    chunk.copy(this.#head, this.#headBytes, at, at + taken)
    this.#headBytes += taken
    if (this.#headBytes === HEADER_BYTES) {
      const length = this.#head.readUInt32LE(4)
      if (length > this.maxPayloadBytes) this.#refuse(length, sink)
      else {
        this.#needed = length
        this.#opcode = this.#head.readUInt32LE(0)
      }
    }
    return at + taken
  }

  #append(chunk: Buffer, from: number, to: number): void {
    const total = this.#bodyBytes + to - from
    if (total > this.#body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.#needed, Math.max(FIRST_BODY_BYTES, total, this.#body.length * 2)))
      this.#body.copy(larger, 0, 0, this.#bodyBytes)
      this.#body = larger
    }
    chunk.copy(this.#body, this.#bodyBytes, from, to)
    this.#bodyBytes = total
  }

  #deliver(sink: FrameSink): void {
    const payload = this.#body.subarray(0, this.#bodyBytes)
    const opcode = this.#opcode
    this.#headBytes = 0
    this.#needed = -1
    this.#bodyBytes = 0
    this.#body = EMPTY
    this.#head = undefined
    sink.onFrame(opcode, payload)
  }

  #refuse(length: number, sink: FrameSink): void {
    this.stop()
    sink.onOversize(length, this.maxPayloadBytes)
  }
}
