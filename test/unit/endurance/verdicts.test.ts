import { describe, expect, test } from 'vitest'
import { type Bounds, type Measured, memoryTrend, verdictsOf } from '../../endurance/verdicts.ts'
import { LONG, type Made, measuredOf, SHORT } from './series.ts'

const failed = (measured: Measured, bounds: Bounds): readonly string[] =>
  verdictsOf(measured, bounds).flatMap(({ what, isHeld }) => (isHeld ? [] : [what]))

const MEMORY = ['private memory grows, per hour']
const LENGTHS: readonly (readonly [string, Bounds, number])[] = [
  ['ten minutes', SHORT, 10],
  ['an hour', LONG, 60],
]

describe.each(LENGTHS)('%s', (_length, bounds, minutes) => {
  const of = (made: Omit<Made, 'minutes'>) => measuredOf({ ...made, minutes })

  test('of a daemon that only collects its garbage holds', () => {
    expect(failed(of({}), bounds)).toEqual([])
  })

  test('with a leak of twice the bound fails, and says how much', () => {
    const leak = bounds.memoryPerHour * 2
    const measured = of({ leak })
    expect(failed(measured, bounds)).toEqual(MEMORY)
    expect((memoryTrend(measured, bounds)?.perHour ?? 0) / 1024).toBeCloseTo(leak, 0)
  })

  test('with a leak of half the bound holds', () => {
    expect(failed(of({ leak: bounds.memoryPerHour / 2 }), bounds)).toEqual([])
  })

  test('with a descriptor that is lost every twenty seconds fails', () => {
    expect(failed(of({ descriptorLeak: 180 }), bounds)).toEqual(['descriptors in the first and the last third of the load'])
  })
})

describe('a run fails', () => {
  const { before, after } = measuredOf({ minutes: 10 })

  test.each<readonly [string, Partial<Measured>]>([
    ['descriptors at rest, before and after the load', { after: { ...after, descriptors: before.descriptors + 1 } }],
    ['private memory at rest, before and after the load', { after: { ...after, private: before.private + 20 * 1024 } }],
    ['wake-ups in a minute, after all games left', { wakeUps: 1 }],
    ['unexpected answers, events and ends of connections', { unexpected: ['plain 2: SET_ACTIVITY was answered 1000'] }],
    ['unexpected answers, events and ends of connections', { answers: 0 }],
  ])('for %s', (what, more) => {
    expect(failed(measuredOf({ minutes: 10, more }), SHORT)).toEqual([what])
  })

  test('when it is too short to say anything', () => {
    expect(failed(measuredOf({ minutes: 4 }), SHORT)).toContain(MEMORY[0])
  })
})
