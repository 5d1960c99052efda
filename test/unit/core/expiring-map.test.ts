/** Entries expire and their number is limited. */
import { expect, test } from 'vitest'
import { ExpiringMap } from '@sallyport/core/expiring-map'
import { FakeClock } from '#test/support/fake-clock.ts'

const MINUTE = 60_000

test('finds an entry only by its key', () => {
  const recent = new ExpiringMap<number>(new FakeClock())
  recent.set(['a', 'b'], 1)
  recent.set(['ab'], 2)
  expect([recent.get(['a', 'b']), recent.get(['ab']), recent.get(['b', 'a']), recent.get(['a'])]).toEqual([1, 2, undefined, undefined])
})

test('an entry expires twenty minutes after it was set last', () => {
  const clock = new FakeClock()
  const recent = new ExpiringMap<number>(clock)
  recent.set(['a'], 1)
  recent.set(['b'], 1)
  clock.advance(10 * MINUTE)
  recent.set(['b'], 2)
  clock.advance(10 * MINUTE)
  expect([recent.get(['a']), recent.get(['b'])]).toEqual([undefined, 2])
})

test('deletes the oldest entries if there are too many', () => {
  const recent = new ExpiringMap<number>(new FakeClock())
  for (let count = 0; count < 10_001; count++) recent.set([String(count)], count)
  expect([recent.get(['0']), recent.get(['1']), recent.get(['10000'])]).toEqual([undefined, 1, 10_000])
})
