/** What the charts of the page show of the figures that come each second. */
import type { Figures } from '@sallyport/core/dashboard-messages'
import type { CallTrace } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { FigureHistory, MOST_SECONDS, percentile } from '#daemon/src/operator/dashboard/page/figure-history.ts'

const figures = (calls: number, more: Partial<Figures> = {}): Figures => ({
  calls,
  events: 0,
  share: 1,
  skipped: 0,
  memory: 50 * 1024 * 1024,
  buckets: [],
  ...more,
})
const call = (ms: number): CallTrace => ({ id: 'c1-1', kept: 'whole', at: 1, connection: 1, cmd: 'X', result: 'success', ms })

test('counts become rates, and durations those of the calls since the second before', () => {
  const history = new FigureHistory()
  history.add(figures(100), 1000)
  history.addCalls(Array.from({ length: 100 }, (_, at) => call(at + 1)))
  history.add(figures(300, { events: 50, share: 0.5 }), 3000)
  history.add(figures(310, { events: 50 }), 4000)
  expect(history.seconds).toEqual([
    { at: 1, calls: undefined, events: undefined, median: undefined, p99: undefined, mebibytes: 50 },
    { at: 3, calls: 100, events: 25, median: 50, p99: 99, mebibytes: 50 },
    { at: 4, calls: 10, events: 0, median: undefined, p99: undefined, mebibytes: 50 },
  ])
})

test('after a pause, or a restart of the daemon, no rate is known', () => {
  const history = new FigureHistory()
  for (const [calls, at] of [
    [100, 1000],
    [200, 60_000],
    [5, 61_000],
    [6, 62_000],
  ] as const)
    history.add(figures(calls), at)
  expect(history.seconds.map(({ calls }) => calls)).toEqual([undefined, undefined, undefined, 1])
})

test('the last minutes are kept, and the buckets and the share of now', () => {
  const history = new FigureHistory()
  expect([history.share, history.buckets]).toEqual([1, []])
  const buckets = [{ command: 'GET_GUILD', limit: 5, free: 1, waiting: 2 }]
  for (let at = 0; at <= MOST_SECONDS; at++) history.add(figures(at, { share: 0.1, buckets }), at * 1000)
  expect([history.seconds.length, history.seconds[0]?.at, history.share, history.buckets]).toEqual([MOST_SECONDS, 1, 0.1, buckets])
})

test.each([
  [[], 0.5, undefined],
  [[7], 0.99, 7],
  [[1, 2, 3, 4], 0.5, 2],
  [[1, 2, 3, 4], 0.99, 4],
])('the percentile of %j at %d is %s', (sorted, part, value) => {
  expect(percentile(sorted, part)).toBe(value)
})
