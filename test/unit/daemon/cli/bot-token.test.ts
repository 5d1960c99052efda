import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { writeSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { type Answer, type FakeBridge, fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'

const TOKEN = 'the-bot-token'
const HARBOUR = { application_id: '42', name: 'Harbour' }

let directory: string
let bridge: FakeBridge | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-'))
})
afterEach(async () => {
  await bridge?.close()
  bridge = undefined
  rmSync(directory, { recursive: true })
})

async function line(
  words: readonly string[],
  answers: Readonly<Record<string, Answer>>,
  given: { typed?: string; env?: Record<string, string> } = {},
) {
  bridge = await fakeBridge(directory, answers)
  const io = fakeIo(given.env ?? {}, given.typed)
  const exitCode = await runCli([...words, '--runtime-dir', directory, '--data-dir', join(directory, 'data')], io, CLI_COMMANDS)
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n'), steps: io.steps, asked: bridge.asked }
}

describe('login --bot', () => {
  test.each([
    ['typed', { typed: TOKEN }],
    ['from the environment', { env: { SALLYPORT_BOT_TOKEN: TOKEN } }],
  ])('hands the token to the bridge, with a proof that is gone afterwards: %s', async (_how, given) => {
    const { exitCode, printed, said, asked } = await line(['login', '--bot'], { SET_BOT_TOKEN: { data: HARBOUR } }, given)
    expect([exitCode, printed]).toEqual([EXIT.ok, 'Stored the bot token of application 42 (Harbour).'])
    expect(asked.map(({ cmd, args }) => [cmd, args])).toEqual([
      ['SET_BOT_TOKEN', { token: TOKEN, operator_proof: expect.stringMatching(/^[0-9a-f]{32}$/) as string }],
    ])
    expect(printed + said).not.toContain(TOKEN)
    expect(readdirSync(join(directory, 'data', 'operator'))).toEqual([])
  })

  test('protects its memory and environment before it reads the token', async () => {
    const { steps } = await line(['login', '--bot'], { SET_BOT_TOKEN: { data: HARBOUR } }, { typed: TOKEN })
    expect(steps.slice(0, 2)).toEqual(['harden', 'readSecret'])
  })

  test('sends the requested application, so that the bridge rejects a token of another', async () => {
    const { asked } = await line(['login', '--bot', '--application', '42'], { SET_BOT_TOKEN: { data: HARBOUR } }, { typed: TOKEN })
    expect(asked[0]?.args).toMatchObject({ application_id: '42' })
  })

  test('without a token is a usage error, and nothing is sent', async () => {
    const { exitCode, said, asked } = await line(['login', '--bot'], {})
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toContain('SALLYPORT_BOT_TOKEN')
    expect(asked).toEqual([])
  })

  test('goes only to the bridge with the data folder of the user, even if another server listens', async () => {
    const io = fakeIo({}, TOKEN)
    const other = mkdtempSync(join(tmpdir(), 'cli-'))
    bridge = await fakeBridge(directory, { SET_BOT_TOKEN: { data: HARBOUR } })
    const words = ['login', '--bot', '--runtime-dir', directory, '--data-dir']
    expect(await runCli([...words, other], io, CLI_COMMANDS)).toBe(EXIT.noDaemon)
    expect(io.said.at(-1)).toContain(`No bridge is running with the data folder ${other}`)
    writeSocketAddress(other, join(other, 'discord-ipc-0'))
    expect(await runCli([...words, other], io, CLI_COMMANDS)).toBe(EXIT.noDaemon)
    expect(io.said.at(-1)).toContain(`listens in ${other}, not in ${directory}`)
    expect(bridge.asked).toEqual([])
    rmSync(other, { recursive: true })
  })

  test('accepts no token on the command line', async () => {
    const { exitCode, said } = await line(['login', '--bot', '--bot-token', TOKEN], {})
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toContain('has no flag --bot-token')
  })

  test('prints the error of the bridge', async () => {
    const answers = { SET_BOT_TOKEN: { error: { code: 4009, message: 'That is no token of a bot.' } } }
    const { exitCode, said } = await line(['login', '--bot'], answers, { typed: TOKEN })
    expect(exitCode).toBe(EXIT.refused)
    expect(said).toContain('That is no token of a bot.')
    expect(said).not.toContain(TOKEN)
  })
})

describe('logout --bot', () => {
  const stored = (...bots: object[]) => ({ GET_BOT_TOKENS: { data: { bots } }, FORGET_BOT_TOKEN: { data: { forgotten: true } } })

  test('deletes the requested one', async () => {
    const { exitCode, printed, asked } = await line(['logout', '--bot', '--application', '7'], stored())
    expect([exitCode, printed]).toEqual([EXIT.ok, 'Deleted the bot token of application 7.'])
    expect(asked.map(({ cmd, args }) => [cmd, args])).toMatchObject([['FORGET_BOT_TOKEN', { application_id: '7' }]])
  })
  test('or the only stored one', async () => {
    const { asked } = await line(['logout', '--bot'], stored(HARBOUR))
    expect(asked.at(-1)).toMatchObject({ cmd: 'FORGET_BOT_TOKEN', args: { application_id: '42' } })
  })
  test.each([
    ['several', [HARBOUR, { application_id: '43', name: 'Dock' }], '42 (Harbour), 43 (Dock)'],
    ['none', [], 'No bot token is stored'],
  ])('and asks which where there are %s', async (_what, bots, words) => {
    const { exitCode, said, asked } = await line(['logout', '--bot'], stored(...bots))
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toContain(words)
    expect(asked.map(({ cmd }) => cmd)).toEqual(['GET_BOT_TOKENS'])
  })
  test('reports if there was none', async () => {
    const answers = { FORGET_BOT_TOKEN: { data: { forgotten: false } } }
    expect((await line(['logout', '--bot', '--application', '7'], answers)).printed).toBe('Application 7 has no bot token.')
  })
})
