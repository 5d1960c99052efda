import { describe, expect, test } from 'vitest'
import { consentOf } from '#daemon/src/auth/consent/consent.ts'
import { createPromptLimits } from '#daemon/src/auth/consent/prompt-limits.ts'
import { type ConsentRequest, type PromptDisplay, ConsentPrompts } from '#daemon/src/auth/consent/consent-prompts.ts'
import { promptDisplays } from '#daemon/src/auth/consent/prompt-displays.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const MATTER: ConsentRequest = {
  program: { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2:3:4' },
  pid: 77,
  connection: 5,
  applicationId: '7',
  applicationName: 'Dockside',
  userId: '42',
  username: 'ada',
  scopes: ['identify', 'guilds'],
  reason: 'new-program',
}
const never = new AbortController().signal
const DENIED = { error: 'OAUTH2_ERROR', message: expect.stringContaining('access_denied') }

function start(surfaces: readonly PromptDisplay[] = [], isListShown = true, isKnown = true) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  let count = 0
  const questions = new ConsentPrompts({
    clock,
    log,
    newId: () => `q${++count}`,
    limits: createPromptLimits({ clock, isKnown: () => isKnown, charge: () => () => {} }),
    displays: surfaces,
    isListShown,
  })
  return { clock, log, questions }
}

