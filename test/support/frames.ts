/** Encodes and decodes frames independently, so that the daemon's framing is never checked with itself. */

export const OP = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3, PONG: 4 } as const

const HEADER = 8

/** A frame of any payload, valid or not. Objects are written as JSON. */
export function frame(opcode: number, payload: Buffer | string | object | null): Buffer {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  return Buffer.concat([head(opcode, body.length), body])
}

/** Only the header: it may lie about what follows. */
export function head(opcode: number, length: number): Buffer {
  const bytes = new Uint8Array(HEADER)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, opcode >>> 0, true)
  view.setUint32(4, length >>> 0, true)
  return Buffer.from(bytes)
}

export const handshake = (more: object = {}): Buffer => frame(OP.HANDSHAKE, { v: 1, client_id: '1234567890', ...more })

export interface Received {
  readonly opcode: number
  readonly payload: Buffer
}

/** All whole frames in `bytes`, and what is left over. */
export function split(bytes: Buffer): { readonly frames: Received[]; readonly rest: Buffer } {
  const frames: Received[] = []
  let at = 0
  while (bytes.length - at >= HEADER) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, HEADER)
    const end = at + HEADER + view.getUint32(4, true)
    if (end > bytes.length) break
    frames.push({ opcode: view.getUint32(0, true), payload: Buffer.from(bytes.subarray(at + HEADER, end)) })
    at = end
  }
  return { frames, rest: Buffer.from(bytes.subarray(at)) }
}

/** A message as the protocol shapes it. */
export interface Message {
  readonly cmd: string
  readonly data: any
  readonly evt: string | null
  readonly nonce: string | number | null
}

export const jsonOf = (payload: Buffer): any => JSON.parse(payload.toString('utf8'))

/** The JSON messages in `bytes`, which must be whole frames of opcode 1. */
export function messages(bytes: Buffer): Message[] {
  const { frames, rest } = split(bytes)
  if (rest.length > 0) throw new Error(`${rest.length} bytes are no whole frame`)
  return frames.map(({ opcode, payload }) => {
    if (opcode !== OP.FRAME) throw new Error(`opcode ${opcode}: ${payload.toString('utf8')}`)
    return jsonOf(payload) as Message
  })
}
