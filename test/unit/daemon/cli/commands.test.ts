import { describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { FIND_FLAGS } from '#daemon/src/cli/find-flags.ts'
import { PROTECTION } from '#daemon/src/cli/protection.ts'
import { fakeIo } from './fake-io.ts'

test('the table contains every command once', () => {
  expect([...CLI_COMMANDS.keys()].toSorted()).toEqual([
    'bugreport',
    'call',
    'callback',
    'completion',
    'config',
    'doctor',
    'games',
    'grants',
    'inspect',
    'install',
    'link',
    'login',
    'logout',
    'logs',
    'metrics',
    'open',
    'presence',
    'prompts',
    'record',
    'replay',
    'run',
    'sandbox',
    'status',
    'stop',
    'trace',
    'tray',
    'uninstall',
    'version',
    'wine',
  ])
})

test('the table of protections has every command', () => {
  expect(Object.keys(PROTECTION)).toEqual([...CLI_COMMANDS.keys()])
})

test.each([...CLI_COMMANDS])('%s is loaded under its own name', async (name, load) => {
  expect((await load()).name).toBe(name)
})

const commands = await Promise.all([...CLI_COMMANDS.values()].map((load) => load()))

describe.each(commands.map((command) => [command.name, command] as const))('%s', (name, command) => {
  test('has a help text and help data', async () => {
    const io = fakeIo()
    expect(await runCli([name, '--help'], io, CLI_COMMANDS)).toBe(EXIT.ok)
    expect(await runCli([name, '--help', '--json'], io, CLI_COMMANDS)).toBe(EXIT.ok)
    const [text = '', data = ''] = io.printed
    expect(text).toContain(`Usage: sallyport ${name}`)
    const flags = JSON.parse(data).flags.map(({ flag }: { flag: string }) => flag)
    expect(flags).toContain('--json')
    for (const flag of flags) expect(text).toContain(flag)
    expect(command.summary).toMatch(/^[A-Z].*\.$/)
  })
})

test('the exit codes are stable', () => {
  expect(EXIT).toEqual({ ok: 0, failed: 1, usage: 2, noDaemon: 3, refused: 4, newerData: 6, notChecked: 7 })
})

/** They start no connection to a bridge, or are it. */
const WITHOUT_BRIDGE = new Set(['run', 'sandbox', 'logs', 'wine', 'completion', 'version'])

test.each(commands.filter(({ name }) => !WITHOUT_BRIDGE.has(name)))('$name finds its bridge by the flags of every command', ({ flags }) => {
  expect(flags).toEqual(expect.arrayContaining([...FIND_FLAGS]))
})
