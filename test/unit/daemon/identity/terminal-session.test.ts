import { describe, expect, test } from 'vitest'
import { programText } from '#daemon/src/identity/program-text.ts'
import { isKnown, isSameProgram, NO_SESSION, programKey, type Program, recognitionKeysOf, shareKey } from '#daemon/src/identity/program.ts'
import { isTyped, sessionOf } from '#daemon/src/identity/terminal-session.ts'
import { chain, type FakeProcess, inline, machine, native, OUR_SCRIPT, script } from './fake-processes.ts'

const own = (session: string): Program => ({ ...native('/usr/bin/sallyport'), session })
const textOf = (session: string): string => programText(own(session)).replace('the command line of Sallyport, ', '')
const isKept = (session: string): boolean => isKnown(own(session))

type Above = readonly Partial<FakeProcess>[]
/** The command line as process 100, with these processes above it. */
const startedFrom = (above: Above): string => sessionOf(100, chain({}, ...above))
/** The command line in the foreground of a terminal whose first process is 101, with these processes from there on. */
const inTerminalOf = (above: Above): string => sessionOf(100, chain({ session: 101, isInFront: true }, ...above))
const runs = (program: Program | undefined, name = 'x'): Partial<FakeProcess> => ({ runs: program, name })
const root = (name: string): Partial<FakeProcess> => ({ runs: 'root', name })

const BASH = runs(inline('/usr/bin/bash'))
const SH = runs(inline('/usr/bin/dash'))
const EVIL = runs(native('/games/evil'))
const BACKUP = runs(script('/home/ada/backup.py'))

