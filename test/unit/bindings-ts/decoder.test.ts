/** The frame decoder: the same frames for any chunks, and bounded memory. */
import { expect, test } from 'vitest'
import { encodeFrame, FrameDecoder } from '#bindings/ts/src/wire/decoder.ts'
import { frame } from './fake-server.ts'

const payloads = ['', '{}', '{"cmd":"DISPATCH"}', 'żółw 🐢', 'x'.repeat(300)]
const stream = Buffer.concat(payloads.map((text, index) => frame(1 + (index % 4), Buffer.from(text))))
const expected = payloads.map((text, index) => [1 + (index % 4), text])

const decode = (chunks: readonly Uint8Array[], limit = 1_048_576) => {
  const decoder = new FrameDecoder(limit)
  return chunks.flatMap((chunk) => [...decoder.push(chunk)].map(({ opcode, payload }) => [opcode, Buffer.from(payload).toString()]))
}

test('every split into two chunks gives the same frames', () => {
  for (let cut = 0; cut <= stream.length; cut += 1) expect(decode([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(expected)
})

test('chunks of every size give the same frames', () => {
  for (let size = 1; size <= 40; size += 1) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) => stream.subarray(index * size, (index + 1) * size))
    expect(decode(chunks)).toEqual(expected)
  }
})

test('a payload at the limit is accepted; one byte more is rejected after its header', () => {
  expect(decode([frame(1, Buffer.alloc(16, 0x20))], 16)).toHaveLength(1)
  expect(() => decode([frame(1, Buffer.alloc(17)).subarray(0, 8)], 16)).toThrow('a frame of 17 bytes; at most 16')
})

test('a length of 4 GiB less one is read as unsigned and rejected', () => {
  expect(() => decode([Buffer.from([1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])])).toThrow('4294967295 bytes')
})

test.each([0, 5, 99, 0x7fffffff])('a frame of type %i is rejected', (opcode) => {
  expect(() => decode([frame(opcode, Buffer.alloc(0))])).toThrow(`a frame of type ${opcode}`)
})

test('frames before the invalid one are delivered', () => {
  const decoder = new FrameDecoder(100)
  const frames = decoder.push(Buffer.concat([frame(1, Buffer.from('ok')), frame(99, Buffer.alloc(0))]))
  expect(Buffer.from(frames.next().value?.payload ?? []).toString()).toBe('ok')
  expect(() => frames.next()).toThrow('a frame of type 99')
})

test('the encoder writes header and payload', () => {
  expect(encodeFrame(3, Buffer.from('żó'))).toEqual(frame(3, Buffer.from('żó')))
})
