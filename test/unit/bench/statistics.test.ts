import { describe, expect, it } from 'vitest'
import { inTurns, median, pairedRatio } from '#test/bench/statistics.ts'

describe('the median', () => {
  it('is the value in the middle, or between the two there', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 7])).toBe(6)
    expect(median([])).toBeNaN()
  })

  it('does not follow one slow turn', () => {
    expect(median([10, 11, 9, 10, 4_000])).toBe(10)
  })
})

describe('a paired ratio', () => {
  it('is the median of the ratios of turns side by side, not the ratio of medians', () => {
    // The machine is slow in the second turn, and both sides are.
    expect(pairedRatio([2, 20, 2], [1, 10, 2])).toBe(2)
  })

  it('leaves out a turn without a partner', () => {
    expect(pairedRatio([3, 3, 900], [1, 1])).toBe(3)
  })
})

describe('turns', () => {
  it('begin with the next name in each round', async () => {
    const order: string[] = []
    const measured = await inTurns(['a', 'b', 'c'], 2, async (name) => order.push(name))
    expect(order.join('')).toBe('abcbca')
    expect(measured).toEqual({ a: [1, 6], b: [2, 4], c: [3, 5] })
  })
})
