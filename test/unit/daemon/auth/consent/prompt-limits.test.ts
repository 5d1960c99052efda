import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, test } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { createPromptLimits, type PromptOutcome } from '#daemon/src/auth/consent/prompt-limits.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const {
  consentPrompts: openPrompts,
  consentPromptsPerProgram: questionsOfProgram,
  newProgramConsentPrompts: questionsOfStrangers,
  newProgramConsentPromptsMs: questionsOfStrangersMs,
} = BUDGETS

/** Ever other programs: another place, another file, another content. */
const program = (n: number): Program => ({
  kind: 'native',
  uid: 1000,
  executable: `/games/${n}`,
  file: `1:${n}:3:4:5`,
  digest: String(n).padStart(64, '0'),
})

function start(isKnown: (one: Program) => boolean = () => true) {
  const clock = new FakeClock()
  const accounting = new Accounting(clock)
  return { clock, accounting, bounds: createPromptLimits({ clock, isKnown, charge: (one) => accounting.charge('consentPrompts', one) }) }
}
const refusal = (work: () => unknown): unknown => {
  try {
    work()
  } catch (failure) {
    return failure
  }
  return undefined
}

describe('open prompts', () => {
  test.each([
    ['as it is', {}],
    ['copied', { executable: '/elsewhere', file: '9:9:9:9:9' }],
    ['changed in its place', { file: '9:9:9:9:9', digest: 'ab'.repeat(32) }],
  ])('of one program are few: %s', (_, over) => {
    const { bounds } = start()
    const ends = Array.from({ length: questionsOfProgram.value }, () => bounds.admit(program(1)))
    expect(refusal(() => bounds.admit({ ...program(1), ...over }))).toMatchObject({ error: 'TRANSACTION_ABORTED' })
    bounds.admit(program(2))
    ends[0]?.('denied')
    bounds.admit(program(1))
  })
  test('of all programs are limited by accounting, and released when they are over', () => {
    const { bounds, accounting } = start()
    const ends: ((outcome: PromptOutcome) => void)[] = []
    const last = refusal(() => {
      for (let n = 0; ; n++) ends.push(bounds.admit(program(n)))
    })
    expect(last).toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(ends.length).toBeLessThanOrEqual(openPrompts.value)
    expect(ends.length).toBeGreaterThan(openPrompts.value / 4)
    for (const end of ends) end('allowed')
    expect(accounting.usage().find(({ name }) => name === 'consentPrompts')).toMatchObject({ charged: 0, refused: 1 })
    bounds.admit(program(200))
  })
})

describe('prompts of programs without any grant', () => {
  const startNew = () => start((one) => one.executable === '/games/0')

  test('are limited in ten minutes across copies; a program with a grant is not limited', () => {
    const { clock, bounds } = startNew()
    for (let n = 1; n <= questionsOfStrangers.value; n++) {
      bounds.admit(program(n))('denied')
      clock.advance(1000)
    }
    expect(refusal(() => bounds.admit(program(99)))).toMatchObject({
      error: 'RATE_LIMITED',
      detail: { retry_after: questionsOfStrangersMs.value / 1000 - questionsOfStrangers.value },
    })
    bounds.admit(program(0))('denied')
    clock.advance(questionsOfStrangersMs.value - questionsOfStrangers.value * 1000)
    bounds.admit(program(99))('denied')
    expect(refusal(() => bounds.admit(program(98)))).toMatchObject({ error: 'RATE_LIMITED', detail: { retry_after: 1 } })
  })
  test('are limited no longer when the clock is set back', () => {
    const { clock, bounds } = startNew()
    for (let n = 1; n <= questionsOfStrangers.value; n++) bounds.admit(program(n))('denied')
    clock.setBack(questionsOfStrangersMs.value)
    clock.advance(questionsOfStrangersMs.value)
    bounds.admit(program(99))('denied')
  })
  test('of one program take half of that', () => {
    const { bounds } = startNew()
    for (let n = 0; n < questionsOfStrangers.value / 2; n++) bounds.admit(program(1))('denied')
    expect(refusal(() => bounds.admit({ ...program(1), executable: '/elsewhere' }))).toMatchObject({ error: 'RATE_LIMITED' })
    bounds.admit(program(2))('denied')
  })
  test('that the user allowed do not count', () => {
    const { bounds } = startNew()
    for (let n = 0; n < 100; n++) bounds.admit(program(1))('allowed')
    bounds.admit(program(1))
  })

  test.each<PromptOutcome>(['cancelled', 'denied', 'timeout'])('that ended %s count for their asker', (outcome) => {
    const { bounds } = startNew()
    for (let n = 0; n < questionsOfStrangers.value / 2; n++) bounds.admit(program(1))(outcome)
    expect(refusal(() => bounds.admit(program(1)))).toMatchObject({ error: 'RATE_LIMITED' })
  })
  test.each<[string, (n: number) => Program]>([
    ['two programs', (n) => program(1 + (n % 2))],
    ['many copies', (n) => program(n)],
    ['a program in containers that make up its path', (n) => ({ ...program(n), kind: 'container', container: 'other' })],
  ])('that were withdrawn leave all places to a program that never asked: %s', (_what, askerOf) => {
    const { bounds } = startNew()
    for (let n = 1; n <= 200; n++) {
      try {
        bounds.admit(askerOf(n))('cancelled')
      } catch (failure) {
        expect(failure).toMatchObject({ error: 'RATE_LIMITED' })
      }
    }
    bounds.admit(program(1_000))('denied')
    bounds.admit(program(1_001))
  })
  test('leave the last half of the places to programs that never asked', () => {
    const { bounds } = startNew()
    bounds.admit(program(1))('cancelled')
    for (let n = 2; n <= 1 + questionsOfStrangers.value / 2; n++) bounds.admit(program(n))('timeout')
    expect(refusal(() => bounds.admit(program(1)))).toMatchObject({ error: 'RATE_LIMITED' })
    bounds.admit(program(99))
  })
  test('are forgotten beyond a thousand', () => {
    const { bounds } = startNew()
    for (let n = 0; n < questionsOfStrangers.value / 2; n++) bounds.admit(program(1))('cancelled')
    for (let n = 2; n <= 1_001; n++) bounds.admit(program(n))('cancelled')
    bounds.admit(program(1))
  })
})
