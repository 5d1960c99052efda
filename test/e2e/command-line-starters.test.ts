/** Whom the prompt about a command line names: the program that started it or made its terminal, not the launchers in between. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canStartCommandLines, CommandLine } from './support/command-line.ts'
import { TARGETS } from './support/daemon.ts'
import { fieldOf } from './support/person.ts'

const LAUNCHERS = ['/usr/bin/timeout', '60', 'nice', 'sh', '-c', '"$@"; exit $?', 'sh'] as const
const UNNAMED = 'started by a program that cannot be named'
const has = (program: string): boolean => spawnSync(program, ['-V']).status === 0
const PYTHON = '/usr/bin/python3'
const PTY_SPAWN = 'import pty, sys; pty.spawn(sys.argv[1:])'

describe.skipIf(!canStartCommandLines).each(TARGETS)('$name', (target) => {
  let ours: CommandLine
  beforeAll(async () => {
    ours = await CommandLine.open(target)
    await ours.login(await ours.openTerminal())
  })
  afterAll(() => ours.close())

  test('a launcher does not lend the grant of one program to another', async () => {
    const [one, thief] = [ours.compiled('one'), ours.compiled('thief')]
    const line = [...LAUNCHERS, ...ours.call('--non-interactive')]
    expect(await ours.promptedBy(one, line, 'allow')).toBe(`the command line of Sallyport, started by ${one}`)
    expect(await ours.startedBy(one, line)).toMatchObject({ code: 0, out: expect.stringContaining('"ada"') })
    expect(await ours.startedBy(one, ours.call('--non-interactive')), 'also without them').toMatchObject({ code: 0 })
    expect(await ours.promptedBy(thief, line)).toBe(`the command line of Sallyport, started by ${thief}`)
  })

  test('where only launchers stand, the prompt names no program, and no grant is kept', async () => {
    const leaver = ours.compiled('leaver', 'leaver.c')
    const line = [...LAUNCHERS, ...ours.call('--non-interactive')]
    expect(await ours.promptedBy(leaver, line, 'allow')).toContain(UNNAMED)
    expect(await ours.promptedBy(leaver, line, 'allow')).toContain(UNNAMED)
  })

  test('a program with the name of a launcher is named itself', async () => {
    const folder = join(ours.at.base, 'open')
    mkdirSync(folder)
    // Not root's alone: any user may have put it there.
    chmodSync(folder, 0o777)
    const own = join(folder, 'timeout')
    renameSync(ours.compiled('timeout'), own)
    const prompted = () => ours.promptedBy(own, ours.call('--non-interactive'), 'allow')
    expect(await prompted()).toContain(`started by ${own}`)
    expect(await prompted(), 'no grant is kept').toContain(`started by ${own}`)
  })
})

describe.skipIf(!canStartCommandLines).each(TARGETS)('a terminal, $name', (target) => {
  let ours: CommandLine
  // A refusal holds for all terminals that programs make.
  beforeEach(async () => {
    ours = await CommandLine.open(target)
    return () => ours.close()
  })

  test('is named after the program that makes it, and a refusal holds for all that it makes', async () => {
    const maker = ours.compiled('maker', 'pty-maker.c')
    expect(await ours.promptedBy(maker, ours.words('login'))).toBe(`the command line of Sallyport, in a terminal made by ${maker}`)
    expect((await ours.startedBy(maker, ours.words('login'))).out).toContain('did not allow')
  })
  test('names no program if its maker left it', async () => {
    const maker = ours.compiled('maker', 'pty-maker.c')
    expect(await ours.promptedBy(maker, ['--leave', ...ours.words('login')])).toContain('made by a program that cannot be named')
  })
  test('of script is named after the program that starts script', async () => {
    const thief = ours.compiled('thief')
    expect(await ours.promptedBy(thief, ['/usr/bin/script', '-qec', ours.words('login').join(' '), '/dev/null'])).toContain(
      `made by ${thief}`,
    )
  })
  test.skipIf(!has(PYTHON))('of inline code is named after the interpreter', async () => {
    const thief = ours.compiled('thief')
    expect(await ours.promptedBy(thief, [PYTHON, '-c', PTY_SPAWN, ...ours.words('login')])).toMatch(
      /made by a program that cannot be identified, because \/usr\/bin\/python3\S* runs it/,
    )
  })
  test.skipIf(!has('tmux'))('of tmux is named after tmux', async () => {
    const socket = join(ours.at.base, 'tmux')
    const line = ['-S', socket, '-f', '/dev/null', 'new-session', '-d', ours.words('login').join(' ')]
    try {
      expect(await ours.startedBy('tmux', line)).toMatchObject({ code: 0 })
      expect(fieldOf(await ours.person.prompt(), 'Program')).toContain('in a terminal of /usr/bin/tmux')
    } finally {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
    }
  })
})
