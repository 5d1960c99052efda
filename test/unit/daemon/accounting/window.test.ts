import { describe, expect, it } from 'vitest'
import { Window } from '#daemon/src/accounting/window.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const row = { unit: 'per window', ofProgram: 3, ofAll: 8, windowMs: 1000, beyond: 'refuse', summary: '' } as const

function world() {
  const clock = new FakeClock()
  return { clock, window: new Window(row, clock) }
}

describe('Window', () => {
  it('counts up to the most of a program, and says when the next one may be counted', () => {
    const { clock, window } = world()
    window.count('a')
    clock.advance(300)
    expect([window.count('a'), window.waitMs('a'), window.count('a'), window.count('a')]).toEqual([true, 0, true, false])
    expect([window.waitMs('a'), window.waitMs('b')]).toEqual([700, 0])
    clock.advance(700)
    expect([window.waitMs('a'), window.count('a')]).toEqual([0, true])
    clock.advance(5000)
    expect([window.waitMs('a'), window.ledger.sum, window.ledger.holders]).toEqual([0, 0, 0])
  })

  it('is no longer when the clock is set back', () => {
    const { clock, window } = world()
    for (let index = 0; index < 3; index++) window.count('a')
    clock.setBack(3_600_000)
    expect(window.waitMs('a')).toBe(1000)
    clock.advance(1000)
    expect([window.waitMs('a'), window.count('a')]).toEqual([0, true])
  })

  it('is bounded for all together', () => {
    const { window } = world()
    for (let index = 0; index < 1000; index++) window.count(String(index))
    expect([window.ledger.sum, window.ledger.holders]).toEqual([8, 8])
    expect(window.waitMs('another')).toBe(1000)
  })

  it('keeps a place for what is not decided yet, and gives it back once', () => {
    const { window } = world()
    const places = [window.reserve('a'), window.reserve('a'), window.reserve('a')]
    expect([window.reserve('a'), window.isUndecided('a')]).toEqual([undefined, true])
    places[0]?.giveBack()
    places[0]?.keep()
    places[1]?.keep()
    places[2]?.keep()
    expect([window.isUndecided('a'), window.ledger.sum]).toEqual([false, 2])
  })
})
