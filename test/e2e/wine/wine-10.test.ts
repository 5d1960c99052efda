/**
 * Wine 10 in a folder of its own, because older Wine cannot run the Node of the executables: the packaged executable for Windows serves the pipe,
 * and the pipe bridge works in a container. It needs root, debootstrap, a Debian mirror and, for the executable, the packaged file.
 */
import { execFile, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildWineBridge } from '#daemon/packaging/wine-bridge.ts'
import { ended } from '#test/support/ended.ts'
import { missingPrograms } from '../install/missing-programs.ts'
import { stateOf } from '../support/bridge-state.ts'
import { type Daemon, SOURCE, startDaemon } from '../support/daemon.ts'
import { compiledBinding, linesOf } from './programs.ts'
import { ROOT } from './wine.ts'

const run = promisify(execFile)

const PREPARE_MS = 900_000
const PLAY_MS = 300_000
const MIRROR = 'http://deb.debian.org/debian'
const CHROOT = join(ROOT, '.cache', 'wine', 'trixie')
const EXECUTABLE = join(ROOT, 'daemon/dist/package/sallyport-win-x64.exe')
/** As the programs in the folder see it. */
const PLACE = '/tmp/game'

/** Makes the folder once. It stays in the cache, because it takes minutes. */
async function makeChroot(): Promise<void> {
  await rm(CHROOT, { recursive: true, force: true })
  await mkdir(CHROOT, { recursive: true })
  await run('debootstrap', ['--variant=minbase', 'trixie', CHROOT, MIRROR], { maxBuffer: 1 << 26 })
  await run('chroot', [CHROOT, 'apt-get', 'install', '-y', '--no-install-recommends', 'wine', 'wine64'], { maxBuffer: 1 << 26 })
  await writeFile(join(CHROOT, 'ready'), '')
}

async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'Wine 10 is put into a folder as root on Linux only.'
  const missing = await missingPrograms({
    debootstrap: 'debootstrap',
    unshare: 'util-linux',
    'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64',
  })
  if (missing !== undefined) return missing
  const refused = 'Wine 10 needs a mount namespace, and "unshare --mount" makes none here.'
  return run('unshare', ['--mount', 'true']).then(
    () => undefined,
    () => refused,
  )
}

/** Why there is no Wine 10, and it cannot be fetched. */
async function obstacleToWine(): Promise<string | undefined> {
  const missing = await whyNot()
  if (missing !== undefined || existsSync(join(CHROOT, 'ready'))) return missing
  return makeChroot().then(
    () => undefined,
    (failure: unknown) => `Wine 10 cannot be had here: ${String(failure).trim().split('\n').at(-1)}`,
  )
}

describe('Wine 10', () => {
  let obstacle: string | undefined
  const place = join(CHROOT, PLACE)
  let daemon: Daemon | undefined

  /** Runs a shell script in the folder. Its mounts end with it. */
  async function inChroot(script: string): Promise<number | null> {
    await writeFile(join(place, 'script'), `cd ${PLACE}\n${script}`)
    const inside = `mount -t proc proc ${CHROOT}/proc && mount --rbind /dev ${CHROOT}/dev && exec chroot ${CHROOT} sh ${PLACE}/script`
    const env = { PATH: process.env['PATH'], HOME: PLACE, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=', SALLYPORT_VAULT: 'file' }
    const log = openSync(join(place, 'log'), 'a')
    const child = spawn('unshare', ['--mount', 'sh', '-c', inside], { env, stdio: ['ignore', log, log] })
    closeSync(log)
    return ended(child)
  }
  const printed = (name: string): Promise<string> => readFile(join(place, name), 'utf8')
  /** Under Wine, Node needs files as its streams. */
  const wine = (prefix: string, words: string, output: string): string =>
    `WINEPREFIX=${PLACE}/${prefix} wine ${words} </dev/null >${output} 2>${output}.err`

  beforeAll(async () => {
    obstacle = await obstacleToWine()
    if (obstacle !== undefined) return
    await rm(place, { recursive: true, force: true })
    await mkdir(join(place, 'run'), { recursive: true, mode: 0o700 })
    await compiledBinding({ outputs: place, env: {} }, 'dockside', 'examples/dockside.c')
  }, PREPARE_MS)
  beforeEach((context) => context.skip(obstacle !== undefined, obstacle))
  afterAll(async () => {
    await daemon?.stop()
    await rm(place, { recursive: true, force: true })
  }, PLAY_MS)

  test('runs the executable for Windows, which serves the pipe and knows its games', { timeout: PLAY_MS }, async (context) => {
    if (!existsSync(EXECUTABLE))
      return context.skip('There is no executable for Windows; make it with: npm run package -- --target win-x64')
    await copyFile(EXECUTABLE, join(place, 'sallyport.exe'))
    const code = await inChroot(`
      ${wine('windows', 'wineboot -i', 'boot')}
      ${wine('windows', String.raw`sallyport.exe run --json --consent allow --data-dir 'C:\data' --log-level info`, 'daemon')} &
      until grep -q ready daemon; do kill -0 $! || exit 9; sleep 0.2; done
      ${wine('windows', 'dockside.exe --rounds 2', 'game')}
      code=$?
      WINEPREFIX=${PLACE}/windows wineserver -k
      exit $code`)
    expect(code, `${await printed('log')}${await printed('daemon.err')}`).toBe(0)
    expect(linesOf(await printed('daemon'))[0]).toMatchObject({ event: 'ready', ipc: [String.raw`\\.\pipe\discord-ipc-0`] })
    const game = await printed('game')
    expect(game).toMatch(/signed in as \w+/)
    expect(game).toContain('crates ashore. Fair winds!')
    const ready = linesOf(await printed('daemon.err')).find((line) => 'event' in line && line.event === 'session-ready')
    expect(ready).toMatchObject({ trust: 'kernel', executable: expect.stringMatching(/\\dockside\.exe$/) as string })
  })

  test('runs the pipe bridge in a container, which the daemon shows as one', { timeout: PLAY_MS }, async () => {
    const runtime = join(place, 'run')
    daemon = await startDaemon(SOURCE, { base: place, runtime, data: join(place, 'data'), remove: async () => {} })
    await buildWineBridge(join(place, 'sallyport-wine.exe'), Date.now() / 1000)
    const playing = inChroot(`
      ${wine('games', 'wineboot -i', 'boot')}
      ${wine('games', `sallyport-wine.exe --folder ${PLACE}/run`, 'bridge')} &
      ${wine('games', 'dockside.exe --rounds 3', 'game')}
      code=$?
      WINEPREFIX=${PLACE}/games wineserver -k
      exit $code`)
    await expect
      .poll(async () => (daemon === undefined ? [] : (await stateOf(daemon)).games).map(({ program }) => program), { timeout: PLAY_MS })
      .toEqual([String.raw`a program in a container, which calls itself Z:\tmp\game\dockside.exe`])
    expect(await playing, await printed('log')).toBe(0)
    expect(await printed('game')).toContain('crates ashore. Fair winds!')
  })
})
