import { describe, expect, test } from 'vitest'
import { runCli } from '../../../../daemon/src/cli/cli.ts'
import type { Command, Context } from '../../../../daemon/src/cli/command.ts'
import { config } from '../../../../daemon/src/cli/config.ts'
import { EXIT } from '../../../../daemon/src/cli/exit-codes.ts'
import { CommandFailure } from '../../../../daemon/src/cli/failure.ts'
import { version } from '../../../../daemon/src/cli/version.ts'
import { BridgeError } from '@sallyport/core/errors'
import { fakeIo } from './fake-io.ts'

/** A command that keeps what it was called with, and ends as told. */
function probe(end: () => number = () => EXIT.ok) {
  const calls: Context[] = []
  const command: Command = {
    name: 'probe',
    summary: 'Look.',
    usage: 'WHAT [MORE]',
    operands: { least: 1, most: 2 },
    flags: ['platform', 'runtimeDir', 'dashboardPort', 'logLevel', 'botToken'],
    run: async (context) => {
      calls.push(context)
      return end() as typeof EXIT.ok
    },
  }
  return { calls, table: { commands: [command, version, config], later: [{ name: 'doctor', summary: 'Check.' }] } }
}

async function line(words: readonly string[], env = {}, end?: () => number) {
  const io = fakeIo(env)
  const { calls, table } = probe(end)
  const exitCode = await runCli(words, io, table)
  return { exitCode, calls, printed: io.printed.join('\n'), said: io.said.join('\n') }
}

describe('a good line', () => {
  test('reaches its command with operands and settings', async () => {
    const { exitCode, calls } = await line(['probe', 'a', '--runtime-dir', '/r', '--dashboard-port=off', 'b', '--json'], {
      SALLYPORT_LOG_LEVEL: 'debug',
    })
    expect(exitCode).toBe(EXIT.ok)
    expect(calls[0]?.operands).toEqual(['a', 'b'])
    expect(calls[0]?.loaded.settings).toMatchObject({ runtimeDir: '/r', dashboardPort: 'off', logLevel: 'debug', json: true })
    expect(calls[0]?.loaded.origins).toMatchObject({ runtimeDir: 'flag', logLevel: 'env', platform: 'default' })
  })
  test('the exit code of the command is the exit code', async () => {
    expect((await line(['probe', 'a'], {}, () => 4)).exitCode).toBe(4)
  })
})

describe('a wrong line is a sentence on stderr and exit code 2, and nothing runs', () => {
  test.each([
    ['an unknown command', ['prob'], /no command prob\. Did you mean probe\?/],
    ['an unknown flag', ['probe', 'a', '--platfrom', 'x'], /no flag --platfrom\. Did you mean --platform\?/],
    ['a flag of another command', ['probe', 'a', '--consent', 'deny'], /no flag --consent/],
    ['a secret as a flag', ['probe', 'a', '--bot-token', 'planted'], /no flag --bot-token/],
    ['a flag without its value', ['probe', 'a', '--platform'], /--platform needs a value: --platform NAME\|FILE/],
    ['a flag whose value is the next flag', ['probe', 'a', '--platform', '--json'], /--platform needs a value/],
    ['a bad value', ['probe', 'a', '--dashboard-port', 'x'], /--dashboard-port does not take "x"/],
    ['too little', ['probe'], /needs more: Usage: sallyport probe WHAT/],
    ['too much', ['probe', 'a', 'b', 'c'], /does not know what to do with so many words/],
    ['an address in place of a command', ['mygame:/authorize/callback?code=planted'], /no command of that name.*sallyport callback URL/],
    ['a token in place of a command', ['pl4nted'], /no command of that name/],
    ['a token in place of a flag', ['probe', 'a', '--pl4nted'], /no such flag/],
    ['a token too many', ['probe', 'a', 'b', 'planted'], /so many words/],
    ['nothing', [], /Usage: sallyport COMMAND/],
  ])('%s', async (_, words, sentence) => {
    const { exitCode, calls, printed, said } = await line(words)
    expect(exitCode).toBe(EXIT.usage)
    expect(said).toMatch(sentence)
    expect(printed).toBe('')
    expect(said).not.toMatch(/planted|pl4nted/)
    expect(calls).toEqual([])
  })
})

