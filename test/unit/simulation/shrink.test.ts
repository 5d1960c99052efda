/** A failing schedule becomes as short as its failure needs. */
import { describe, expect, it } from 'vitest'
import type { Schedule, Step } from '#test/simulation/schedule.ts'
import { kindOf, shrink } from '#test/simulation/shrink.ts'

const schedule: Schedule = {
  seed: 1,
  hours: 1,
  steps: Array.from({ length: 141 }, (_, number) => ({ at: number, kind: 'call', number })),
}
const numbersOf = (steps: readonly Step[]): readonly number[] => steps.map(({ number }) => number)

describe('shrink', () => {
  it.each([[[]], [[70]], [[3, 90, 140]], [[0, 1, 2, 139]]])('leaves the steps that the failure needs: %j', async (needed) => {
    const { schedule: short, runs } = await shrink(schedule, async (steps) => needed.every((one) => numbersOf(steps).includes(one)), 1_000)
    expect(numbersOf(short.steps).filter((number) => !needed.includes(number)).length).toBeLessThanOrEqual(needed.length === 0 ? 1 : 0)
    expect(numbersOf(short.steps)).toEqual(expect.arrayContaining(needed))
    expect(runs).toBeLessThan(150)
  })

  it('ends after so many runs, with the shortest so far', async () => {
    const { schedule: short, runs } = await shrink(schedule, async (steps) => numbersOf(steps).includes(140), 3)
    expect([runs, short.steps.length < 141, numbersOf(short.steps).includes(140)]).toEqual([3, true, true])
  })
})

describe('the kind of a failure', () => {
  it('is the same at another time, for another game and number', () => {
    expect(kindOf('12.000 s, ferry twice: SEND_LOBBY_MESSAGE 31 is answered twice')).toBe(
      kindOf('7.250 s, tug: SEND_LOBBY_MESSAGE 4 is answered twice'),
    )
    expect(kindOf('60.000 s: 2 prompts are charged while 0 are open')).toBe(kindOf('9.000 s: 1 prompts are charged while 0 are open'))
  })

  it('differs for another check', () => {
    expect(kindOf('1.000 s, tug: GET_GUILDS 4 is answered twice')).not.toBe(kindOf('1.000 s, tug: no game made GET_GUILDS 4'))
  })
})