describe('without a terminal, the starter is the first ancestor that is no launcher', () => {
  test.each<[string, Above, string]>([
    ['a program', [EVIL], '/games/evil'],
    ['timeout', [runs(native('/usr/bin/timeout')), EVIL], '/games/evil'],
    ['several launchers', ['nice', 'flock', 'make', 'xargs'].map((name) => runs(native(`/usr/bin/${name}`))).concat(EVIL), '/games/evil'],
    ['a line of the shell', [SH, runs(native('/usr/bin/make')), SH, EVIL], '/games/evil'],
    ['a launcher that is a script', [runs(script('/usr/lib/node_modules/npm/bin/npm-cli.js', '/usr/bin/node')), EVIL], '/games/evil'],
    ['root’s sudo, which hides', [root('sudo'), EVIL], '/games/evil'],
    ['our own launcher', [runs(script(OUR_SCRIPT, '/usr/bin/node')), EVIL], '/games/evil'],
    ['a script', [BACKUP, BASH], 'a script of /usr/bin/python3.13: /home/ada/backup.py'],
    [
      'a launcher of cron’s script',
      [runs(native('/usr/bin/timeout')), BACKUP, SH, root('cron')],
      'a script of /usr/bin/python3.13: /home/ada/backup.py',
    ],
  ])('%s', (_, above, starter) => {
    const session = startedFrom(above)
    expect(session).toMatch(/^by:/)
    expect(textOf(session)).toBe(`started by ${starter}`)
    expect(isKept(session)).toBe(true)
  })

  test.each<[string, Above, string]>([
    ['whose parent ended', [], 'a program that cannot be named'],
    ['that only launchers start', [runs(native('/usr/bin/timeout')), runs(native('/usr/bin/setsid'))], 'a program that cannot be named'],
    ['of an orphan', [runs(native('/usr/bin/timeout')), runs(native('/usr/lib/systemd/systemd')), EVIL], 'a program that cannot be named'],
    ['of a line for cron', [runs(native('/usr/bin/timeout')), SH, root('cron')], 'a program that cannot be named'],
    [
      'of inline code',
      [runs(inline('/usr/bin/python3.13')), EVIL],
      'a program that cannot be identified, because /usr/bin/python3.13 runs it',
    ],
    ['in the background of a terminal', [BASH, runs(native('/usr/bin/xterm')), EVIL], '/usr/bin/xterm'],
    ['of a program that hides', [runs(undefined, 'timeout'), EVIL], 'a program that cannot be read, which calls itself timeout'],
    ['of a program that calls itself a launcher', [runs(native('/games/timeout')), EVIL], '/games/timeout'],
    [
      'of a launcher by an interpreter of the user',
      [runs(script('/usr/bin/xonsh', '/games/python3')), EVIL],
      'a script of /games/python3: /usr/bin/xonsh',
    ],
    [
      'of a program that calls itself a shell',
      [runs(inline('/games/sh')), EVIL],
      'a program that cannot be identified, because /games/sh runs it',
    ],
    [
      'of a launcher in a container',
      [runs({ ...native('/usr/bin/timeout'), kind: 'container', container: 'other' }), EVIL],
      'a program in a container, which calls itself /usr/bin/timeout',
    ],
  ])('none is kept %s', (_, above, starter) => {
    const session = startedFrom(above)
    expect(session).toMatch(/^none/)
    expect(textOf(session)).toBe(`started by ${starter}`)
    expect(isKept(session)).toBe(false)
  })

  test('a process that ended has none', () => {
    expect(sessionOf(100, machine({}))).toBe(NO_SESSION)
  })
  test.each([0, 1])('a chain that changes while it is read has none: process %i gets another parent', (changing) => {
    const before = chain({}, runs(native('/usr/bin/timeout')), EVIL)
    let looks = 0
    const stat = (pid: number): string => {
      const text = before.stat(pid)
      return pid === 100 + changing && looks++ > 0 ? text.replace(`S ${pid + 1} `, 'S 1 ') : text
    }
    expect(sessionOf(100, { ...before, stat })).toBe(NO_SESSION)
  })
  test('a chain without an end is left', () => {
    expect(sessionOf(100, machine({ 100: { parent: 101 }, 101: { parent: 101, runs: native('/usr/bin/timeout') } }))).toBe(NO_SESSION)
  })
  test('a changed file, another interpreter and a script are other starters', () => {
    const evil = native('/games/evil')
    const all = [
      evil,
      { ...evil, file: '1:2:3:4:6' },
      native('/games/other'),
      script('/games/evil'),
      script('/games/evil', '/usr/bin/perl'),
    ].map((one) => startedFrom([runs(one)]))
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('a terminal', () => {
  test.each<[string, Above, string]>([
    ['xterm', [BASH, runs(native('/usr/bin/xterm'))], '/usr/bin/xterm'],
    ['xterm -e sallyport', [runs(script(OUR_SCRIPT, '/usr/bin/node')), runs(native('/usr/bin/xterm'))], '/usr/bin/xterm'],
    ['terminator, a script', [BASH, runs(script('/usr/bin/terminator'))], 'a script of /usr/bin/python3.13: /usr/bin/terminator'],
    ['tmux', [BASH, runs(native('/usr/bin/tmux'))], '/usr/bin/tmux'],
    ['the text console', [BASH, root('login')], 'login, run by root'],
    [
      'ssh: the user’s process of the server hides',
      [BASH, runs(undefined, 'sshd'), root('sshd-session'), root('sshd')],
      'sshd-session, run by root',
    ],
    ['sudo in xterm', [BASH, root('sudo'), root('sudo'), BASH, runs(native('/usr/bin/xterm'))], '/usr/bin/xterm'],
    ['script in xterm', [SH, runs(native('/usr/bin/script')), BASH, runs(native('/usr/bin/xterm'))], '/usr/bin/xterm'],
  ])('of %s is the user’s', (_, above, terminal) => {
    const session = inTerminalOf(above)
    expect(session).toMatch(/^tty:101:1010:/)
    expect(textOf(session)).toBe(`in a terminal of ${terminal}`)
    expect(isKept(session)).toBe(true)
  })

  test.each<[string, Above, string]>([
    ['its first process', [EVIL, runs(native('/usr/bin/xterm'))], '/games/evil'],
    ['the parent of our command line', [runs(script(OUR_SCRIPT, '/usr/bin/node')), EVIL], '/games/evil'],
    ['the starter of script', [SH, runs(native('/usr/bin/script')), EVIL], '/games/evil'],
    [
      'inline code',
      [SH, runs(inline('/usr/bin/python3.13')), EVIL],
      'a program that cannot be identified, because /usr/bin/python3.13 runs it',
    ],
    ['a program that calls itself xterm', [BASH, runs(native('/games/xterm'))], '/games/xterm'],
    ['a program that hides', [BASH, runs(undefined, 'sshd'), BASH, root('sshd')], 'a program that cannot be read, which calls itself sshd'],
    [
      'a program that hides below cron',
      [BASH, runs(undefined, 'sshd'), root('cron')],
      'a program that cannot be read, which calls itself sshd',
    ],
    ['an orphan', [BASH], 'a program that cannot be named'],
    [
      'an orphan of the session',
      [BASH, runs(native('/usr/bin/setsid')), runs(native('/usr/lib/systemd/systemd'))],
      'a program that cannot be named',
    ],
  ])('is named after %s', (_, above, maker) => {
    const session = inTerminalOf(above)
    expect(session).toMatch(/^pty:101:1010:/)
    expect(textOf(session)).toBe(`in a terminal made by ${maker}`)
    expect(isKept(session)).toBe(true)
  })

  test('is another one when the id of its first process was used again', () => {
    const at = (startedAt: number): string => inTerminalOf([{ ...BASH, startedAt }, runs(native('/usr/bin/xterm'))])
    expect(isSameProgram(own(at(1)), own(at(1)))).toBe(true)
    expect(isSameProgram(own(at(1)), own(at(2)))).toBe(false)
  })
  test('that has lost its first process has a starter instead', () => {
    expect(sessionOf(100, machine({ 100: { parent: 102, session: 101, isInFront: true }, 102: { parent: 1, ...EVIL } }))).toMatch(/^by:/)
  })
})

describe('a command line', () => {
  test('is the same program in the same session only, and in none when the session is not known', () => {
    expect(isSameProgram(own('tty:1:1'), own('tty:1:1'))).toBe(true)
    expect(isSameProgram(own('tty:1:1'), own('tty:1:2'))).toBe(false)
    expect(isSameProgram(own('tty:1:1'), native('/usr/bin/sallyport'))).toBe(false)
    expect(isSameProgram(own(NO_SESSION), own(NO_SESSION))).toBe(false)
    expect(isSameProgram(own('none:["/x","native"]'), own('none:["/x","native"]'))).toBe(false)
  })
  test('is described without who made its terminal, as an earlier version stored it', () => {
    expect(textOf('tty:1:1')).toBe('in a terminal of a program that cannot be named')
    expect(textOf('by:["/games/evil","native","1:2:3:4:5",null,null,null]')).toBe('started by /games/evil')
    expect(textOf(NO_SESSION)).toBe('started by a program that cannot be named')
  })
  test('has no name that steers the terminal', () => {
    const session = startedFrom([runs(undefined, '\u001b[2J\u202e')])
    expect(textOf(session)).toBe(String.raw`started by a program that cannot be read, which calls itself \u{1b}[2J\u{202e}`)
  })
  test('is counted as one in all terminals and without a session, and with each program that starts it', () => {
    expect(new Set(['tty:1:1', 'tty:2:2', 'pty:3:3:'].map((session) => programKey(own(session)))).size).toBe(1)
    expect(new Set(['none', 'none:["a","hidden"]', 'none:["b","hidden"]'].map((session) => programKey(own(session)))).size).toBe(1)
    const others = ['tty:1:1', 'none', 'by:["/a"]', 'by:["/b"]'].map((session) => programKey(own(session)))
    expect(new Set([...others, programKey(native('/usr/bin/sallyport'))]).size).toBe(others.length + 1)
  })
  test.each([
    [
      'another terminal that a program makes',
      inTerminalOf([EVIL]),
      sessionOf(100, chain({ session: 102, isInFront: true }, SH, EVIL)),
      true,
    ],
    ['another terminal of the user', 'tty:1:1:["/usr/bin/xterm","native"]', 'tty:2:1:["/usr/bin/xterm","native"]', false],
    ['another name of a program that hides', startedFrom([runs(undefined, 'a')]), startedFrom([runs(undefined, 'b')]), true],
    ['a touched starter', startedFrom([EVIL]), startedFrom([runs({ ...native('/games/evil'), file: '1:2:3:4:6' })]), true],
    ['a renamed starter', 'by:["/a","native","1:2:3:4:5"]', 'by:["/b","native","1:2:3:4:9"]', true],
    ['another starter', startedFrom([EVIL]), startedFrom([BACKUP]), false],
  ])('that was refused is recognised: %s', (_, one, other, isSame) => {
    expect(shareKey(recognitionKeysOf(own(one)), recognitionKeysOf(own(other)))).toBe(isSame)
  })
})

describe('a user typed it', () => {
  const XTERM = runs(native('/usr/bin/xterm'))
  const inFront = (above: Above): boolean => isTyped(100, chain({ session: 100 + above.length - 1, isInFront: true }, ...above))

  test.each<[string, Above]>([
    ['at the shell of a terminal', [BASH, XTERM, EVIL]],
    ['behind launchers', [runs(native('/usr/bin/timeout')), SH, BASH, XTERM, EVIL]],
    ['over a remote terminal', [BASH, root('sshd')]],
  ])('%s', (_, above) => expect(inFront(above)).toBe(true))

  test.each<[string, Above]>([
    ['if a game in that terminal starts it', [EVIL, BASH, XTERM]],
    ['if the shell of a game starts it', [SH, EVIL, BASH, XTERM]],
    ['if a script of the user starts it', [BACKUP, BASH, XTERM]],
    ['in a terminal that a game makes', [BASH, EVIL]],
    ['in a terminal of a program that calls itself one', [BASH, runs(native('/games/xterm'))]],
    ['as an orphan', [runs(native('/usr/lib/systemd/systemd')), BASH, XTERM]],
  ])('not %s', (_, above) => expect(inFront(above)).toBe(false))

  test('not in the background, and not without a terminal', () => {
    expect(isTyped(100, chain({ session: 101 }, BASH, XTERM))).toBe(false)
    expect(isTyped(100, chain({}, BASH, XTERM))).toBe(false)
    expect(isTyped(100, machine({}))).toBe(false)
  })
})
