/** The launcher for Windows, under Wine: neither it nor the bridge ends alone. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { LAUNCHER_SOURCES } from '#daemon/packaging/installers/nsis.ts'
import { killIfAlive } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { environmentOf, ROOT, start, stopAll, type WinePlace, wineVersion } from '../wine/wine.ts'
import { missingPrograms } from './missing-programs.ts'

/** The first start of a prefix is slow. */
const PREPARE_MS = 300_000
const COMPILER = 'x86_64-w64-mingw32-gcc'
const version = await wineVersion()
const skipped = typeof version === 'string' ? await missingPrograms({ [COMPILER]: 'gcc-mingw-w64-x86-64' }) : version.missing
const compile = (...words: readonly string[]) => promisify(execFile)(COMPILER, ['-O2', '-s', '-Wall', ...words])

/** Processes whose command line names this folder and ends so: those of the setup's tests have programs of the same names. */
function runningIn(folder: string, end: string): readonly number[] {
  const commandLine = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trimEnd()
    } catch {
      return '' // It has ended.
    }
  }
  const isMeant = (line: string) => line.replaceAll('\\', '/').includes(`${folder}/`) && line.endsWith(end)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isMeant(commandLine(name)))
    .map(Number)
}

describe.skipIf(skipped !== undefined)(`the launcher for Windows${skipped === undefined ? '' : ` (${skipped})`}`, () => {
  let folder: string
  let wine: WinePlace
  let launcher: string
  let said: string

  beforeAll(async () => {
    await mkdir(join(ROOT, '.cache'), { recursive: true })
    folder = await mkdtemp(join(ROOT, '.cache', 'launcher-'))
    said = join(folder, 'said.txt')
    launcher = join(folder, 'sallyportw.exe')
    const windows = (unix: string): string => `Z:${unix.replaceAll('/', '\\')}`
    wine = {
      outputs: folder,
      env: {
        ...environmentOf(join(folder, 'prefix')),
        STAND_IN: windows(said),
        STAND_IN_STARTS: `${windows(join(folder, 'game.exe'))} tray`,
      },
    }
    const sources = LAUNCHER_SOURCES.map((name) => join(ROOT, 'daemon/packaging/installers', name))
    await compile('-municode', '-mwindows', '-o', launcher, ...sources)
    for (const name of ['sallyport.exe', 'game.exe']) await compile('-o', join(folder, name), join(import.meta.dirname, 'stand-in.c'))
    expect((await start(wine, 'wineboot', ['wineboot', '-i']).ended).code).toBe(0)
  }, PREPARE_MS)
  afterEach(() => stopAll(wine))
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  const running = (end: string) => runningIn(folder, end)
  const bridges = () => running('sallyport.exe run')
  async function started() {
    await rm(said, { force: true })
    const { child, ended } = start(wine, 'run', [launcher, 'run'])
    await vi.waitFor(() => expect(readFileSync(said, 'utf8').split(/\r?\n/).toSorted()).toEqual(['', 'run', 'tray']), SOON)
    expect(bridges()).toHaveLength(1)
    return { child, ended }
  }

  test('the end of the launcher ends the bridge', async () => {
    const { child, ended } = await started()
    child.kill('SIGKILL')
    await ended
    await vi.waitFor(() => expect(bridges()).toEqual([]), SOON)
    expect(readFileSync(said, 'utf8'), 'it had no time for more').not.toContain('stopped')
    expect(running('game.exe tray'), 'a game goes on').toHaveLength(1)
  })
  test('the end of the bridge ends the launcher', async () => {
    const { ended } = await started()
    bridges().forEach(killIfAlive)
    await ended
    expect(running('sallyportw.exe run')).toEqual([])
  })
})
