import { expect, test } from 'vitest'
import { WaitingFrames } from '#daemon/src/cli/waiting-frames.ts'

const MEBIBYTE = 'x'.repeat(1_048_576)

test('frames leave in their order, or as the first that is accepted', () => {
  const frames = new WaitingFrames<number>({ bytes: 0 })
  for (const frame of [1, 2, 3]) frames.push(frame, {})
  expect(frames.take((frame) => frame > 1)).toBe(2)
  expect([frames.take(), frames.take(), frames.take()]).toEqual([1, 3, undefined])
})

test('a queue has at most 1024 frames', () => {
  const frames = new WaitingFrames<number>({ bytes: 0 })
  for (let frame = 0; frame < 1024; frame++) frames.push(frame, {})
  expect(frames.isFull).toBe(false)
  frames.push(1024, {})
  expect(frames.isFull).toBe(true)
})

test('all queues of a recording together keep at most 64 MiB, and room comes back', () => {
  const total = { bytes: 0 }
  const queues = Array.from({ length: 8 }, () => new WaitingFrames<string>(total))
  let kept = 0
  for (let round = 0; round < 100; round++)
    for (const queue of queues) {
      queue.push('frame', MEBIBYTE)
      kept++
      while (queue.isFull) {
        queue.take()
        kept--
      }
    }
  expect(kept).toBeGreaterThan(32)
  expect(kept).toBeLessThanOrEqual(64)
  for (const queue of queues) while (queue.take() !== undefined);
  expect(total.bytes).toBe(0)
})
