/** How many calls of a second are traced. */
import { expect, test } from 'vitest'
import { TraceSampling } from '#daemon/src/rpc/trace-sampling.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const SECOND = 1000

function open(most = 100, ofMore = 50) {
  const clock = new FakeClock()
  const sampling = new TraceSampling(clock, most, ofMore)
  /** So many in a second, spread evenly; how many of them are traced. */
  const second = (count: number): number => {
    let taken = 0
    for (let at = 0; at < count; at++) {
      if (sampling.takes()) taken++
      if ((at + 1) % (count / 10) === 0) clock.advance(SECOND / 10)
    }
    return taken
  }
  return { clock, sampling, second }
}

test('everything is traced up to the number', () => {
  const { sampling, second } = open()
  expect([second(100), second(100), sampling.share, sampling.skipped]).toEqual([100, 100, 1, 0])
})

test('of more, that number in the first second, and then a smaller share that is spread evenly', () => {
  const { sampling, second, clock } = open()
  expect(second(800)).toBe(100)
  expect([second(800), sampling.share, sampling.skipped]).toEqual([50, 0.0625, 1450])
  const each = Array.from({ length: 10 }, () => Array.from({ length: 80 }, () => sampling.takes()).filter(Boolean).length)
  expect(each).toEqual(each.map(() => 5))
  clock.advance(2 * SECOND)
  expect([sampling.share, sampling.takes()]).toEqual([1, true])
})
