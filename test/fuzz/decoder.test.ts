/** Frames in any chunks decode unchanged. Any other bytes decode to frames within the limit, or to one refusal. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrameDecoder } from '#daemon/src/ipc/framing/decoder.ts'
import { frame, split } from '#test/support/frames.ts'
import { FUZZ_TIMEOUT_MS, runs } from './runs.ts'

const LIMIT = 2000

function decode(chunks: readonly Buffer[]): { frames: [number, string][]; refusals: number[] } {
  const frames: [number, string][] = []
  const refusals: number[] = []
  const decoder = new FrameDecoder(LIMIT)
  for (const chunk of chunks) {
    decoder.push(chunk, {
      onFrame: (opcode, payload) => frames.push([opcode, payload.toString('hex')]),
      onOversize: (declared) => refusals.push(declared),
    })
  }
  return { frames, refusals }
}

/** Cuts at places that are given as parts of the whole, from 0 to 1. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => Math.floor(place * bytes.length)).toSorted((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })
const payload = fc.uint8Array({ maxLength: LIMIT, size: 'medium' }).map((bytes) => Buffer.from(bytes))

test(
  'frames survive any chunking',
  () => {
    const frames = fc.array(fc.tuple(fc.nat(0xffffffff), payload), { maxLength: 12 })
    fc.assert(
      fc.property(frames, places, (given, cuts) => {
        const bytes = Buffer.concat(given.map(([opcode, body]) => frame(opcode, body)))
        expect(decode(cut(bytes, cuts))).toEqual({ frames: given.map(([opcode, body]) => [opcode, body.toString('hex')]), refusals: [] })
      }),
      runs(500),
    )
  },
  FUZZ_TIMEOUT_MS,
)

test(
  'any bytes, in any chunking, give the same frames and at most one refusal',
  () => {
    // Small numbers in the headers, so that random bytes often are frames.
    const noise = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.tuple(fc.nat(5), fc.nat(LIMIT * 2)).map(([opcode, length]) => new Uint32Array([opcode, length])),
      ),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(noise, places, (parts, cuts) => {
        const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
        const { frames, refusals } = decode(cut(bytes, cuts))
        expect({ frames, refusals }).toEqual(decode([bytes]))
        const expected = split(bytes).frames
        const firstTooLarge = expected.findIndex(({ payload: body }) => body.length > LIMIT)
        const within = firstTooLarge < 0 ? expected : expected.slice(0, firstTooLarge)
        expect(frames).toEqual(within.map(({ opcode, payload: body }) => [opcode, body.toString('hex')]))
        expect(refusals.length).toBeLessThanOrEqual(1)
        if (firstTooLarge >= 0) expect(refusals).toEqual([expected[firstTooLarge]?.payload.length])
      }),
      runs(500),
    )
  },
  FUZZ_TIMEOUT_MS,
)
