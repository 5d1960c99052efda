/** Encodes frames. Each frame is a single buffer, so that one write sends it. */
import { HEADER_BYTES, OPCODES } from '@sallyport/protocol/wire'

const header = (opcode: number, payloadBytes: number): Buffer => {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payloadBytes)
  frame.writeUInt32LE(opcode, 0)
  frame.writeUInt32LE(payloadBytes, 4)
  return frame
}

export function encodeFrame(opcode: number, payload: Buffer | string): Buffer {
  if (typeof payload === 'string') {
    const frame = header(opcode, Buffer.byteLength(payload))
    frame.write(payload, HEADER_BYTES)
    return frame
  }
  const frame = header(opcode, payload.length)
  payload.copy(frame, HEADER_BYTES)
  return frame
}

/** The frame of a message. Connections share it: streams send all of it, websockets only its payload. */
export const encodeMessage = (payload: Buffer | string): Buffer => encodeFrame(OPCODES.FRAME, payload)

/** A whole frame, or a text that is the payload of one. */
export type Queued = Buffer | string

/** The frames as one piece of `bytes` bytes. A text is encoded where it is sent from, without a frame of its own. */
function join(queued: readonly Queued[], bytes: number): Buffer {
  const all = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const one of queued) {
    if (typeof one === 'string') {
      const payloadBytes = all.write(one, at + HEADER_BYTES)
      all.writeUInt32LE(OPCODES.FRAME, at)
      all.writeUInt32LE(payloadBytes, at + 4)
      at += HEADER_BYTES + payloadBytes
    } else {
      all.set(one, at)
      at += one.length
    }
  }
  return all
}

/** Larger pieces are not kept. */
const KEPT_BYTES = 64 * 1024

/**
 * Joins frames for one write. Channels that share it and send the same frames one after the other, as the subscribers of the same events do,
 * get the same piece.
 */
export class FrameJoiner {
  #queued: readonly Queued[] = []
  #joined: Buffer = Buffer.alloc(0)

  /** The list must not change afterwards. */
  join(queued: readonly Queued[], bytes: number): Buffer {
    if (this.#isLast(queued)) return this.#joined
    const joined = join(queued, bytes)
    // Responses differ from peer to peer.
    if (bytes > KEPT_BYTES || typeof queued[0] === 'string') return joined
    this.#queued = queued
    this.#joined = joined
    return joined
  }

  #isLast(queued: readonly Queued[]): boolean {
    const last = this.#queued
    if (queued.length !== last.length) return false
    for (let index = 0; index < queued.length; index++) if (queued[index] !== last[index]) return false
    return true
  }
}

/** Payload of a frame, as a view. */
export const payloadOf = (frame: Buffer): Buffer => frame.subarray(HEADER_BYTES)

/** Payload length of a frame, in bytes. */
export const payloadBytesOf = (frame: Buffer): number => frame.length - HEADER_BYTES
