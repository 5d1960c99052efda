import { describe, expect, test } from 'vitest'
import { trendOf } from '../../endurance/trend.ts'
import { seededRandom } from '../../e2e/support/seeded-random.ts'

const HOUR_S = 3_600
const line = (count: number, perHour: number, noise: (index: number) => number = () => 0) =>
  Array.from({ length: count }, (_, index) => ({ s: index * 60, value: 100 + (perHour * index * 60) / HOUR_S + noise(index) }))

describe('the trend', () => {
  test.each([-3, 0, 5, 1200])('of a straight line that grows by %d an hour is that', (perHour) => {
    const trend = trendOf(line(20, perHour))
    expect(trend?.perHour).toBeCloseTo(perHour, 6)
    expect(trend?.low).toBeCloseTo(perHour, 6)
    expect(trend?.high).toBeCloseTo(perHour, 6)
  })

  test('is not moved by a few peaks, however high', () => {
    expect(trendOf(line(20, 5, (index) => (index % 7 === 3 ? 10_000 : 0)))?.perHour).toBeCloseTo(5, 0)
  })

  test('is surer of more points', () => {
    const random = seededRandom(1)
    const width = (count: number) => {
      const trend = trendOf(line(count, 2, () => random() - 0.5))
      return (trend?.high ?? Number.NaN) - (trend?.low ?? Number.NaN)
    }
    expect(width(60)).toBeLessThan(width(10) / 3)
  })

  test('lies within what is said of it in some 95 of 100 series', () => {
    const random = seededRandom(2)
    const trends = Array.from({ length: 200 }, () => trendOf(line(18, 2, () => random() - 0.5)))
    const right = trends.filter((trend) => trend !== undefined && trend.low < 2 && trend.high > 2).length
    expect(right / trends.length).toBeGreaterThan(0.9)
    expect(right / trends.length).toBeLessThan(0.99)
  })

  test('of two points is nothing', () => {
    expect(trendOf(line(2, 1))).toBeUndefined()
  })
})
