/** Help and completions list exactly the commands and flags that exist. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMANDS } from '@sallyport/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { isKnownOperand } from '#daemon/src/cli/completion-places.ts'
import { COMPLETIONS } from '#daemon/src/cli/completion-scripts.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { flagRows } from '#daemon/src/cli/help.ts'
import { OPTION_KEYS, OPTIONS } from '#daemon/src/config/schema.ts'
import { alternativesOf } from '#daemon/src/cli/usage.ts'
import { EMPTY_STATE, GAME, PROMPT } from '#test/support/bridge-state.ts'
import { fakeBridge } from './fake-bridge.ts'
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

/** What the program prints when a script asks it for ids. */
const ANSWERS = String.raw`[ "$*" = 'completion ids grants' ] && printf 'k3v9\tdockside: Dockside\nx2\ttide\n' || printf '42\tTide Pilot\n'`

/** What bash completes at the end of the line. */
function inBash(...words: string[]): readonly string[] {
  const script = `${COMPLETIONS.bash(commands)}
sallyport() { ${ANSWERS}; }
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

test('each operand of a usage line is one that is completed, or known to be free', () => {
  const operands = commands.flatMap(({ usage }) => alternativesOf(usage).flat()).filter(({ isWord }) => !isWord)
  expect(operands.filter(({ text }) => !isKnownOperand(text))).toEqual([])
})

describe('completion ids', () => {
  const ask = async (directory: string, ...words: readonly string[]) =>
    printed('completion', 'ids', ...words, '--data-dir', join(directory, 'data'))
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'sp-ids-'))
    onTestFinished(() => rmSync(made, { recursive: true }))
    return made
  }
  test('prints those of the running bridge with what they are', async () => {
    const directory = folder()
    const applications = [{ id: '42', name: 'Tide Pilot' }, { id: '43' }]
    const bridge = await fakeBridge(directory, {
      WATCH_BRIDGE: { data: { ...EMPTY_STATE, games: [GAME], prompts: [PROMPT], applications } },
    })
    onTestFinished(() => bridge.close())
    expect(await ask(directory, 'games')).toEqual({ code: EXIT.ok, text: '7\ttide: Tide Pilot' })
    expect(await ask(directory, 'prompts')).toEqual({ code: EXIT.ok, text: `${PROMPT.id}\t${PROMPT.title}` })
    expect(await ask(directory, 'applications')).toEqual({ code: EXIT.ok, text: '42\tTide Pilot\n43\t' })
    expect(JSON.parse((await ask(directory, 'games', '--json')).text)).toEqual([{ id: '7', what: 'tide: Tide Pilot' }])
    expect((await ask(directory, 'dogs')).code).toBe(EXIT.usage)
  })
  test('prints nothing without one', async () => {
    expect(await ask(folder(), 'grants')).toEqual({ code: EXIT.ok, text: '' })
  })
})

describe('bash completes', () => {
  test('each command, and each of its flags', () => {
    expect(inBash('sallyport', '')).toEqual([...names, 'help', '--help', '--version'])
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
    expect(inBash('sallyport', 'help', 'ins')).toEqual(['inspect', 'install'])
  })
  test('only what is accepted', () => {
    expect(inBash('sallyport', 'logs', '--level', '')).toEqual(['debug', 'info', 'warn', 'error'])
    expect(inBash('sallyport', 'completion', '')).toEqual(['bash', 'zsh', 'fish', 'ids'])
    expect(inBash('sallyport', 'presence', 'pause', 'comp')).toEqual([])
    expect(inBash('sallyport', 'presence', 'pause', '')).toEqual(inBash('sallyport', 'presence', '--'))
    expect(inBash('sallyport', 'run', '--platform', 'san')).toEqual(['sandbox'])
    expect(inBash('sallyport', 'run', '--platform', 'completion.t')).toEqual(['completion.test.ts'])
    expect(inBash('sallyport', 'run', '--vault', '=', 'k')).toEqual(['keychain'])
    expect(inBash('sallyport', 'run', '--vault', '=')).toEqual(['auto', 'keychain', 'file'])
  })
  test('words after words, and past flags with their values', () => {
    expect(inBash('sallyport', 'config', 'set', 'pl')).toEqual(['platform'])
    expect(inBash('sallyport', 'config', 'set', 'vault', '')).toEqual(['auto', 'keychain', 'file'])
    expect(inBash('sallyport', 'config', '--config', 'x', 'set', 'gatewayO')).toEqual(['gatewayObfuscation'])
    expect(inBash('sallyport', 'config', '--vault', '=', 'file', 'set', 'gatewayO')).toEqual(['gatewayObfuscation'])
    expect(inBash('sallyport', 'wine', 'install', 'completion.t')).toEqual(['completion.test.ts'])
    expect(inBash('sallyport', 'wine', 'list', 'completion.t')).toEqual([])
  })
  test('the names of calls, and the ids of the running bridge', () => {
    expect(inBash('sallyport', 'call', '')).toEqual(Object.keys(COMMANDS))
    expect(inBash('sallyport', 'call', 'GET_CURRENT_USER_G')).toContain('GET_CURRENT_USER_GUILDS')
    expect(inBash('sallyport', 'inspect', '--cmd', 'SET_ACT')).toEqual(['SET_ACTIVITY'])
    expect(inBash('sallyport', 'grants', 'revoke', '')).toEqual(['k3v9', 'x2'])
    expect(inBash('sallyport', 'grants', 'narrow', 'k3v9', 'sdk.social_layer_p')).toEqual(['sdk.social_layer_presence'])
    expect(inBash('sallyport', 'grants', 'narrow', 'k3v9', 'guilds', 'ema')).toEqual(['email'])
    expect(inBash('sallyport', 'link', '--application', '')).toEqual(['42'])
  })
})

/** What zsh completes as the last operand of the words after the program. */
function inZsh(...words: readonly string[]): readonly string[] {
  const script = `compadd() { shift; print -l -- "$@"; }; _describe() { print -l -- "\${(@P)2}"; }; _files() { print FILES; }; compdef() { }
sallyport() { ${ANSWERS}; }
${COMPLETIONS.zsh(commands)}
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _sallyport_operand`
  return execFileSync('zsh', ['-f', '-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('zsh completes words after words, names, ids and paths', (context) => {
  context.skip(!has('zsh'), 'zsh is not installed.')
  expect(inZsh('presence', '')).toEqual(['pause', 'resume'])
  expect(inZsh('config', '--vault', 'file', 'set', 'vault', '')).toEqual(['auto', 'keychain', 'file'])
  expect(inZsh('grants', 'revoke', '')).toEqual(['k3v9:dockside: Dockside', 'x2:tide'])
  expect(inZsh('call', '')).toEqual(Object.keys(COMMANDS))
  expect(inZsh('wine', 'install', '')).toEqual(['FILES'])
  expect(inZsh('presence', 'pause', '')).toEqual([])
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
  const program = join(folder, 'bin', 'sallyport')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(program, `#!/bin/bash\n${ANSWERS}\n`, { mode: 0o755 })
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { encoding: 'utf8', cwd: folder, env })
      .split('\n')
      .map((text) => text.split('\t')[0])
      .filter(Boolean)
  expect(complete('sallyport ')).toEqual(expect.arrayContaining(names))
  expect(new Set(complete('sallyport doctor --'))).toEqual(new Set([...flagsOf('doctor'), '--help']))
  expect(complete('sallyport run --desktop-client ')).toEqual(['auto', 'off'])
  expect(complete('sallyport presence ')).toEqual(['pause', 'resume'])
  expect(complete('sallyport presence pause ')).toEqual([])
  expect(new Set(complete('sallyport config --vault file set vault '))).toEqual(new Set(['auto', 'keychain', 'file']))
  expect(complete('sallyport call GET_CURRENT_USER_G')).toContain('GET_CURRENT_USER_GUILDS')
  expect(complete('sallyport grants revoke ')).toEqual(['k3v9', 'x2'])
  expect(complete('sallyport wine install sallyp')).toEqual(['sallyport.fish'])
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
