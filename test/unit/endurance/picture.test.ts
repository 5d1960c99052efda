import { expect, test } from 'vitest'
import { pictureOf } from '../../endurance/picture.ts'
import { percentilesOf } from '../../endurance/tally.ts'
import { measuredOf } from './series.ts'

const { samples, loadS } = measuredOf({ minutes: 60 })
const minutes = Array.from({ length: 60 }, (_, minute) => ({
  minute,
  times: { call: percentilesOf([1, 2, 3]), floor: percentilesOf([0.5]) },
}))
const picture = pictureOf({ title: 'an hour', samples, minutes, loadS, warmUpS: 600 })

test('a picture has a curve for each figure that was measured, in light and dark', () => {
  expect(picture.match(/<path /g)).toHaveLength(7)
  expect(picture).toContain('prefers-color-scheme:dark')
  expect(picture).not.toContain('NaN')
})

test('an hour of samples is a small picture that keeps the highest and the lowest', () => {
  expect(picture.length).toBeLessThan(60_000)
  const [, memory = ''] = /<path class="one" d="M([^"]+)"/.exec(picture) ?? []
  const heights = memory.split('L').map((point) => Number(point.split(' ')[1]))
  const most = Math.max(...samples.map((sample) => sample.private))
  const least = Math.min(...samples.map((sample) => sample.private))
  const ratio = (Math.max(...heights) - Math.min(...heights)) / 140
  // The highest is 94 MiB, so the axis ends at 100.
  expect(ratio).toBeCloseTo((most - least) / 1024 / 100, 2)
})
