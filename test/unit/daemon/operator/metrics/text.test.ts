import { expect, test } from 'vitest'
import { prometheusText } from '#daemon/src/operator/metrics/text.ts'

test('writes values, buckets that add up, and the labels of every line', () => {
  const text = prometheusText(
    {
      metrics: [
        { name: 'up', type: 'gauge', help: 'One \\ two\nthree.', series: [{ labels: {}, value: 1 }] },
        { name: 'calls_total', type: 'counter', help: 'Calls.', series: [{ labels: { id: 'a"b\\c\nd' }, value: 2.5 }] },
        {
          name: 'seconds',
          type: 'histogram',
          help: 'Times.',
          bounds: [0.0001, 30],
          series: [{ labels: { family: 'x' }, counts: [2, 0, 1], count: 3, sum: 31.5 }],
        },
        { name: 'wait_seconds', type: 'summary', help: 'Waits.', series: [{ labels: {}, count: 1, sum: 0.25 }] },
        { name: 'none', type: 'gauge', help: 'Nothing yet.', series: [] },
      ],
    },
    { user: 'ada' },
  )
  expect(text.split('\n')).toEqual([
    '# HELP up One \\\\ two\\nthree.',
    '# TYPE up gauge',
    'up{user="ada"} 1',
    '# HELP calls_total Calls.',
    '# TYPE calls_total counter',
    'calls_total{user="ada",id="a\\"b\\\\c\\nd"} 2.5',
    '# HELP seconds Times.',
    '# TYPE seconds histogram',
    'seconds_bucket{user="ada",family="x",le="0.0001"} 2',
    'seconds_bucket{user="ada",family="x",le="30"} 2',
    'seconds_bucket{user="ada",family="x",le="+Inf"} 3',
    'seconds_sum{user="ada",family="x"} 31.5',
    'seconds_count{user="ada",family="x"} 3',
    '# HELP wait_seconds Waits.',
    '# TYPE wait_seconds summary',
    'wait_seconds_sum{user="ada"} 0.25',
    'wait_seconds_count{user="ada"} 1',
    '# HELP none Nothing yet.',
    '# TYPE none gauge',
    '',
  ])
})
