import { describe, expect, test } from 'vitest'
import { FrameDecoder } from '#daemon/src/ipc/framing/decoder.ts'
import { frame, head } from '#test/support/frames.ts'

interface Seen {
  readonly frames: [opcode: number, payload: string][]
  readonly oversize: [declared: number, limit: number][]
}

const ignore: (decoder: FrameDecoder) => void = () => {}

/** The output of a decoder with this limit for these chunks. */
function decode(chunks: readonly Buffer[], limit = 4096, { onFrame = ignore } = {}): Seen {
  const seen: Seen = { frames: [], oversize: [] }
  const decoder = new FrameDecoder(limit)
  for (const chunk of chunks) {
    decoder.push(chunk, {
      onFrame: (opcode, payload) => {
        seen.frames.push([opcode, payload.toString('latin1')])
        onFrame(decoder)
      },
      onOversize: (declared, most) => seen.oversize.push([declared, most]),
    })
  }
  return seen
}

const cutInto = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

const FRAMES: [number, string][] = [
  [0, '{"v":1}'],
  [1, ''],
  [3, 'ping'],
  [1, 'x'.repeat(300)],
  [0xffffffff, 'odd'],
  [2, ''],
]
const BYTES = Buffer.concat(FRAMES.map(([opcode, text]) => frame(opcode, text)))

describe('the same frames are decoded from', () => {
  test('all bytes at once', () => expect(decode([BYTES]).frames).toEqual(FRAMES))
  test('one byte at a time', () => expect(decode(cutInto(BYTES, 1)).frames).toEqual(FRAMES))
  test('header and body apart', () => {
    const chunks = FRAMES.flatMap(([opcode, text]) => [head(opcode, text.length), Buffer.from(text)])
    expect(decode(chunks).frames).toEqual(FRAMES)
  })
  test('every cut into two', () => {
    for (let at = 0; at <= BYTES.length; at++)
      expect(decode([BYTES.subarray(0, at), BYTES.subarray(at)]).frames, `cut at ${at}`).toEqual(FRAMES)
  })
  test('every chunk size', () => {
    for (let size = 2; size < 64; size++) expect(decode(cutInto(BYTES, size)).frames, `chunks of ${size}`).toEqual(FRAMES)
  })
  test('chunks with empty ones between', () =>
    expect(decode(cutInto(BYTES, 5).flatMap((chunk) => [chunk, Buffer.alloc(0)])).frames).toEqual(FRAMES))
})

test('a payload stays intact when its chunks are overwritten later', () => {
  const shared = Buffer.alloc(16)
  const frames: string[] = []
  const decoder = new FrameDecoder(64)
  const bytes = frame(1, 'abcdefghijklmnopqrstuvwxyz')
  for (let at = 0; at < bytes.length; at += shared.length) {
    const taken = bytes.copy(shared, 0, at)
    decoder.push(shared.subarray(0, taken), { onFrame: (_, payload) => frames.push(payload.toString()), onOversize: () => {} })
    shared.fill(0)
  }
  expect(frames).toEqual(['abcdefghijklmnopqrstuvwxyz'])
})

describe('the limit', () => {
  test('is inclusive', () => {
    expect(decode([frame(1, 'x'.repeat(100))], 100).frames).toHaveLength(1)
    expect(decode([frame(1, 'x'.repeat(101))], 100)).toEqual({ frames: [], oversize: [[101, 100]] })
  })
  test.each([
    ['4 GiB', 0xffffffff],
    ['what would be a negative number', 0x80000000],
    ['one too many', 4097],
  ])('refuses a header of %s before its body, however it arrives', (_, length) => {
    for (const size of [1, 4, 8]) expect(decode(cutInto(head(1, length), size))).toEqual({ frames: [], oversize: [[length, 4096]] })
    expect(decode([Buffer.concat([frame(1, 'ok'), head(1, length)])])).toEqual({ frames: [[1, 'ok']], oversize: [[length, 4096]] })
  })
  test('is reported once, and no later bytes are read', () => {
    expect(decode([head(1, 5000), frame(1, 'x'), frame(1, 'y')])).toEqual({ frames: [], oversize: [[5000, 4096]] })
  })
  test('can be raised by the first frame for later frames in the same chunk', () => {
    const bytes = Buffer.concat([frame(0, 'hello'), frame(1, 'x'.repeat(50))])
    const raise = { onFrame: (decoder: FrameDecoder) => void (decoder.maxPayloadBytes = 50) }
    for (const size of [1, 3, bytes.length]) expect(decode(cutInto(bytes, size), 10, raise).frames).toHaveLength(2)
    expect(decode([bytes], 10).oversize).toEqual([[50, 10]])
  })
})

test('a declared length costs nothing until its bytes arrive', () => {
  const MANY = 2000
  const before = process.memoryUsage().arrayBuffers
  const decoders = Array.from({ length: MANY }, () => {
    const decoder = new FrameDecoder(1_048_576)
    decoder.push(Buffer.concat([head(1, 1_048_576), Buffer.from('x')]), { onFrame: () => {}, onOversize: () => {} })
    return decoder
  })
  // 2,000 declared lengths of 1 MiB: 2 GB if allocated in full, 8 MB with the first allocation only.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MANY * 8192)
  expect(decoders).toHaveLength(MANY)
})

describe('stopped', () => {
  const after = (first: Buffer, then: Buffer): Seen => {
    const seen: Seen = { frames: [], oversize: [] }
    const sink = {
      onFrame: (opcode: number, payload: Buffer) => seen.frames.push([opcode, payload.toString()]),
      onOversize: (...sizes: [number, number]) => seen.oversize.push(sizes),
    }
    const decoder = new FrameDecoder(100)
    decoder.push(first, sink)
    decoder.stop()
    decoder.push(then, sink)
    return seen
  }
  const whole = frame(1, 'abcdef')
  test.each([
    ['between frames', 0],
    ['inside a header', 4],
    ['inside a body', 11],
  ])('%s, it delivers no more frames', (_, at) => {
    expect(after(whole.subarray(0, at), Buffer.concat([whole.subarray(at), whole]))).toEqual({ frames: [], oversize: [] })
    expect(after(whole.subarray(0, at), head(1, 0xffff))).toEqual({ frames: [], oversize: [] })
  })
  test('by the receiver of a frame, it drops the rest of the chunk', () => {
    expect(decode([Buffer.concat([whole, whole, whole])], 100, { onFrame: (decoder) => decoder.stop() }).frames).toEqual([[1, 'abcdef']])
  })
})
