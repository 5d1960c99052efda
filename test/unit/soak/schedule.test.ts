import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Likelihood, type ScheduleOptions, type Step, schedule } from '../../soak/schedule.ts'

const KINDS: readonly Likelihood[] = [
  { kind: 'often', weight: 8 },
  { kind: 'seldom', weight: 1 },
  { kind: 'now and then', weight: 3 },
]

function steps(seed: number, count: number, more: Partial<ScheduleOptions<string>> = {}): Step[] {
  const all = schedule({ seed, kinds: KINDS, longestPauseMs: 50, ...more })
  return Array.from({ length: count }, () => all.next().value)
}

test('the same seed gives the same steps, another seed others', () => {
  expect(steps(7, 200)).toEqual(steps(7, 200))
  expect(steps(7, 200)).not.toEqual(steps(8, 200))
})

test('every kind comes once before any comes again, one at a time, in an order of the seed', () => {
  const orders = new Set<string>()
  for (let seed = 0; seed < 50; seed += 1) {
    const first = steps(seed, KINDS.length)
    expect(first.map(({ breaks }) => breaks.length)).toEqual([1, 1, 1])
    const kinds = first.map(({ breaks }) => breaks[0]?.kind)
    expect(new Set(kinds)).toEqual(new Set(['now and then', 'often', 'seldom']))
    orders.add(kinds.join())
  }
  expect(orders.size).toBe(6)
})

test('numbers follow one another, pauses stay within bounds, two at once are of different kinds', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(1000), (seed, longestPauseMs) => {
      const all = steps(seed, 60, { longestPauseMs })
      expect(all.map(({ number }) => number)).toEqual(all.map((_, at) => at + 1))
      for (const { breaks, pauseMs } of all) {
        expect(pauseMs).toBeGreaterThanOrEqual(0)
        expect(pauseMs).toBeLessThanOrEqual(longestPauseMs)
        expect(new Set(breaks.map(({ kind }) => kind)).size).toBe(breaks.length)
      }
    }),
    { numRuns: 50, seed: 20_251_121 },
  )
})

test('after the first round the weights decide, and some steps break two things', () => {
  const all = steps(1, 3000).slice(KINDS.length)
  const count = (kind: string): number => all.filter(({ breaks }) => breaks[0]?.kind === kind).length
  expect(count('often') / count('seldom')).toBeGreaterThan(5)
  expect(count('seldom')).toBeGreaterThan(100)
  const doubles = all.filter(({ breaks }) => breaks.length === 2).length
  expect(doubles).toBeGreaterThan(100)
  expect(doubles).toBeLessThan(900)
})

test('in the first round several kinds come at once where that is wished', () => {
  const [first, second, third] = steps(5, 3, { together: 2 })
  expect([first?.breaks.length, second?.breaks.length]).toEqual([2, 1])
  expect(new Set([first, second].flatMap((step) => step?.breaks.map(({ kind }) => kind)))).toEqual(new Set(KINDS.map(({ kind }) => kind)))
  expect(third?.breaks.length).toBeGreaterThan(0)
})