describe('a prompt', () => {
  test('is listed while it is open, and is answered once', async () => {
    const { questions, clock } = start()
    const asked = questions.ask(MATTER, never)
    expect(questions.pending()).toEqual([{ ...MATTER, id: 'q1', askedAt: clock.now() }])
    expect(questions.answer('other', true)).toBe(false)
    expect(questions.answer('q1', true)).toBe(true)
    await asked
    expect(questions.pending()).toEqual([])
    expect(questions.answer('q1', false)).toBe(false)
    expect(clock.pending).toBe(0)
  })
  test('about the same program with other content is separate from an open one', async () => {
    const { questions } = start()
    const asked = questions.ask(MATTER, never)
    for (const other of [{ scopes: ['email'] }, { userId: undefined }]) {
      await expect(questions.ask({ ...MATTER, ...other }, never)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    }
    const same = questions.ask({ ...MATTER }, never)
    questions.answer('q1', true)
    await Promise.all([asked, same])
  })
  test('about a program that names many applications does not block those about other programs', async () => {
    const { questions } = start()
    const left = new AbortController()
    const many = Array.from({ length: 4 }, (_, n) => questions.ask({ ...MATTER, applicationId: String(n) }, left.signal))
    const outcomes = Promise.allSettled(many)
    const other = questions.ask({ ...MATTER, program: { ...MATTER.program, executable: '/games/other', file: '1:9:3:4' } }, never)
    expect(questions.pending().map(({ applicationId }) => applicationId)).toEqual(['0', '1', '2', '7'])
    await expect(many[3]).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED', message: expect.stringContaining('Too many prompts') })
    left.abort()
    await outcomes
    questions.answer('q4', true)
    await other
  })
  test('that is denied is denied again for a minute without a prompt', async () => {
    const { questions, clock } = start()
    const asked = expect(questions.ask(MATTER, never)).rejects.toMatchObject(DENIED)
    questions.answer('q1', false)
    await asked
    clock.advance(59_999)
    await expect(questions.ask(MATTER, never)).rejects.toMatchObject(DENIED)
    expect(questions.pending()).toEqual([])
    clock.advance(1)
    const again = questions.ask(MATTER, never)
    expect(questions.pending()).toHaveLength(1)
    questions.answer('q2', true)
    await again
  })
  test('without an answer ends after five minutes', async () => {
    const { questions, clock } = start()
    const asked = expect(questions.ask(MATTER, never)).rejects.toMatchObject({
      error: 'TRANSACTION_ABORTED',
      message: expect.stringContaining('5 minutes'),
    })
    clock.advance(299_999)
    expect(questions.pending()).toHaveLength(1)
    clock.advance(1)
    await asked
    expect(questions.pending()).toEqual([])
  })
  test('is shared by equal requests, and closes when the last of them is cancelled', async () => {
    const { questions, clock } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    const one = expect(questions.ask(MATTER, first.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const two = expect(questions.ask(MATTER, second.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(questions.pending()).toHaveLength(1)
    first.abort()
    await one
    expect(questions.pending()).toHaveLength(1)
    second.abort()
    await two
    expect(questions.pending()).toEqual([])
    expect(clock.pending).toBe(0)
  })
  test('is answered for all requests that wait', async () => {
    const { questions } = start()
    const both = Promise.all([questions.ask(MATTER, never), questions.ask(MATTER, never)])
    questions.answer('q1', true)
    await both
  })
  test.each([
    ['another application', { applicationId: '8' }],
    ['another program', { program: { ...MATTER.program, executable: '/games/two' } }],
    ['a changed file', { program: { ...MATTER.program, file: '9' } }],
  ])('about %s is another one', async (_, over) => {
    const { questions } = start()
    const both = [questions.ask(MATTER, never), questions.ask({ ...MATTER, ...over }, never)]
    expect(questions.pending()).toHaveLength(2)
    for (const { id } of questions.pending()) questions.answer(id, true)
    await Promise.all(both)
  })
  test('is not opened for a request that is already cancelled', async () => {
    const { questions } = start()
    await expect(questions.ask(MATTER, AbortSignal.abort())).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(questions.pending()).toEqual([])
  })
})

describe('displays', () => {
  test('the first answer counts, and the others stop', async () => {
    const answer = Promise.withResolvers<boolean>()
    const signals: AbortSignal[] = []
    const surface: PromptDisplay = (_, signal) => {
      signals.push(signal)
      return answer.promise
    }
    const { questions } = start([surface, surface])
    const asked = questions.ask(MATTER, never)
    answer.resolve(true)
    await asked
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
  test('when one fails, the prompt stays in the list', async () => {
    const { questions, log } = start([() => Promise.reject(new Error('no terminal'))])
    const asked = questions.ask(MATTER, never)
    await settled()
    expect(log.lines.map(({ event }) => event)).toContain('prompt-not-shown')
    questions.answer('q1', true)
    await asked
  })
  test('without any, and without the list, the request is rejected', async () => {
    await expect(start([], false).questions.ask(MATTER, never)).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('dashboard'),
    })
  })
  test('are the terminal if there is one, else a notice, and none without a dashboard', async () => {
    const said: string[] = []
    const announce = (line: string) => void said.push(line)
    const [terminal, ...more] = promptDisplays(
      { announce, confirm: async ({ id, text }) => id === 'q1' && text(80).includes('/games/one') },
      true,
    )
    expect(more).toEqual([])
    expect(await terminal?.({ ...MATTER, id: 'q1', askedAt: 0 }, never)).toBe(true)
    expect(said).toEqual([])
    const [word] = promptDisplays({ announce }, true)
    void word?.({ ...MATTER, id: 'q1', askedAt: 0 }, never)
    expect(said).toEqual([expect.stringMatching(/\/games\/one\n.*dashboard/)])
    expect(promptDisplays({ announce }, false)).toEqual([])
  })
})

test('--consent allow allows, deny denies, prompt prompts', async () => {
  const asked: ConsentRequest[] = []
  const user = { ask: async (matter: ConsentRequest) => void asked.push(matter) }
  await consentOf('allow', user).ask(MATTER, never)
  await expect(consentOf('deny', user).ask(MATTER, never)).rejects.toMatchObject(DENIED)
  expect(asked).toEqual([])
  await consentOf('prompt', user).ask(MATTER, never)
  expect(asked).toEqual([MATTER])
})

test('programs that cannot be identified are kept apart', async () => {
  const { questions } = start()
  const program = { kind: 'unknown', uid: 1000, executable: undefined, file: undefined } as const
  const [one, two] = [1, 2].map((connection) => questions.ask({ ...MATTER, program, connection }, never))
  expect(questions.pending()).toHaveLength(2)
  questions.answer('q1', true)
  await one
  expect(questions.pending()).toMatchObject([{ id: 'q2', connection: 2 }])
  questions.answer('q2', true)
  await two
})

test('a refused program is muted for all applications', async () => {
  const { questions } = start()
  const asked = expect(questions.ask(MATTER, never)).rejects.toMatchObject(DENIED)
  questions.answer('q1', false)
  await asked
  await expect(questions.ask({ ...MATTER, applicationId: '8' }, never)).rejects.toMatchObject(DENIED)
  expect(questions.pending()).toEqual([])
})
