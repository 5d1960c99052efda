import { describe, expect, test } from 'vitest'
import { isCommandLine, OWN_PROGRAM, withoutSession, withSession } from '#daemon/src/identity/command-line.ts'
import { NO_SESSION, type Program, type ProgramFacts, programOf } from '#daemon/src/identity/program.ts'
import { programText } from '#daemon/src/identity/program-text.ts'

const SOURCE = { executable: '/usr/bin/node', script: '/opt/sallyport/dist/sallyport.cjs' }
const PACKAGED = { executable: '/usr/bin/sallyport', script: '/usr/bin/sallyport' }
const scriptOf = (executable: string, interpreter = '/usr/bin/node'): ProgramFacts => ({
  kind: 'script',
  executable,
  file: '1',
  interpreter: { executable: interpreter, file: '2' },
})
const nativeOf = (executable: string): ProgramFacts => ({ kind: 'native', executable, file: '1' })

test.each([
  ['our script', scriptOf('/opt/sallyport/dist/sallyport.cjs'), SOURCE, true],
  ['the script that starts it', scriptOf('/opt/sallyport/bin/sallyport.mjs'), SOURCE, true],
  ['another script of the same Node', scriptOf('/games/game.cjs'), SOURCE, false],
  ['our script by another interpreter', scriptOf('/opt/sallyport/dist/sallyport.cjs', '/tmp/node'), SOURCE, false],
  ['Node itself, whose script is not known', nativeOf('/usr/bin/node'), SOURCE, false],
  ['the packaged file', nativeOf('/usr/bin/sallyport'), PACKAGED, true],
  ['another program', nativeOf('/usr/bin/git'), PACKAGED, false],
  ['a program of which nothing is known', { kind: 'unknown' } as const, PACKAGED, false],
])('%s', (_, facts, own, isOurs) => {
  expect(isCommandLine(facts, own)).toBe(isOurs)
  expect(withoutSession(facts, own)).toEqual(isOurs ? { ...facts, session: NO_SESSION } : facts)
})

describe.runIf(process.platform === 'linux')('the session', () => {
  test('is that of the process, of our command line alone', () => {
    const starter = (of: number): Program => ({ kind: 'native', uid: 0, executable: `/started/by/${of}`, file: '1' })
    const found = programText(programOf(withSession(process.pid, nativeOf('/usr/bin/sallyport'), starter, PACKAGED)))
    // A person who runs the tests in a terminal sees the other one.
    expect(found).toMatch(new RegExp(`, (?:started by /started/by/${process.ppid}|in a terminal made by /started/by/\\d+)$`))
    expect(withSession(process.pid, nativeOf('/usr/bin/git'), starter, PACKAGED)).toEqual(nativeOf('/usr/bin/git'))
  })
})

test('this process is the one that runs here', () => {
  expect(OWN_PROGRAM.executable).toMatch(/node/)
})
