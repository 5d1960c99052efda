import { describe, expect, it } from 'vitest'
import { type Curve, curvesOf, shapeOf, slopeOf, wordsOf } from '#test/bench/growth.ts'
import { pictureOf } from '#test/bench/growth-picture.ts'

const curve = (points: Readonly<Record<number, number>>, unit: Curve['unit'] = 'µs'): Curve => ({
  name: 'CPU of a call',
  unit,
  of: 'grants',
  points: Object.entries(points).map(([at, figure]) => ({ at: Number(at), figure })),
})

describe('the shape of a curve', () => {
  it.each<[string, Readonly<Record<number, number>>, string]>([
    ['the same at both ends', { 0: 8, 100: 8.2, 10_000: 8.1 }, 'flat'],
    ['a little noise', { 0: 8, 100: 9.9, 10_000: 7.9 }, 'flat'],
    ['a walk over all grants', { 0: 6.3, 100: 8.1, 1_000: 25, 10_000: 194 }, 'linear'],
    ['a fixed part and a slope', { 1: 20, 100: 21, 1_000: 24, 5_000: 41 }, 'linear'],
    ['a square', { 0: 1, 100: 1.1, 1_000: 11, 10_000: 1_001 }, 'convex'],
    ['a knee', { 1_000: 7, 10_000: 58, 100_000: 17_370 }, 'convex'],
    ['a logarithm', { 1: 1, 100: 5, 1_000: 8, 10_000: 10 }, 'concave'],
    ['a first point that is a little high', { 0: 47, 1_000: 37, 10_000: 139, 100_000: 910 }, 'linear'],
    ['a cost that is shared', { 1: 319, 100: 200, 5_000: 165 }, 'falling'],
  ])('of %s', (_, points, shape) => {
    expect(shapeOf(curve(points))).toBe(shape)
  })

  it('needs two numbers', () => {
    expect(() => shapeOf(curve({ 10: 1 }))).toThrow('needs points of two numbers')
  })
})

describe('the words of a curve', () => {
  it('say the slope of a linear one, for each thousand', () => {
    const linear = curve({ 0: 10, 1_000: 14.2, 5_000: 31 }, 'MiB')
    expect(slopeOf(linear)).toBeCloseTo(0.0042)
    expect(wordsOf(linear)).toBe('linear: 4.2 MiB more for each 1,000 grants')
  })

  it('say both ends of any other', () => {
    expect(wordsOf(curve({ 0: 8, 10_000: 8.1 }))).toBe('flat: 8.0 µs at 0, 8.1 µs at 10,000 grants')
    expect(wordsOf(curve({ 0: 1, 1_000: 1, 10_000: 100 }))).toBe('faster than linear: 1.0 µs at 0, 100.0 µs at 10,000 grants')
  })
})

describe('curves', () => {
  it('come of the lines with points, the smallest number first', () => {
    const point = (at: number) => ({ curve: 'CPU of a call', at, of: 'grants' })
    const lines = [
      { what: 'with 100', unit: 'µs', sallyport: 9, point: point(100) },
      { what: 'another row', unit: 'ms', sallyport: 1 },
      { what: 'with 0', unit: 'µs', sallyport: 8, point: point(0) },
    ] as const
    expect(curvesOf(lines)).toEqual([curve({ 0: 8, 100: 9 })])
  })

  it('are drawn with their names, their shapes and all their points', () => {
    const picture = pictureOf([curve({ 0: 8, 100: 8, 10_000: 8 }), { ...curve({ 1: 10, 5_000: 31 }), name: 'Memory < all' }])
    expect(picture.match(/<circle /g)).toHaveLength(5)
    expect(picture).toContain('>CPU of a call<')
    expect(picture).toContain('>Memory &lt; all<')
    expect(picture).toContain('>flat<')
    expect(picture).toContain('>linear<')
    expect(picture).not.toContain('NaN')
  })
})
