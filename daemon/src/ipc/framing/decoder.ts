/** Bytes in any chunking to frames. Pure: knows header and length, nothing of what a payload means. */
import { HEADER_BYTES } from '@sallyport/protocol/wire'

export interface FrameSink {
  /** A whole frame. The payload is a view that is valid only during the call. */
  onFrame(opcode: number, payload: Buffer): void
  /** A header announces more than the limit. The decoder takes nothing more. */
  onOversize(declaredBytes: number, limitBytes: number): void
}

const EMPTY = Buffer.alloc(0)
/** First allocation for a payload that spans chunks; it doubles as bytes really arrive, so that an announced length costs nothing. */
const FIRST_BODY_BYTES = 4096

/**
 *   chunk  ──▶ whole frames are handed on as views, nothing is copied
 *          └─▶ the rest: up to 8 header bytes in `head`, then the payload so far in `body`
 */
export class FrameDecoder {
  /** Largest payload that is accepted, in bytes. */
  maxPayloadBytes: number
  #head: Buffer | undefined
  #headBytes = 0
  #body = EMPTY
  #bodyBytes = 0
  /** Payload length of the frame that is being collected; -1 while its header is incomplete. */
  #needed = -1
  #opcode = 0
  #stopped = false

  constructor(maxPayloadBytes: number) {
    this.maxPayloadBytes = maxPayloadBytes
  }

  /** What is held of a frame that has not come to its end. */
  get heldBytes(): number {
    return this.#headBytes + this.#body.length
  }

  /** Takes no more bytes: what follows a violation or a farewell is not read. */
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

  /** Completes the frame begun in earlier chunks; returns how much of this chunk it took. */
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

  /** Collects the header; when it is whole, its length is checked before anything is allocated for the payload. */
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
