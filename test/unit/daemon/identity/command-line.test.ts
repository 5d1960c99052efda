import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isCommandLine, sessionFacts, sessionlessFacts } from '../../../../daemon/src/identity/command-line.ts'
import { NO_SESSION, type Program } from '../../../../daemon/src/identity/program.ts'
import { sessionText } from '../../../../daemon/src/identity/terminal-session.ts'

/** Says that it runs, then waits. */
const WAITING = 'process.stdout.write("here"); process.stdin.resume()'

describe.runIf(process.platform === 'linux')('the command line', () => {
  let folder: string
  let script: string
  let own: { readonly executable: string; readonly script: string }
  const children: ChildProcess[] = []

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'own-'))
    mkdirSync(join(folder, 'dist'))
    mkdirSync(join(folder, 'bin'))
    script = join(folder, 'dist', 'sallyport.cjs')
    for (const file of [script, join(folder, 'bin', 'sallyport.mjs'), join(folder, 'game.cjs')]) writeFileSync(file, WAITING)
    own = { executable: process.execPath, script }
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  async function start(program: string, ...args: string[]): Promise<number> {
    const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    await once(child.stdout, 'data')
    return child.pid ?? -1
  }

  test.each([
    ['the script', ['dist/sallyport.cjs', 'call', 'GET_USER'], true],
    ['the script behind switches of Node', ['--no-warnings', '--no-deprecation', './dist/../dist/sallyport.cjs'], true],
    ['the script that starts it', ['bin/sallyport.mjs', 'call'], true],
    ['another script of the same Node', ['game.cjs', 'call'], false],
  ])('is recognised by %s: %j', async (_, args, isOwn) => {
    expect(isCommandLine(await start(process.execPath, ...args), own)).toBe(isOwn)
  })

  test('is not another interpreter that names our script', async () => {
    const copy = join(folder, 'node')
    copyFileSync(process.execPath, copy)
    expect(isCommandLine(await start(copy, script), own)).toBe(false)
  })

  test('is the packaged file, whatever its arguments, and the one that took its place', async () => {
    const packaged = join(folder, 'packaged')
    copyFileSync(process.execPath, packaged)
    const asPackaged = { executable: packaged, script: packaged }
    expect(isCommandLine(await start(packaged, '-e', WAITING), asPackaged)).toBe(true)
    expect(isCommandLine(process.ppid, asPackaged)).toBe(false)
    copyFileSync(process.execPath, join(folder, 'newer'))
    renameSync(join(folder, 'newer'), packaged)
    expect(isCommandLine(await start(packaged, '-e', WAITING), asPackaged)).toBe(true)
  })

  test('says from where it was started; no other program does, and none that has ended', async () => {
    const pid = await start(process.execPath, script)
    const starter = (of: number): Program => ({ kind: 'native', uid: 0, executable: `/started/by/${of}`, file: '1' })
    const { session } = sessionFacts(pid, own, starter)
    // A person who runs the tests in a terminal sees the other one.
    expect([`started by /started/by/${process.pid}`, 'in a terminal']).toContain(sessionText(session ?? ''))
    expect(sessionFacts(await start(process.execPath, 'game.cjs'), own, starter)).toEqual({})
    expect(sessionFacts(0x7fff_fff0, own, starter)).toEqual({})
  })
})

test('where no session is told, the packaged command line has none that could be known again', () => {
  const own = process.execPath
  expect(sessionlessFacts(own, { executable: own, script: own })).toEqual({ session: NO_SESSION })
  expect(sessionlessFacts(import.meta.filename, { executable: own, script: own })).toEqual({})
  // Any script of this Node could be meant.
  expect(sessionlessFacts(own, { executable: own, script: import.meta.filename })).toEqual({})
})
