/** What happened lately is known, for a time and in a number that are bounded. */
import { expect, test } from 'vitest'
import { Recent } from '@sallyport/core/expiring-map'
import { FakeClock } from '../../support/fake-clock.ts'

const MINUTE = 60_000

test('what is kept is known by its words, and by no others', () => {
  const recent = new Recent<number>(new FakeClock())
  recent.keep(['a', 'b'], 1)
  recent.keep(['ab'], 2)
  expect([recent.get(['a', 'b']), recent.get(['ab']), recent.get(['b', 'a']), recent.get(['a'])]).toEqual([1, 2, undefined, undefined])
})

test('it is forgotten after twenty minutes, counted from the last time', () => {
  const clock = new FakeClock()
  const recent = new Recent<number>(clock)
  recent.keep(['a'], 1)
  recent.keep(['b'], 1)
  clock.advance(10 * MINUTE)
  recent.keep(['b'], 2)
  clock.advance(10 * MINUTE)
  expect([recent.get(['a']), recent.get(['b'])]).toEqual([undefined, 2])
})

test('the oldest are forgotten early when there are too many', () => {
  const recent = new Recent<number>(new FakeClock())
  for (let count = 0; count < 10_001; count++) recent.keep([String(count)], count)
  expect([recent.get(['0']), recent.get(['1']), recent.get(['10000'])]).toEqual([undefined, 1, 10_000])
})
