import { backoffMs, jitteredBackoffMs } from '@sallyport/core/backoff'
import { expect, test } from 'vitest'

const RANGE = { firstMs: 100, maxMs: 500 }

test('doubles with each failure up to the maximum', () => {
  expect([0, 1, 2, 3, 4, 50, 5000].map((failures) => backoffMs(failures, RANGE))).toEqual([0, 100, 200, 400, 500, 500, 500])
})

test('jitter spreads the upper half', () => {
  expect([0, 0.5, 1].map((jitter) => jitteredBackoffMs(2, RANGE, jitter))).toEqual([100, 150, 200])
})