test('a command of later has its own exit code', async () => {
  const { exitCode, said } = await line(['doctor'])
  expect(exitCode).toBe(EXIT.notInThisVersion)
  expect(said).toBe('sallyport doctor is not in this version.')
})

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands, those of later apart', async (word) => {
    const { exitCode, printed } = await line([word])
    expect(exitCode).toBe(EXIT.ok)
    expect(printed).toMatch(/Commands\n.*probe +Look\.[\s\S]*Not in this version\n +doctor/)
  })
  test('of a command names its flags, and no secret', async () => {
    const { exitCode, printed, calls } = await line(['probe', '--help'])
    expect(exitCode).toBe(EXIT.ok)
    expect(printed).toMatch(/Usage: sallyport probe WHAT \[MORE\]/)
    for (const flag of ['--platform NAME|FILE', '--runtime-dir DIR', '--json', '--help']) expect(printed).toContain(flag)
    expect(printed).not.toContain('bot-token')
    expect(calls).toEqual([])
  })
  test('of a command as JSON', async () => {
    const { printed } = await line(['probe', '--help', '--json'])
    const help = JSON.parse(printed)
    expect(help.flags.find(({ flag }: { flag: string }) => flag === '--log-level')).toMatchObject({
      env: 'SALLYPORT_LOG_LEVEL',
      fileKey: 'logLevel',
      default: 'warn',
    })
  })
})

describe('a failure', () => {
  const failing = (failure: unknown, words: readonly string[] = ['probe', 'a']) =>
    line(words, {}, () => {
      throw failure
    })
  test('of the command keeps its code and sentence', async () => {
    const { exitCode, said, printed } = await failing(new CommandFailure(EXIT.noDaemon, 'Nobody is there.'))
    expect([exitCode, said, printed]).toEqual([EXIT.noDaemon, 'sallyport probe: Nobody is there.', ''])
  })
  test('with --json is an object on stderr', async () => {
    const { said, printed } = await failing(new CommandFailure(EXIT.refused, 'No.', { code: 4006 }), ['probe', 'a', '--json'])
    expect(JSON.parse(said)).toEqual({ error: { message: 'No.', code: 4006, exit_code: EXIT.refused } })
    expect(printed).toBe('')
  })
  test('of the bridge is its public sentence, without a stack', async () => {
    const { exitCode, said } = await failing(new BridgeError('SERVICE_UNAVAILABLE', 'All slots are taken.'))
    expect([exitCode, said]).toEqual([EXIT.failed, 'sallyport probe: All slots are taken.'])
  })
  test('that nobody foresaw shows where it happened', async () => {
    const { exitCode, said } = await failing(new TypeError('oops'))
    expect(exitCode).toBe(EXIT.failed)
    expect(said).toMatch(/TypeError: oops\n\s+at /)
  })
})

test.each([['version'], ['--version'], ['-v']])('%s prints the version and the contract', async (word) => {
  expect((await line([word])).printed).toMatch(/^sallyport \d+\.\d+\.\d+, contract \d+\.\d+, node \d+/)
})

test('config prints every setting with its origin, the token hidden', async () => {
  const env = { SALLYPORT_BOT_TOKEN: 'planted-value' }
  const { printed } = await line(['config', '--log-level', 'info'], env)
  expect(printed).toContain('logLevel = info  (flag)')
  expect(printed).toContain('runtimeDir = /run/x  (default)')
  expect(printed).toContain('botToken = [redacted]  (env)')
  const data = JSON.parse((await line(['config', '--json'], env)).printed)
  expect(data).toContainEqual({ key: 'botToken', value: '[redacted]', origin: 'env', flag: null, env: 'SALLYPORT_BOT_TOKEN' })
})
