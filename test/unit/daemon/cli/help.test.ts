/** The help of every command: examples, groups of flags, and lines that fit the terminal. */
import { describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXAMPLES } from '#daemon/src/cli/examples.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { commandHelp, flagGroups, flagRows, overview } from '#daemon/src/cli/help.ts'
import { painterOf, showsColours } from '#daemon/src/cli/paint.ts'
import { parseLine } from '#daemon/src/cli/parse.ts'
import { alternativesOf, firstWords } from '#daemon/src/cli/usage.ts'
import { asColumns, wrapped } from '#daemon/src/cli/wrap.ts'
import { fakeIo } from './fake-io.ts'

const commands = await Promise.all([...CLI_COMMANDS.values()].map((load) => load()))
const plain = painterOf(false)

/** Words as a shell passes them. */
const wordsOf = (line: string): readonly string[] => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')

test('every command has examples, and no other', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(commands.map(({ name }) => name).toSorted())
})

describe.each(commands.map((command) => [command.name, command] as const))('%s', (name, command) => {
  test('has examples that its parser accepts, of its own', () => {
    const examples = EXAMPLES[name] ?? []
    expect(examples.length).toBeGreaterThan(0)
    for (const { line, does } of examples) {
      const [first, ...words] = wordsOf(line)
      expect(first).toBe(name)
      expect(() => parseLine(command, words)).not.toThrow()
      expect(does).toMatch(/^[A-Z]/)
    }
  })

  test.each([40, 80, 100, 200])('fits %d columns', (columns) => {
    for (const text of commandHelp(command, { columns, paint: plain }).split('\n')) {
      // Names of flags and words to type are not broken.
      const isWhole = /^ {2}(?:sallyport|--)\S*(?: \S+)*$/.test(text) || !text.trim().includes(' ')
      expect(isWhole || text.length <= columns, text).toBe(true)
    }
  })

  test('has each flag in one group', () => {
    const grouped = flagGroups(command).flatMap(({ rows }) => rows)
    expect(new Set(grouped)).toEqual(new Set(flagRows(command)))
    expect(grouped).toHaveLength(flagRows(command).length)
  })
})

test('no group of run is long', () => {
  const run = commands.filter(({ name }) => name === 'run').flatMap(flagGroups)
  expect(run.length).toBeGreaterThan(5)
  for (const { rows } of run) expect(rows.length).toBeLessThanOrEqual(8)
})

test('the overview fits the terminal', () => {
  for (const columns of [40, 80, 120])
    for (const text of overview(commands, { columns, paint: plain }).split('\n')) expect(text.length).toBeLessThanOrEqual(columns + 5)
  expect(
    Math.max(
      ...overview(commands, { columns: 80, paint: plain })
        .split('\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(80)
})

test('headings have a style where colours are shown, and errors are red', async () => {
  const io = { ...fakeIo(), colours: { out: true, info: true } }
  await runCli(['status', '--help'], io, CLI_COMMANDS)
  expect(io.printed.join('\n')).toContain('\u001b[1mExamples\u001b[22m')
  expect(await runCli(['presence', 'paus'], io, CLI_COMMANDS)).toBe(EXIT.usage)
  expect(io.said.at(-1)).toBe(
    '\u001b[31msallyport presence:\u001b[39m presence has no word paus. Did you mean pause? Usage: sallyport presence [pause|resume] [flags]',
  )
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %j and a terminal: %s, colours: %s', (env, isTerminal, shows) => {
  expect(showsColours(env, isTerminal)).toBe(shows)
})

test('lines break between words; a name that is too long has a line of its own', () => {
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapped('abcdefghij k', 4)).toEqual(['abcdefghij', 'k'])
  const rows = [
    ['--a', 'one two three four five six seven eight'],
    [`--${'b'.repeat(30)}`, 'short'],
  ] as const
  expect(asColumns(rows, 60).split('\n')).toEqual([
    `  --a${' '.repeat(25)}one two three four five six`,
    `${' '.repeat(30)}seven eight`,
    `  --${'b'.repeat(30)}`,
    `${' '.repeat(30)}short`,
  ])
  expect(asColumns([['--a', 'one two three four five six']], 30).split('\n')).toEqual(['  --a', '    one two three four five', '    six'])
})

test('a usage line is a grammar of operands', () => {
  const shown = (usage: string) => alternativesOf(usage).map((one) => one.map(({ text, isRepeated }) => (isRepeated ? `${text}+` : text)))
  expect(shown('[flags]')).toEqual([[]])
  expect(shown('FILE --application ID [flags]')).toEqual([['FILE']])
  expect(shown('CMD [ARGS-JSON] [flags]')).toEqual([['CMD', 'ARGS-JSON']])
  expect(shown('[flags] [SCHEME…]')).toEqual([['SCHEME+']])
  expect(shown('[set KEY VALUE|unset KEY] [flags]')).toEqual([
    ['set', 'KEY', 'VALUE'],
    ['unset', 'KEY'],
  ])
  expect(firstWords('install PREFIX | uninstall PREFIX | list [flags]')).toEqual(['install', 'uninstall', 'list'])
  expect(firstWords('bash|zsh|fish')).toEqual(['bash', 'zsh', 'fish'])
  for (const usage of ['[flags]', 'FILE [flags]', '[flags] URL']) expect(firstWords(usage)).toEqual([])
})
