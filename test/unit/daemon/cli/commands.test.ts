import { describe, expect, test } from 'vitest'
import { runCli } from '../../../../daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '../../../../daemon/src/cli/commands.ts'
import { EXIT } from '../../../../daemon/src/cli/exit-codes.ts'
import { fakeIo } from './fake-io.ts'

test('every name of the contract is there, once', () => {
  const { commands, later } = CLI_COMMANDS
  const names = [...commands, ...later].map(({ name }) => name)
  expect(names.toSorted()).toEqual([
    'call',
    'callback',
    'config',
    'doctor',
    'grants',
    'inspect',
    'install',
    'link',
    'login',
    'logout',
    'logs',
    'replay',
    'run',
    'sandbox',
    'status',
    'uninstall',
    'version',
  ])
})

describe.each(CLI_COMMANDS.commands.map((command) => [command.name, command] as const))('%s', (name, command) => {
  test('explains itself to people and to programs', async () => {
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

test.each(CLI_COMMANDS.later.map(({ name }) => [name]))('%s is refused with the code of things to come', async (name) => {
  const io = fakeIo()
  expect(await runCli([name, '--json'], io, CLI_COMMANDS)).toBe(EXIT.notInThisVersion)
  expect(io.said).toEqual([`sallyport ${name} is not in this version.`])
})

test('the exit codes are a contract', () => {
  expect(EXIT).toEqual({ ok: 0, failed: 1, usage: 2, noDaemon: 3, refused: 4, notInThisVersion: 5 })
})
