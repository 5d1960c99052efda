import { expect, test } from 'vitest'
import { encodeFrame } from '../../../../../daemon/src/ipc/framing/encoder.ts'
import { frame } from '../../../../support/frames.ts'

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
