import { ERRORS } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { BoundedLabels } from '#daemon/src/operator/metrics/bounded-labels.ts'
import { CallTimes } from '#daemon/src/operator/metrics/call-times.ts'
import { BUCKET_BOUNDS_US, Histogram } from '#daemon/src/operator/metrics/histogram.ts'

describe('a histogram', () => {
  test('counts a duration in the first bucket whose bound is not below it', () => {
    for (const [index, bound] of BUCKET_BOUNDS_US.entries()) {
      const times = new Histogram()
      times.observe(bound)
      times.observe(bound + 1)
      expect(times.counts.flatMap((count, at) => (count === 0 ? [] : [at]))).toEqual([index, index + 1])
    }
  })
  test('adds up', () => {
    const times = new Histogram()
    for (const duration of [0, 99, 40_000_000]) times.observe(duration)
    expect(times.sumMicroseconds).toBe(40_000_099)
    expect(times.counts).toEqual([2, ...BUCKET_BOUNDS_US.slice(1).map(() => 0), 1])
  })
  test('has bounds that ascend', () => expect(BUCKET_BOUNDS_US).toEqual(BUCKET_BOUNDS_US.toSorted((one, other) => one - other)))
})

test('labels beyond the bound share one count, those before it keep theirs', () => {
  const labels = new BoundedLabels(3, () => ({ calls: 0 }))
  for (const value of ['a', 'b', 'c', 'd', 'e', 'a', 'f']) labels.of(value).calls++
  expect([...labels.entries()]).toEqual([
    ['a', { calls: 2 }],
    ['b', { calls: 1 }],
    ['c', { calls: 1 }],
    ['other', { calls: 3 }],
  ])
})

describe('calls', () => {
  const clock = { ms: 0, elapsed: () => clock.ms }
  const timed = (calls: readonly (readonly [cmd: string, ms: number, code?: number])[]) => {
    const times = new CallTimes(clock)
    for (const [cmd, ms, code] of calls) {
      const startedAt = times.now()
      clock.ms += ms
      times.answered(cmd, startedAt, code)
    }
    return times.all().map(({ family, error, times: { counts, sumMicroseconds } }) => ({
      family,
      error,
      count: counts.reduce((sum, one) => sum + one, 0),
      sum: sumMicroseconds,
    }))
  }

  test('of a family count together, of the bridge and of the platform, and each error alone', () => {
    expect(
      timed([
        ['SUBSCRIBE', 1],
        ['UNSUBSCRIBE', 2.5],
        ['SUBSCRIBE', 4, ERRORS.INVALID_EVENT.code],
        ['GET_CURRENT_USER_GUILDS', 8],
      ]),
    ).toEqual([
      { family: 'subscription', error: undefined, count: 2, sum: 3500 },
      { family: 'subscription', error: 'INVALID_EVENT', count: 1, sum: 4000 },
      { family: 'users', error: undefined, count: 1, sum: 8000 },
    ])
  })
  test('that one read answered have its duration each', () => {
    const times = new CallTimes(clock)
    const startedAt = times.now()
    for (const cmd of ['SUBSCRIBE', 'SET_ACTIVITY', 'SUBSCRIBE']) times.answered(cmd, undefined, undefined)
    times.answered('SUBSCRIBE', undefined, ERRORS.INVALID_EVENT.code)
    clock.ms += 2
    times.readEnded(startedAt)
    times.readEnded(startedAt)
    times.answered('SUBSCRIBE', undefined, undefined)
    times.readEnded(times.now())
    expect(
      times.all().map(({ family, error, times: { counts, sumMicroseconds } }) => [family, error, Math.max(...counts), sumMicroseconds]),
    ).toEqual([
      ['subscription', undefined, 2, 4000],
      ['subscription', 'INVALID_EVENT', 1, 2000],
      ['presence', undefined, 1, 2000],
    ])
  })
  test('of names that no table has are one family, however many there are', () => {
    const unknown = Array.from({ length: 1000 }, (_, index) => [`PLANTED_${index}`, 1, ERRORS.INVALID_COMMAND.code] as const)
    expect(timed([...unknown, ['toString', 1, ERRORS.INVALID_COMMAND.code]])).toEqual([
      { family: '_OTHER', error: undefined, count: 0, sum: 0 },
      { family: '_OTHER', error: 'INVALID_COMMAND', count: 1001, sum: 1_001_000 },
    ])
  })
  test('with more than eight errors in a family count the further ones together', () => {
    const codes = Object.values(ERRORS).map(({ code }) => code)
    const all = timed(codes.map((code) => ['SUBSCRIBE', 1, code] as const))
    expect(all).toHaveLength(1 + 8 + 1)
    expect(all.at(-1)).toEqual({ family: 'subscription', error: '_OTHER', count: codes.length - 8, sum: (codes.length - 8) * 1000 })
  })
  test('are timed across the end of the 32-bit clock', () => {
    clock.ms = 2 ** 31 / 1000 - 1
    expect(timed([['SUBSCRIBE', 5]])).toEqual([{ family: 'subscription', error: undefined, count: 1, sum: 5000 }])
    clock.ms = 2 ** 32 / 1000 - 1
    expect(timed([['SUBSCRIBE', 300_000]])).toEqual([{ family: 'subscription', error: undefined, count: 1, sum: 300_000_000 }])
  })
})
