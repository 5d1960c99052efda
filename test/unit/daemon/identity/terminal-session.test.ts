import { describe, expect, test } from 'vitest'
import { isKnown, isSameProgram, NO_SESSION, programKey, type Program } from '#daemon/src/identity/program.ts'
import { isAtTerminal, parseStat, type ProcessReader, sessionOf, sessionText } from '#daemon/src/identity/terminal-session.ts'

/** As Linux 6.18 prints them: a command in the foreground of a terminal, the shell that began its session, and a command without a terminal. */
const IN_TERMINAL =
  '4305 (cat) R 4304 4304 4304 34816 4304 4194304 76 0 0 0 0 0 0 0 20 0 1 0 271467 3133440 380 18446744073709551615 94544593915904 94544593935785 140737013096656 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 94544593951792 94544593953408 94544817143808 140737013103318 140737013103338 140737013103338 140737013104619 0\n'
const SHELL =
  '4304 (sh) S 4302 4304 4304 34816 4304 4194304 216 78 0 0 0 0 0 0 20 0 1 0 271464 2654208 364 18446744073709551615 94630527537152 94630527613881 140724272396352 0 0 0 0 0 65538 1 0 0 17 1 0 0 0 0 0 94630527643184 94630527648320 94630872797184 140724272401086 140724272401131 140724272401131 140724272402412 0\n'
const WITHOUT =
  '4307 (cat) R 4300 4300 9727 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 271470 3133440 388 18446744073709551615 94842629697536 94842629717417 140732320308624 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 94842629733424 94842629735040 94843646836736 140732320316117 140732320316137 140732320316137 140732320317419 0\n'

const program = (executable: string | undefined, over: Partial<Program> = {}): Program => ({
  kind: executable === undefined ? 'unknown' : 'native',
  uid: 1000,
  executable,
  file: executable === undefined ? undefined : '1:2:3:4:5',
  ...over,
})

/** A machine with these processes. */
function machine(stats: Readonly<Record<number, string>>, programs: Readonly<Record<number, Program>> = {}): ProcessReader {
  return {
    stat: (pid) => {
      const text = stats[pid]
      if (text === undefined) throw new Error(`ENOENT: no process ${pid}`)
      return text
    },
    program: (pid) => programs[pid] ?? program(undefined),
  }
}

describe('what the kernel says of a process', () => {
  test('is read behind a name that holds spaces and parentheses', () => {
    const odd = WITHOUT.replace('(cat)', '((a) game) R 1 (2))')
    expect(parseStat(odd)).toEqual({ parent: 4300, group: 4300, session: 9727, terminal: 0, foreground: -1, startedAt: '271470' })
    expect(parseStat(SHELL)).toMatchObject({ session: 4304, terminal: 34816, startedAt: '271464' })
  })
  test.each([[''], ['4307'], ['4307 (x) S 1 2'], [WITHOUT.replace('271470', 'soon')], [WITHOUT.replace('R 4300', 'R ?')]])(
    'is nothing in another form: %j',
    (text) => {
      expect(parseStat(text)).toBeUndefined()
    },
  )
  test.each([
    ['in the foreground', IN_TERMINAL, true],
    ['in the background', IN_TERMINAL.replace('34816 4304', '34816 4999'), false],
    ['without a terminal', WITHOUT, false],
  ])('%s', (_, text, isThere) => {
    const stat = parseStat(text)
    expect(stat !== undefined && isAtTerminal(stat)).toBe(isThere)
  })
})

describe('the session', () => {
  const at = machine({ 4305: IN_TERMINAL, 4304: SHELL })

  test('of a terminal is its first process with its start time', () => {
    expect(sessionOf(4305, at)).toBe('tty:4304:271464')
  })
  test('is another one when the id of its first process was used again', () => {
    expect(sessionOf(4305, machine({ 4305: IN_TERMINAL, 4304: SHELL.replace('271464', '999999') }))).toBe('tty:4304:999999')
  })
  test.each([
    ['in the background', { 4305: IN_TERMINAL.replace('34816 4304', '34816 4999'), 4304: SHELL }, 4305, 4304],
    ['whose terminal has lost its first process', { 4305: IN_TERMINAL }, 4305, 4304],
    ['without a terminal', { 4307: WITHOUT }, 4307, 4300],
  ])('of a process %s is the program that started it', (_, stats, pid, parent) => {
    const session = sessionOf(pid, machine(stats, { [parent]: program('/games/evil') }))
    expect(session).toMatch(/^by:/)
    expect(sessionText(session)).toBe('started by /games/evil')
  })
  test('is another one when the program that started it is a changed file, or a script of the same interpreter', () => {
    const by = (starter: Program) => sessionOf(4307, machine({ 4307: WITHOUT }, { 4300: starter }))
    const interpreter = { executable: '/usr/bin/node', file: '9:9:9:9:9' }
    const all = [
      program('/games/evil'),
      program('/games/evil', { file: '1:2:3:4:6' }),
      program('/games/other'),
      program('/games/evil', { kind: 'script', interpreter }),
      program('/games/evil', { kind: 'script', interpreter: { ...interpreter, file: '9:9:9:9:8' } }),
    ].map(by)
    expect(new Set(all).size).toBe(all.length)
  })
  test.each([
    ['that has ended', {}, {}],
    ['whose parent cannot be known again', { 4307: WITHOUT }, {}],
    ['whose parent is another user’s, so that only its path was seen', { 4307: WITHOUT }, { 4300: program('/x', { file: undefined }) }],
    ['whose parent has ended: the first process took it over', { 4307: WITHOUT.replace('R 4300', 'R 1') }, { 1: program('/sbin/init') }],
    ['whose parent has ended: the manager of the session took it over', { 4307: WITHOUT }, { 4300: program('/usr/lib/systemd/systemd') }],
  ])('of a process %s is none', (_, stats, programs) => {
    expect(sessionOf(4307, machine(stats, programs))).toBe(NO_SESSION)
  })
  test('of a process whose parent ended while it was looked at is none', () => {
    let looks = 0
    const changing = { stat: () => (looks++ === 0 ? WITHOUT : WITHOUT.replace('R 4300', 'R 1')), program: () => program('/games/evil') }
    expect(sessionOf(4307, changing)).toBe(NO_SESSION)
  })
})

describe('a command line', () => {
  const own = (session: string) => program('/usr/bin/sallyport', { session })

  test('is the same program in the same session only, and in none when the session is not known', () => {
    expect(isSameProgram(own('tty:1:1'), own('tty:1:1'))).toBe(true)
    expect(isSameProgram(own('tty:1:1'), own('tty:1:2'))).toBe(false)
    expect(isSameProgram(own('tty:1:1'), program('/usr/bin/sallyport'))).toBe(false)
    expect(isKnown(own(NO_SESSION))).toBe(false)
    expect(isSameProgram(own(NO_SESSION), own(NO_SESSION))).toBe(false)
    expect(sessionText(NO_SESSION)).toBe('started by an unknown program')
  })
  test('is counted as one in all terminals, and with each program that starts it', () => {
    expect(programKey(own('tty:1:1'))).toBe(programKey(own('tty:2:2')))
    expect(new Set([own('tty:1:1'), own('by:["/a"]'), own('by:["/b"]'), program('/usr/bin/sallyport')].map(programKey)).size).toBe(4)
  })
})
