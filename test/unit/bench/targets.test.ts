import { describe, expect, it } from 'vitest'
import type { Figures } from '#test/bench/figures.ts'
import { type Line, verdictOf } from '#test/bench/row.ts'
import { atMost, both, exactly, floorPlus, ratioAtMost, scaleOf, shownText } from '#test/bench/targets.ts'

const figures = (more: Partial<Figures>): Figures => ({ what: 'a call', unit: 'ms', ...more })

describe('the scale of a machine', () => {
  it.each([
    [21, 1],
    [23, 1],
    [25, 1],
    [50, 2],
    [10.5, 0.5],
  ])('where `node -e 0` takes %d ms of CPU is %d', (cpuMs, scale) => {
    expect(scaleOf(cpuMs)).toBe(scale)
  })

  it('has no step beside the bounds', () => {
    expect(scaleOf(25.01)).toBeCloseTo(1, 2)
    expect(scaleOf(20.99)).toBeCloseTo(1, 2)
  })
})

describe('a target', () => {
  it('in ms or µs is multiplied by the scale, and says so', () => {
    const target = atMost(20, 'ms')
    expect(target.text(1)).toBe('≤ 20 ms')
    expect(target.text(2.2)).toBe('≤ 44.0 ms (20 × 2.20)')
    expect(target.isHeld(figures({ sallyport: 43 }), 2.2)).toBe(true)
    expect(target.isHeld(figures({ sallyport: 43 }), 1)).toBe(false)
    expect(atMost(65, 'µs').isHeld(figures({ unit: 'µs', sallyport: 100 }), 2)).toBe(true)
  })

  it('in another unit, or as a ratio, is not', () => {
    expect(atMost(6, 'KiB').text(2)).toBe('≤ 6 KiB')
    expect(atMost(6, 'KiB').isHeld(figures({ unit: 'KiB', sallyport: 7 }), 2)).toBe(false)
    expect(ratioAtMost(1.4).isHeld(figures({ ratio: 1.5 }), 2)).toBe(false)
    expect(ratioAtMost(1.4).isHeld(figures({ ratio: 1.4 }), 2)).toBe(true)
    expect(floorPlus(3, 'MiB').isHeld(figures({ floor: 9, sallyport: 12.1 }), 2)).toBe(false)
    expect(exactly(0).isHeld(figures({ sallyport: 0 }), 2)).toBe(true)
  })

  it('of two parts needs both', () => {
    const target = both(ratioAtMost(1.6), atMost(0.8, 'ms'))
    expect(target.text(1)).toBe('≤ 1.6 ×; ≤ 0.8 ms')
    expect(target.isHeld(figures({ ratio: 1.5, sallyport: 0.8 }), 1)).toBe(true)
    expect(target.isHeld(figures({ ratio: 1.7, sallyport: 0.7 }), 1)).toBe(false)
    expect(target.isHeld(figures({ ratio: 1.5, sallyport: 0.9 }), 1)).toBe(false)
  })

  it('shows the figures that it is about', () => {
    const target = both(ratioAtMost(1.6), atMost(0.8, 'ms'))
    expect(shownText(target, figures({ ratio: 1.714, sallyport: 0.891 }))).toBe('1.71 ×; 0.89 ms')
    expect(shownText(target, figures({ sallyport: 0.891 }))).toBe('—; 0.89 ms')
  })
})

describe('a verdict', () => {
  const verdict = (line: Line, scale = 1): string => verdictOf(line, scale)

  it('comes of the aim or the target of a line', () => {
    expect(verdict({ ...figures({ sallyport: 21 }), aim: 'sign-in' })).toBe('misses')
    expect(verdict({ ...figures({ sallyport: 21 }), aim: 'sign-in' }, 1.1)).toBe('holds')
    expect(verdict({ ...figures({ sallyport: 1 }), target: exactly(0) })).toBe('misses')
    expect(verdict({ ...figures({ sallyport: 1 }), whyNoTarget: 'it explains another line' })).toBe('for reading')
  })

  it('misses when nothing was measured', () => {
    expect(verdict({ ...figures({}), aim: 'sign-in' })).toBe('misses')
    expect(verdict({ ...figures({ ratio: Number.NaN }), aim: 'listening' })).toBe('misses')
  })
})
