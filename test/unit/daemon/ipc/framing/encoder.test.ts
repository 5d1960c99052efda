import { expect, test } from 'vitest'
import { encodeFrame, encodeMessage, FrameJoiner, type Queued } from '#daemon/src/ipc/framing/encoder.ts'
import { frame } from '#test/support/frames.ts'

test.each([
  ['text', 'hello'],
  ['no text', ''],
  ['text whose bytes are more than its characters', 'Grüße, 世界 🎮'],
])('%s becomes header and bytes in one buffer', (_, text) => {
  expect(encodeFrame(1, text)).toEqual(frame(1, text))
})

test('bytes are copied unchanged', () => {
  const bytes = Buffer.from([0, 255, 128, 10])
  expect(encodeFrame(4, bytes)).toEqual(frame(4, bytes))
})

test('the frame keeps its bytes when the payload buffer is reused', () => {
  const payload = Buffer.from('abc')
  const encoded = encodeFrame(1, payload)
  payload.fill(0)
  expect(encoded).toEqual(frame(1, 'abc'))
})

const bytesOf = (queued: readonly Queued[]): number =>
  queued.reduce((sum, one) => sum + (typeof one === 'string' ? encodeMessage(one).length : one.length), 0)
const join = (joiner: FrameJoiner, queued: readonly Queued[]) => joiner.join(queued, bytesOf(queued))

test('frames are joined in order, and texts become frames', () => {
  const queued = ['Grüße', encodeMessage('event'), '', encodeFrame(4, 'pong'), '🎮']
  expect(join(new FrameJoiner(), queued)).toEqual(Buffer.concat(queued.map((one) => (typeof one === 'string' ? encodeMessage(one) : one))))
})

test('subscribers of the same events share the joined piece, and no others do', () => {
  const joiner = new FrameJoiner()
  const [one, two, three] = [encodeMessage('one'), encodeMessage('two'), encodeMessage('three')]
  const first = join(joiner, [one, two])
  expect(join(joiner, [one, two])).toBe(first)
  expect(join(joiner, [one, three])).toEqual(Buffer.concat([one, three]))
  expect(join(joiner, [one, two, three])).toEqual(Buffer.concat([one, two, three]))
  expect(join(joiner, [one, 'text'])).toEqual(Buffer.concat([one, encodeMessage('text')]))
  expect(first).toEqual(Buffer.concat([one, two]))
})

test('a large joined piece is not kept', () => {
  const joiner = new FrameJoiner()
  const large = [encodeMessage('x'.repeat(40_000)), encodeMessage('y'.repeat(40_000))]
  expect(join(joiner, large)).not.toBe(join(joiner, large))
})
