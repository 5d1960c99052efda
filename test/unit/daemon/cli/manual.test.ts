/** The manual page has all that the tables of the command line have, in the sections that readers expect. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXAMPLES } from '#daemon/src/cli/examples.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { flagRows } from '#daemon/src/cli/help.ts'
import { manualPage } from '#daemon/src/cli/manual.ts'
import { OPTION_KEYS, OPTIONS, type OptionRow } from '#daemon/src/config/schema.ts'

const commands = await Promise.all([...CLI_COMMANDS.values()].map((load) => load()))
const page = manualPage(commands, '1.2.3')
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** As roff shows it. */
const plain = (roff: string): string =>
  roff
    .replaceAll(/\\f[BIR]/g, '')
    .replaceAll(String.raw`\-`, '-')
    .replaceAll(String.raw`\(aq`, "'")
    .replaceAll(String.raw`\(ti`, '~')
    .replaceAll(String.raw`\e`, '\\')

const sections = new Map(
  page
    .split(/^\.SH /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), plain(text.slice(text.indexOf('\n') + 1))] as const),
)
const section = (name: string): string => sections.get(name) ?? ''
/** The heads of the items of a section. */
const heads = (name: string): readonly string[] => [...section(name).matchAll(/^\.TP\n(.*)$/gm)].map(([, head = '']) => head)

test('has the sections in their usual order', () => {
  expect([...sections.keys()]).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'COMMANDS',
    'OPTIONS',
    'EXIT STATUS',
    'FILES',
    'ENVIRONMENT',
    'EXAMPLES',
    'SEE ALSO',
  ])
})

test('names each command with all of its flags', () => {
  const parts = section('COMMANDS').split('.SS ').slice(1)
  expect(parts.map((part) => /^"sallyport ([a-z]+)/.exec(part)?.[1])).toEqual(commands.map(({ name }) => name))
  for (const [index, command] of commands.entries()) {
    const flags = [...(/^Flags: (.*)$/m.exec(parts[index] ?? '')?.[1] ?? '').matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag)
    expect(new Set(flags)).toEqual(new Set(flagRows(command).map(({ flag }) => flag)))
  }
})

test('describes each flag once, with its variable and its key', () => {
  const rows = OPTION_KEYS.map((key): OptionRow => OPTIONS[key]).filter(({ flag }) => flag !== undefined)
  const flags = heads('OPTIONS').map((head) => /^--[a-z-]+/.exec(head)?.[0])
  expect(new Set(flags)).toEqual(new Set(['--help', ...rows.map(({ flag }) => `--${flag}`)]))
  expect(flags).toHaveLength(rows.length + 1)
  for (const { env, fileKey } of rows) {
    if (env !== undefined) expect(section('OPTIONS')).toContain(`variable ${env}`)
    if (fileKey !== undefined) expect(section('OPTIONS')).toContain(`key ${fileKey}`)
  }
})

test('has the exit codes and the examples of the tables', () => {
  expect(heads('EXIT STATUS')).toEqual(Object.values(EXIT).map(String))
  const examples = commands.flatMap(({ name }) => EXAMPLES[name] ?? [])
  expect(heads('EXAMPLES')).toHaveLength(examples.length)
  for (const name of ['NO_COLOR', 'XDG_RUNTIME_DIR', 'SALLYPORT_BOT_TOKEN']) expect(section('ENVIRONMENT')).toContain(name)
})

test.each([
  ['groff', ['-man', '-ww', '-Kutf8', '-Tutf8', '-z']],
  ['man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', '-']],
] as const)('is read by %s without a warning', (program, args) => {
  expect.assertions(has(program) ? 1 : 0)
  if (!has(program)) return
  const { status, stderr } = spawnSync(program, args, { input: page, encoding: 'utf8', env: { ...process.env, MANWIDTH: '80' } })
  expect([status, stderr]).toEqual([0, ''])
})
