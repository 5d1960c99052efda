/** `sallyport prompts`: what it lists, and how it answers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { prompts } from '#daemon/src/cli/prompts.ts'
import { EMPTY_STATE, PROMPT, SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { type Answer, fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-prompts-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

async function line(answers: Readonly<Record<string, Answer>>, words: readonly string[], isAtTerminal = true) {
  const bridge = await fakeBridge(directory, answers)
  const io = { ...fakeIo(), isAtTerminal: () => isAtTerminal }
  const exitCode = await runCli(['prompts', ...words, '--data-dir', join(directory, 'data')], io, tableOf(prompts))
  await bridge.close()
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), asked: bridge.asked.map(({ args }) => args) }
}

const SAMPLE = { WATCH_BRIDGE: { data: { ...EMPTY_STATE, prompts: [PROMPT], pages: SAMPLE_STATE.pages } } }

test('lists prompts with all their lines, and pages with their address', async () => {
  expect((await line(SAMPLE, [])).printed).toBe(
    [
      'A program wants to sign in for a game. (prompt ab12)',
      '  Application  Tide Pilot (42)',
      '  May do       identify',
      '  Program      /games/tide',
      '',
      'A sign-in goes on in a browser. If none has opened, go to https://platform.test/oauth2/authorize',
      '  Program      /games/tide',
      '',
      'Answer with: sallyport prompts allow ID, or sallyport prompts deny ID',
    ].join('\n'),
  )
  expect(JSON.parse((await line(SAMPLE, ['--json'])).printed)).toEqual({ prompts: [PROMPT], pages: SAMPLE_STATE.pages })
})

test('says that nothing waits', async () => {
  expect((await line({ WATCH_BRIDGE: { data: EMPTY_STATE } }, [])).printed).toBe('Nothing waits for you.')
})

test.each([
  ['allow', 'Allowed ab12.'],
  ['deny', 'Denied ab12.'],
])('%s answers', async (verb, text) => {
  const { exitCode, printed, asked } = await line({ OPERATE_BRIDGE: { data: { done: true } } }, [verb, 'ab12'])
  expect([exitCode, printed]).toEqual([EXIT.ok, text])
  expect(asked).toEqual([{ action: verb, id: 'ab12', operator_proof: expect.stringMatching(/^[0-9a-f]{32}$/) as string }])
})

test('a prompt that is not there is reported', async () => {
  expect(await line({ OPERATE_BRIDGE: { data: { done: false } } }, ['deny', 'ab12'])).toMatchObject({
    exitCode: EXIT.refused,
    said: expect.stringContaining('There is no prompt ab12 now') as string,
  })
})

test('allow needs a terminal, and asks no bridge without one; deny does not', async () => {
  expect(await line({}, ['allow', 'ab12'], false)).toMatchObject({ exitCode: EXIT.usage, asked: [] })
  expect(await line({ OPERATE_BRIDGE: { data: { done: true } } }, ['deny', 'ab12'], false)).toMatchObject({ exitCode: EXIT.ok })
})

test.each([[['allow']], [['drop', 'ab12']], [['toString', 'ab12']]])('%j is a usage error', async (words) => {
  expect(await line({}, words)).toMatchObject({ exitCode: EXIT.usage, said: expect.stringContaining('deny ID') as string })
})
