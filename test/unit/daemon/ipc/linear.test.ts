/** A frame costs work in proportion to its bytes and not to what is in them. Work is counted, not timed. */
import { blocksOf } from '#test/support/work.ts'
import { OPCODES } from '@sallyport/protocol/wire'
import { describe, expect, test, vi } from 'vitest'
import { json } from '#daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '#daemon/src/ipc/codec/msgpack.ts'
import { assertPlainMsgpack } from '#daemon/src/ipc/codec/msgpack-scan.ts'
import { nonceOf, readEnvelope } from '#daemon/src/ipc/connection/envelope.ts'
import { FrameDecoder } from '#daemon/src/ipc/framing/decoder.ts'
import { encodeFrame } from '#daemon/src/ipc/framing/encoder.ts'

const KIB = 1024
const [SMALL, LARGE] = [64 * KIB, 1024 * KIB]
/** Of the quotient of sizes, 16: what a start costs is part of the small one. */
const MOST = 20

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const nested = (depth: number): unknown => numbers(depth).reduce<unknown>((inner) => [inner], 0)

/** V8 counts no block of a function that it has just optimised, so the work is counted again if it does not hold: so often at most. */
const COUNTS = 3

/** Compares the work for a small and a large input. */
function expectCounts(workOf: (bytes: number) => number, holds: (counts: readonly [small: number, large: number]) => boolean): void {
  // Code that runs for the first time is loaded or compiled, which may be counted.
  workOf(SMALL)
  const count = (): readonly [number, number] => [workOf(SMALL), workOf(LARGE)]
  let counts = count()
  for (let times = 1; times < COUNTS && !holds(counts); times++) counts = count()
  expect(counts).toSatisfy(holds)
}

const expectLinear = (workOf: (bytes: number) => number): void =>
  expectCounts(workOf, ([small, large]) => small > 0 && large > 0 && large / small < MOST)
const expectSame = (workOf: (bytes: number) => number): void => expectCounts(workOf, ([small, large]) => small > 0 && large === small)

/** Values whose encoding has about so many bytes. */
const VALUES: readonly (readonly [name: string, ofSize: (bytes: number) => unknown])[] = [
  ['many keys', (bytes) => Object.fromEntries(numbers(bytes / 16).map((index) => [`key-${index}`, index % 100]))],
  ['keys that are numbers', (bytes) => Object.fromEntries(numbers(bytes / 16).map((index) => [String(index * 1024), 1]))],
  ['one long string', (bytes) => 'x'.repeat(bytes)],
  ['one long string of other letters', (bytes) => 'ü€😀'.repeat(bytes / 9)],
  ['many strings', (bytes) => numbers(bytes / 40).map((index) => `${index}`.padEnd(36, 'y'))],
  ['empty lists', (bytes) => numbers(bytes / 2).map(() => [])],
  ['small numbers', (bytes) => numbers(bytes / 2).map(() => 7)],
  ['large numbers', (bytes) => numbers(bytes / 10).map((index) => 2 ** 52 + index)],
  ['deep lists', (bytes) => numbers(bytes / 128).map(() => nested(60))],
]

const u32 = (value: number): readonly number[] => [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]

/** Bytes that no encoder writes. */
const MSGPACK: readonly (readonly [name: string, ofSize: (bytes: number) => Buffer])[] = [
  [
    'one key again and again',
    (bytes) => Buffer.from([0xdf, ...u32(bytes / 4), ...numbers(bytes / 4).flatMap(() => [0xa1, 0x61, 0xcc, 0xff])]),
  ],
  ['nesting without an end', (bytes) => Buffer.alloc(bytes, 0x91)],
  ['lists that declare all that follows', (bytes) => Buffer.from(numbers(bytes / 5).flatMap((at) => [0xdd, ...u32(bytes - 5 * at - 5)]))],
  [
    'maps that declare all that follows',
    (bytes) => Buffer.from(numbers(bytes / 5).flatMap((at) => [0xdf, ...u32((bytes - 5 * at - 5) >> 1)])),
  ],
  ['strings without a byte', (bytes) => Buffer.from([0xdd, ...u32(bytes), ...numbers(bytes).map(() => 0xa0)])],
  ['long forms of nothing', (bytes) => Buffer.from([0xdd, ...u32(bytes / 5), ...numbers(bytes / 5).flatMap(() => [0xdb, ...u32(0)])])],
]

const JSON_TEXTS: readonly (readonly [name: string, ofSize: (bytes: number) => string])[] = [
  [
    'one key again and again',
    (bytes) =>
      `{${numbers(bytes / 6)
        .map(() => '"a":1')
        .join()}}`,
  ],
  ['nesting without an end', (bytes) => '['.repeat(bytes)],
  ['nesting', (bytes) => `${'[{"a":'.repeat(bytes / 8)}1${'}]'.repeat(bytes / 8)}`],
  ['escapes', (bytes) => `"${'\\u0061'.repeat(bytes / 6)}"`],
  ['a long number', (bytes) => '1'.repeat(bytes)],
]

