/** What games send: handshakes, and a SET_ACTIVITY with everything a real game fills in, about 400 bytes. */

const HEADER_BYTES = 8
export const OPCODE = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3 } as const

export const APPLICATION = '1000000000000000000'

export function frame(opcode: number, payload: string | Buffer): Buffer {
  const body = Buffer.from(payload)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(body.length, 4)
  return Buffer.concat([header, body])
}

export const command = (cmd: string, args: unknown, nonce: string): Buffer => frame(OPCODE.FRAME, JSON.stringify({ cmd, args, nonce }))

/** As every existing client says hello. */
export const plainHandshake = (applicationId = APPLICATION): Buffer =>
  frame(OPCODE.HANDSHAKE, JSON.stringify({ v: 1, client_id: applicationId }))

/** As our bindings say hello. */
export const contractHandshake = (): Buffer =>
  frame(
    OPCODE.HANDSHAKE,
    JSON.stringify({ v: 1, client_id: APPLICATION, encoding: 'json', contract: '1.0', max_frame_bytes: 1_048_576, streams: true }),
  )

/** The same number of bytes for every index from 0 to 9999, and no two the same. */
function activityArgs(index: number): object {
  const mark = String(index).padStart(4, '0')
  return {
    pid: 12_345,
    activity: {
      state: 'In a group',
      details: `Wave ${mark}`,
      timestamps: { start: 1_790_000_000_000 + index },
      assets: { large_image: 'harbour_night', large_text: 'Harbour at night', small_image: 'lookout', small_text: 'Level 31' },
      party: { id: `party-ae488379-${mark}`, size: [2, 4] },
      secrets: { join: `join-1f2b8c-${mark}`, spectate: `spec-7d90aa-${mark}` },
      instance: true,
    },
  }
}

const nonceOf = (index: number): string => `647d814a-4cf8-4fbb-948f-c6c6d5d2${String(index).padStart(4, '0')}`

export const setActivity = (index: number): Buffer => command('SET_ACTIVITY', activityArgs(index), nonceOf(index))
export const nonceAt = nonceOf

/** Frames of one length, one after the other, to send any run of them in one write. */
export interface FrameRing {
  readonly frames: number
  readonly frameBytes: number
  /** `count` frames from the `from`-th on, `from` taken modulo the size; `count` at most the size. */
  slice(from: number, count: number): Buffer
}

export function activityRing(frames: number): FrameRing {
  const all = Array.from({ length: frames }, (_, index) => setActivity(index))
  const frameBytes = all[0]!.length
  // Twice round, so that a run over the end is still one piece.
  const bytes = Buffer.concat([...all, ...all])
  if (bytes.length !== 2 * frames * frameBytes) throw new Error('the frames of a ring must have one length')
  return {
    frames,
    frameBytes,
    slice(from, count) {
      const start = (from % frames) * frameBytes
      return bytes.subarray(start, start + count * frameBytes)
    },
  }
}
