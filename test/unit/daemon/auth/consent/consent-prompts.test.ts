import { type CallSteps, callOfRunningCode } from '@sallyport/core/current-call'
import { describe, expect, test } from 'vitest'
import { consentOf } from '#daemon/src/auth/consent/consent.ts'
import { createPromptLimits } from '#daemon/src/auth/consent/prompt-limits.ts'
import { ALL_KEPT, type ConsentRequest, type PromptDisplay, ConsentPrompts } from '#daemon/src/auth/consent/consent-prompts.ts'
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
  const prompts = new ConsentPrompts({
    clock,
    log,
    newId: () => `q${++count}`,
    limits: createPromptLimits({ clock, isKnown: () => isKnown, charge: () => () => {} }),
    displays: surfaces,
    isListShown,
  })
  return { clock, log, prompts }
}

describe('a prompt', () => {
  test('is listed while it is open, and is answered once', async () => {
    const { prompts, clock } = start()
    const asked = prompts.ask(MATTER, never)
    expect(prompts.pending()).toEqual([{ ...MATTER, id: 'q1', askedAt: clock.now() }])
    expect(prompts.answer('other', true)).toBe(false)
    expect(prompts.answer('q1', true)).toBe(true)
    await asked
    expect(prompts.pending()).toEqual([])
    expect(prompts.answer('q1', false)).toBe(false)
    expect(clock.pending).toBe(0)
  })
  test('is a wait in the trace of the call that asks, also when the user denies', async () => {
    const { prompts, clock } = start()
    const waits: [string, number][] = []
    const steps: CallSteps = {
      scopesChecked: () => {},
      tokenChosen: () => {},
      requested: () => {},
      waited: (on, ms) => waits.push([on, ms]),
    }
    const before = callOfRunningCode.enter({ id: 'c1-1', steps })
    const asked = prompts.ask(MATTER, never)
    callOfRunningCode.leave(before)
    const unwatched = prompts.ask(MATTER, never)
    clock.advance(1500)
    prompts.answer('q1', false)
    await expect(asked).rejects.toMatchObject(DENIED)
    await expect(unwatched).rejects.toMatchObject(DENIED)
    expect(waits).toEqual([['the answer of the user', 1500]])
  })
  test('about the same program with other content is separate from an open one', async () => {
    const { prompts } = start()
    const asked = prompts.ask(MATTER, never)
    for (const other of [{ scopes: ['email'] }, { userId: undefined }]) {
      await expect(prompts.ask({ ...MATTER, ...other }, never)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    }
    const same = prompts.ask({ ...MATTER }, never)
    prompts.answer('q1', true)
    await Promise.all([asked, same])
  })
  test('about a program that names many applications does not block those about other programs', async () => {
    const { prompts } = start()
    const left = new AbortController()
    const many = Array.from({ length: 4 }, (_, n) => prompts.ask({ ...MATTER, applicationId: String(n) }, left.signal))
    const outcomes = Promise.allSettled(many)
    const other = prompts.ask({ ...MATTER, program: { ...MATTER.program, executable: '/games/other', file: '1:9:3:4' } }, never)
    expect(prompts.pending().map(({ applicationId }) => applicationId)).toEqual(['0', '1', '2', '7'])
    await expect(many[3]).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED', message: expect.stringContaining('Too many prompts') })
    left.abort()
    await outcomes
    prompts.answer('q4', true)
    await other
  })
  test('that is denied is denied again for a minute without a prompt', async () => {
    const { prompts, clock } = start()
    const asked = expect(prompts.ask(MATTER, never)).rejects.toMatchObject(DENIED)
    prompts.answer('q1', false)
    await asked
    clock.advance(59_999)
    await expect(prompts.ask(MATTER, never)).rejects.toMatchObject(DENIED)
    expect(prompts.pending()).toEqual([])
    clock.advance(1)
    const again = prompts.ask(MATTER, never)
    expect(prompts.pending()).toHaveLength(1)
    prompts.answer('q2', true)
    await again
  })
  test('without an answer ends after five minutes', async () => {
    const { prompts, clock } = start()
    const asked = expect(prompts.ask(MATTER, never)).rejects.toMatchObject({
      error: 'TRANSACTION_ABORTED',
      message: expect.stringContaining('5 minutes'),
    })
    clock.advance(299_999)
    expect(prompts.pending()).toHaveLength(1)
    clock.advance(1)
    await asked
    expect(prompts.pending()).toEqual([])
  })
  test('is shared by equal requests, and closes when the last of them is cancelled', async () => {
    const { prompts, clock } = start()
    const [first, second] = [new AbortController(), new AbortController()]
    const one = expect(prompts.ask(MATTER, first.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const two = expect(prompts.ask(MATTER, second.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(prompts.pending()).toHaveLength(1)
    first.abort()
    await one
    expect(prompts.pending()).toHaveLength(1)
    second.abort()
    await two
    expect(prompts.pending()).toEqual([])
    expect(clock.pending).toBe(0)
  })
  test('is answered for all requests that wait', async () => {
    const { prompts } = start()
    const both = Promise.all([prompts.ask(MATTER, never), prompts.ask(MATTER, never)])
    prompts.answer('q1', true)
    await both
  })
  test.each([
    ['another application', { applicationId: '8' }],
    ['another program', { program: { ...MATTER.program, executable: '/games/two' } }],
    ['a changed file', { program: { ...MATTER.program, file: '9' } }],
  ])('about %s is another one', async (_, over) => {
    const { prompts } = start()
    const both = [prompts.ask(MATTER, never), prompts.ask({ ...MATTER, ...over }, never)]
    expect(prompts.pending()).toHaveLength(2)
    for (const { id } of prompts.pending()) prompts.answer(id, true)
    await Promise.all(both)
  })
  test('is not opened for a request that is already cancelled', async () => {
    const { prompts } = start()
    await expect(prompts.ask(MATTER, AbortSignal.abort())).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    expect(prompts.pending()).toEqual([])
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
    const { prompts } = start([surface, surface])
    const asked = prompts.ask(MATTER, never)
    answer.resolve(true)
    await asked
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })
  test('when one fails, the prompt stays in the list', async () => {
    const { prompts, log } = start([() => Promise.reject(new Error('no terminal'))])
    const asked = prompts.ask(MATTER, never)
    await settled()
    expect(log.lines.map(({ event }) => event)).toContain('prompt-not-shown')
    prompts.answer('q1', true)
    await asked
  })
  test('without any, and without the list, the request is rejected', async () => {
    await expect(start([], false).prompts.ask(MATTER, never)).rejects.toMatchObject({
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
  const user = {
    ask: async (matter: ConsentRequest) => {
      asked.push(matter)
      return ALL_KEPT
    },
  }
  await consentOf('allow', user).ask(MATTER, never)
  await expect(consentOf('deny', user).ask(MATTER, never)).rejects.toMatchObject(DENIED)
  expect(asked).toEqual([])
  await consentOf('prompt', user).ask(MATTER, never)
  expect(asked).toEqual([MATTER])
})

test('programs that cannot be identified are kept apart', async () => {
  const { prompts } = start()
  const program = { kind: 'unknown', uid: 1000, executable: undefined, file: undefined } as const
  const [one, two] = [1, 2].map((connection) => prompts.ask({ ...MATTER, program, connection }, never))
  expect(prompts.pending()).toHaveLength(2)
  prompts.answer('q1', true)
  await one
  expect(prompts.pending()).toMatchObject([{ id: 'q2', connection: 2 }])
  prompts.answer('q2', true)
  await two
})

test('a refused program is muted for all applications', async () => {
  const { prompts } = start()
  const asked = expect(prompts.ask(MATTER, never)).rejects.toMatchObject(DENIED)
  prompts.answer('q1', false)
  await asked
  await expect(prompts.ask({ ...MATTER, applicationId: '8' }, never)).rejects.toMatchObject(DENIED)
  expect(prompts.pending()).toEqual([])
})

describe('what the user chooses with the answer', () => {
  const SOCIAL = { ...MATTER, scopes: ['identify', 'sdk.social_layer'] }
  const KEPT = { deniedScopes: [], lasts: 'kept' } as const

  test('is returned to who asked', async () => {
    const { prompts } = start()
    const answer = prompts.ask(SOCIAL, never)
    const choice = { deniedScopes: ['relationships.write'], lasts: 'session' } as const
    expect(prompts.answer(prompts.pending()[0]?.id ?? '', true, choice)).toBe(true)
    expect(await answer).toEqual(choice)
    const plain = prompts.ask(SOCIAL, never)
    prompts.answer(prompts.pending()[0]?.id ?? '', true)
    expect(await plain).toEqual(KEPT)
  })

  test.each([
    ['a scope that the prompt does not have', SOCIAL, ['email']],
    ['all scopes', { ...MATTER, scopes: ['identify'] }, ['identify']],
    ['a scope of a bot', { ...SOCIAL, userId: 'bot' }, ['identify']],
    [
      'a scope of a program that cannot be recognised',
      { ...SOCIAL, program: { ...MATTER.program, kind: 'unknown' as const } },
      ['identify'],
    ],
  ])('cannot leave out %s; the prompt stays open', (_, matter, deniedScopes) => {
    const { prompts } = start()
    void prompts.ask(matter, never).catch(() => {})
    const [prompt] = prompts.pending()
    expect(() => prompts.answer(prompt?.id ?? '', true, { deniedScopes, lasts: 'kept' })).toThrow(
      expect.objectContaining({ error: 'INVALID_PAYLOAD' }) as Error,
    )
    expect(prompts.pending()).toEqual([prompt])
  })
})