const attempt = (task: () => unknown): void => {
  try {
    task()
  } catch (failure) {
    // A codec refuses bytes by an error; anything else is a defect.
    if (!(failure instanceof SyntaxError || failure instanceof RangeError)) throw failure
  }
}

describe('MessagePack', () => {
  const codec = msgpackCodec()
  const CODE = ['/ipc/codec/', '/msgpackr/', '/ipc/connection/envelope']
  const bytesOf = (value: unknown): Buffer => Buffer.from(codec.encode(value))

  test.each(VALUES)('decodes and encodes %s', (_, ofSize) => {
    expectLinear((bytes) => {
      const encoded = bytesOf(ofSize(bytes))
      return blocksOf(CODE, () => attempt(() => nonceOf(codec.decode(encoded))))
    })
    expectLinear((bytes) => {
      const value = ofSize(bytes)
      return blocksOf(CODE, () => codec.encodeResponse('A', value, null))
    })
  })

  test.each(MSGPACK)('decodes %s', (_, ofSize) => {
    expectLinear((bytes) => {
      const encoded = ofSize(bytes)
      return blocksOf(CODE, () => attempt(() => codec.decode(encoded)))
    })
  })

  test.each(MSGPACK)('is scanned in a few steps a byte: %s', (_, ofSize) => {
    for (const bytes of [SMALL, LARGE]) {
      const encoded = ofSize(bytes)
      // What is nested without an end is refused after a few bytes.
      expect(blocksOf(['/msgpack-scan'], () => attempt(() => assertPlainMsgpack(encoded)))).toBeLessThan(16 * bytes)
    }
  })
})

describe('JSON', () => {
  const CODE = ['/ipc/codec/', '/json-text', '/ipc/connection/envelope']

  test.each(JSON_TEXTS)('our part of the work does not depend on %s', (_, ofSize) => {
    const workOf = (bytes: number): number => {
      const text = Buffer.from(`{"cmd":"A","nonce":"1","args":${ofSize(bytes)}}`)
      return blocksOf(CODE, () => attempt(() => readEnvelope(json.decode(text), 1)))
    }
    expectSame(workOf)
  })
  test.each(VALUES)('nor does a response with %s', (_, ofSize) => {
    const workOf = (bytes: number): number => {
      const value = ofSize(bytes)
      return blocksOf(CODE, () => attempt(() => json.encodeResponse('A', value, null)))
    }
    expectSame(workOf)
  })
})

describe('the frame decoder, for', () => {
  /** Blocks that run, bytes that are copied, and bytes that are allocated. */
  function workOf(chunks: readonly Buffer[], maxPayloadBytes = LARGE): number {
    let bytes = 0
    const copies = vi.spyOn(Buffer.prototype, 'copy')
    const allocate = Buffer.allocUnsafeSlow
    const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
      bytes += size
      return allocate(size)
    })
    let frames = 0
    const decoder = new FrameDecoder(maxPayloadBytes)
    const sink = { onFrame: () => (frames += 1), onOversize: () => {} }
    try {
      const blocks = blocksOf(['/ipc/framing/decoder'], () => {
        for (const chunk of chunks) decoder.push(chunk, sink)
      })
      for (const { value } of copies.mock.results) bytes += Number(value)
      return blocks + bytes
    } finally {
      copies.mockRestore()
      allocations.mockRestore()
    }
  }
  const cut = (bytes: Buffer, size: number): readonly Buffer[] =>
    numbers(Math.ceil(bytes.length / size)).map((index) => bytes.subarray(index * size, (index + 1) * size))
  const repeated = (frame: Buffer, bytes: number): Buffer => Buffer.concat(numbers(Math.floor(bytes / frame.length)).map(() => frame))
  const PING = (bytes: number): Buffer => encodeFrame(OPCODES.PING, Buffer.alloc(bytes))

  test.each<[string, (bytes: number) => readonly Buffer[]]>([
    ['many tiny frames in one chunk', (bytes) => [repeated(PING(0), bytes)]],
    ['tiny frames that end in the next chunk', (bytes) => cut(repeated(PING(5), bytes), 14)],
    ['one frame, one byte at a time', (bytes) => cut(PING(bytes - 8), 1)],
    ['tiny frames, one byte at a time', (bytes) => cut(repeated(PING(1), bytes), 1)],
    ['one frame in small chunks', (bytes) => cut(PING(bytes - 8), 100)],
    ['half of a frame, again and again', (bytes) => cut(repeated(PING(4000), bytes), 2004)],
  ])('%s', (_, ofSize) => {
    expectLinear((bytes) => workOf(ofSize(bytes)))
  })

  test('a made-up length holds no more than twice what has come', () => {
    const decoder = new FrameDecoder(LARGE)
    const sink = { onFrame: () => {}, onOversize: () => {} }
    const frame = PING(LARGE)
    decoder.push(frame.subarray(0, 9), sink)
    expect(decoder.heldBytes).toBeLessThanOrEqual(8192)
    let come = 9
    for (const chunk of cut(frame.subarray(9, 700 * KIB), 1000)) {
      come += chunk.length
      decoder.push(chunk, sink)
      expect(decoder.heldBytes).toBeLessThanOrEqual(Math.max(8192, 2 * come))
    }
  })
})
