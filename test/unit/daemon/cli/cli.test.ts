import { describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import type { Command, Context } from '#daemon/src/cli/command.ts'
import { config } from '#daemon/src/cli/config.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { CommandFailure } from '#daemon/src/cli/failure.ts'
import { version } from '#daemon/src/cli/version.ts'
import { BridgeError } from '@sallyport/core/errors'
import { tableOf } from './table-of.ts'
import { fakeIo } from './fake-io.ts'

/** A command that records its calls and returns the result of `end`. */
function probe(end: () => number = () => EXIT.ok) {
  const calls: Context[] = []
  const command: Command = {
    name: 'probe',
    summary: 'Look.',
    usage: 'WHAT [MORE]',
    operands: { min: 1, max: 2 },
    flags: ['platform', 'runtimeDir', 'dashboardPort', 'logLevel', 'botToken'],
    run: async (context) => {
      calls.push(context)
      return end() as typeof EXIT.ok
    },
  }
  return { calls, table: tableOf(command, version, config) }
}

async function line(words: readonly string[], env = {}, end?: () => number) {
  const io = fakeIo(env)
  const { calls, table } = probe(end)
  const exitCode = await runCli(words, io, table)
  return { exitCode, calls, printed: io.printed.join('\n'), said: io.said.join('\n') }
}

describe('a valid command line', () => {
  test('runs its command with operands and settings', async () => {
    const { exitCode, calls } = await line(['probe', 'a', '--runtime-dir', '/r', '--dashboard-port=off', 'b', '--json'], {
      SALLYPORT_LOG_LEVEL: 'debug',
    })
    expect(exitCode).toBe(EXIT.ok)
    expect(calls[0]?.operands).toEqual(['a', 'b'])
    expect(calls[0]?.loaded.settings).toMatchObject({ runtimeDir: '/r', dashboardPort: 'off', logLevel: 'debug', json: true })
    expect(calls[0]?.loaded.origins).toMatchObject({ runtimeDir: 'flag', logLevel: 'env', platform: 'default' })
  })
  test('returns the exit code of the command', async () => {
    expect((await line(['probe', 'a'], {}, () => 4)).exitCode).toBe(4)
  })
})

describe('an invalid command line prints a message on stderr, exits with 2 and runs nothing', () => {
  test.each([
    ['an unknown command', ['prob'], /Unknown command prob\. Did you mean probe\?/],
    ['an unknown flag', ['probe', 'a', '--platfrom', 'x'], /no flag --platfrom\. Did you mean --platform\?/],
    ['a flag of another command', ['probe', 'a', '--consent', 'deny'], /no flag --consent/],
    ['a secret as a flag', ['probe', 'a', '--bot-token', 'planted'], /no flag --bot-token/],
    ['a flag without a value', ['probe', 'a', '--platform'], /--platform needs a value: --platform NAME\|FILE/],
    ['a flag whose value is the next flag', ['probe', 'a', '--platform', '--json'], /--platform needs a value/],
    ['an invalid value', ['probe', 'a', '--dashboard-port', 'x'], /--dashboard-port does not accept "x"/],
    ['a value with a typo', ['probe', 'a', '--log-level', 'wran'], /does not accept "wran"\. Did you mean warn\? Expected/],
    ['too few operands', ['probe'], /needs more operands\. Usage: sallyport probe WHAT/],
    ['too many operands', ['probe', 'a', 'b', 'c'], /has too many operands/],
    ['a URL instead of a command', ['mygame:/authorize/callback?code=planted'], /Unknown command\..*sallyport callback URL/],
    ['a token instead of a command', ['pl4nted'], /Unknown command\./],
    ['a token instead of a flag', ['probe', 'a', '--pl4nted'], /no such flag/],
    ['a token as an extra operand', ['probe', 'a', 'b', 'planted'], /too many operands/],
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

describe('help', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (word) => {
    const { exitCode, printed } = await line([word])
    expect(exitCode).toBe(EXIT.ok)
    expect(printed).toMatch(/Commands\n.*probe +Look\./)
  })
  test('of a command lists its flags and no secret', async () => {
    const { exitCode, printed, calls } = await line(['probe', '--help'])
    expect(exitCode).toBe(EXIT.ok)
    expect(printed).toMatch(/Usage: sallyport probe WHAT \[MORE\]/)
    for (const flag of ['--platform NAME|FILE', '--runtime-dir DIR', '--json', '--help']) expect(printed).toContain(flag)
    expect(printed).not.toContain('bot-token')
    expect(calls).toEqual([])
  })
  test.each([
    ['help', 'probe'],
    ['help', 'probe', 'WORD'],
    ['--help', 'probe'],
    ['-h', 'probe'],
  ])('%s %s is the help of the command', async (...words) => {
    const { exitCode, printed } = await line(words)
    expect([exitCode, printed]).toEqual([EXIT.ok, (await line(['probe', '--help'])).printed])
  })
  test('of an unknown command is an error', async () => {
    expect(await line(['help', 'prob'])).toMatchObject({ exitCode: EXIT.usage, said: expect.stringContaining('Did you mean probe?') })
  })
  test('as JSON lists the commands', async () => {
    const { printed } = await line(['help', '--json'])
    expect(JSON.parse(printed).commands[0]).toEqual({ name: 'probe', summary: 'Look.', usage: 'sallyport probe WHAT [MORE]' })
    expect((await line(['help', 'probe', '--json'])).printed).toBe((await line(['probe', '--help', '--json'])).printed)
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
  test('of the command keeps its exit code and message', async () => {
    const { exitCode, said, printed } = await failing(new CommandFailure(EXIT.noDaemon, 'No bridge.'))
    expect([exitCode, said, printed]).toEqual([EXIT.noDaemon, 'sallyport probe: No bridge.', ''])
  })
  test('with --json is printed as an object on stderr', async () => {
    const { said, printed } = await failing(new CommandFailure(EXIT.refused, 'No.', { code: 4006 }), ['probe', 'a', '--json'])
    expect(JSON.parse(said)).toEqual({ error: { message: 'No.', code: 4006, exit_code: EXIT.refused } })
    expect(printed).toBe('')
  })
  test('of the bridge is printed as its message without a stack', async () => {
    const { exitCode, said } = await failing(new BridgeError('SERVICE_UNAVAILABLE', 'All slots are taken.'))
    expect([exitCode, said]).toEqual([EXIT.failed, 'sallyport probe: All slots are taken.'])
  })
  test('is the first of those that came one after the other', async () => {
    const first = new BridgeError('SERVICE_UNAVAILABLE', 'The disk is full.')
    const { said } = await failing(new SuppressedError(new Error('closing'), new SuppressedError(new Error('closing'), first)))
    expect(said).toBe('sallyport probe: The disk is full.')
  })
  test('that is unexpected is printed with a stack', async () => {
    const { exitCode, said } = await failing(new TypeError('oops'))
    expect(exitCode).toBe(EXIT.failed)
    expect(said).toMatch(/TypeError: oops\n\s+at /)
  })
})

test.each([['version'], ['--version'], ['-v'], ['-V']])('%s prints the version and the contract', async (word) => {
  expect((await line([word])).printed).toMatch(/^sallyport \d+\.\d+\.\d+, contract \d+\.\d+, node \d+/)
})

test('config prints every setting with its origin, and redacts the token', async () => {
  const env = { SALLYPORT_BOT_TOKEN: 'planted-value' }
  const { printed } = await line(['config', '--log-level', 'info'], env)
  expect(printed).toContain('logLevel = info  (flag)')
  expect(printed).toContain('runtimeDir = /run/x  (default)')
  expect(printed).toContain('botToken = [redacted]  (env)')
  const data = JSON.parse((await line(['config', '--json'], env)).printed)
  expect(data).toContainEqual({ key: 'botToken', value: '[redacted]', origin: 'env', flag: null, env: 'SALLYPORT_BOT_TOKEN' })
})
