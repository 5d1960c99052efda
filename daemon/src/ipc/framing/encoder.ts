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

/** Frames, and texts that are payloads of frames, as one piece of `bytes` bytes. A text is written where it is sent from, without a frame of its own. */
export function joinFrames(queued: readonly (Buffer | string)[], bytes: number): Buffer {
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

/** Payload of a frame, as a view. */
export const payloadOf = (frame: Buffer): Buffer => frame.subarray(HEADER_BYTES)

/** Payload length of a frame, in bytes. */
export const payloadBytesOf = (frame: Buffer): number => frame.length - HEADER_BYTES
