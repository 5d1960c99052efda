/** Help, completions and manual list exactly the commands and flags that exist. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { COMPLETIONS } from '#daemon/src/cli/completion-scripts.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { flagRows } from '#daemon/src/cli/help.ts'
import { manualPage } from '#daemon/src/cli/manual.ts'
import { OPTION_KEYS, OPTIONS } from '#daemon/src/config/schema.ts'
import { fakeIo } from './fake-io.ts'

const commands = await Promise.all([...CLI_COMMANDS.values()].map((load) => load()))
const names = commands.map(({ name }) => name)
const flagsOf = (name: string) => commands.filter((one) => one.name === name).flatMap((one) => flagRows(one).map(({ flag }) => `--${flag}`))

async function printed(...words: string[]): Promise<{ code: number; text: string }> {
  const io = fakeIo()
  const code = await runCli(words, io, CLI_COMMANDS)
  return { code, text: io.printed.join('\n') }
}
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** What bash completes at the end of the line. */
function inBash(...words: string[]): readonly string[] {
  const script = `${COMPLETIONS.bash(commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _sallyport; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: import.meta.dirname })
    .split('\n')
    .filter(Boolean)
}

test('the help lists the commands of the table, and the help of each its flags', async () => {
  const { text } = await printed('--help')
  expect([...text.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)).toEqual(names)
  for (const name of names) {
    const flags = [...(await printed(name, '--help')).text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag)
    expect(new Set(flags)).toEqual(new Set([...flagsOf(name), '--help']))
  }
})

test('each flag of the table belongs to a command', () => {
  const used = new Set(commands.flatMap((command) => flagRows(command)))
  expect(OPTION_KEYS.filter((key) => OPTIONS[key].flag !== undefined && !used.has(OPTIONS[key]))).toEqual([])
})

describe('bash completes', () => {
  test('each command, and each of its flags', () => {
    expect(inBash('sallyport', '')).toEqual([...names, '--help', '--version'])
    for (const name of names) expect(inBash('sallyport', name, '--')).toEqual([...flagsOf(name), '--help'])
  })
  test('words, values and files', () => {
    expect(inBash('sallyport', 'ins')).toEqual(['inspect', 'install'])
    expect(inBash('sallyport', 'run', '--log-level', 'w')).toEqual(['warn'])
    expect(inBash('sallyport', 'run', '--vault', '')).toEqual(['auto', 'keychain', 'file'])
    expect(inBash('sallyport', 'run', '--config', 'completion.t')).toEqual(['completion.test.ts'])
    expect(inBash('sallyport', 'replay', 'completion.t')).toEqual(['completion.test.ts'])
    expect(inBash('sallyport', 'run', '--sandbox-seed', '')).toEqual([])
    expect(inBash('sallyport', 'completion', 'z')).toContain('zsh')
    expect(inBash('sallyport', 'config', '')).toEqual(expect.arrayContaining(['set', 'unset']))
    expect(inBash('sallyport', 'presence', 'p')).toContain('pause')
    expect(inBash('sallyport', 'grants', '')).toEqual(expect.arrayContaining(['revoke', 'hide-now', 'keep']))
    expect(inBash('sallyport', 'wine', 'u')).toContain('uninstall')
  })
})

test('zsh reads its script', (context) => {
  context.skip(!has('zsh'), 'zsh is not installed.')
  expect(execFileSync('zsh', ['-n'], { input: COMPLETIONS.zsh(commands), encoding: 'utf8' })).toBe('')
})

test('fish completes commands, flags and values', (context) => {
  context.skip(!has('fish'), 'fish is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'sp-fish-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'sallyport.fish')
  writeFileSync(script, COMPLETIONS.fish(commands))
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { encoding: 'utf8', cwd: folder })
      .split('\n')
      .map((text) => text.split('\t')[0])
      .filter(Boolean)
  expect(complete('sallyport ')).toEqual(expect.arrayContaining(names))
  expect(new Set(complete('sallyport doctor --'))).toEqual(new Set([...flagsOf('doctor'), '--help']))
  expect(complete('sallyport run --desktop-client ')).toEqual(['auto', 'off'])
})

test.each(['zsh', 'fish'] as const)('the script of %s names each command and flag', (shell) => {
  const script = COMPLETIONS[shell](commands)
  for (const name of names) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
  for (const flag of names.flatMap(flagsOf)) expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)}` : flag)
})

test('completion prints the script, and refuses another shell', async () => {
  expect(await printed('completion', 'bash')).toEqual({ code: EXIT.ok, text: COMPLETIONS.bash(commands) })
  expect(JSON.parse((await printed('completion', 'fish', '--json')).text)).toMatchObject({ shell: 'fish' })
  expect((await printed('completion', 'tcsh')).code).toBe(EXIT.usage)
})

describe('the manual page', () => {
  const page = manualPage(commands, '1.2.3')
  test('names each command with its flags, variables and keys', () => {
    const sections = page.split('.SS ').slice(1)
    expect(sections.map((section) => /^"sallyport ([a-z]+)/.exec(section)?.[1])).toEqual(names)
    for (const [index, name] of names.entries()) {
      const flags = [...(sections[index] ?? '').matchAll(/^\\fB((?:\\-|[a-z])+)\\fR/gm)].map(([, flag = '']) => flag.replaceAll('\\-', '-'))
      expect(flags).toEqual(flagsOf(name).filter((flag) => flag !== '--json'))
    }
    expect(page).toContain('SALLYPORT_LOG_LEVEL')
  })
  test('is read by groff without a warning', (context) => {
    context.skip(!has('groff'), 'groff is not installed.')
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Kutf8', '-Tutf8', '-z'], { input: page, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
