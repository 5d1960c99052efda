/** Windows games in Wine reach the daemon on Linux: a prefix with the pipe bridge as `sallyport wine install` puts it there, and the C client. */
import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingPackages } from '#daemon/packaging/installers/tools.ts'
import { buildWineBridge, WINE_BRIDGE_TOOL } from '#daemon/packaging/wine-bridge.ts'
import { WINE_BRIDGE } from '#daemon/src/install/wine.ts'
import { stateOf } from '../support/bridge-state.ts'
import { type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from '../support/daemon.ts'
import { shown } from '../support/dockside.ts'
import { fieldOf, Person } from '../support/person.ts'
import { PROGRAM } from '../support/program.ts'
import { compiled, compiledBinding } from './programs.ts'
import { environmentOf, type Running, start, stopAll, type WinePlace, wineVersion } from './wine.ts'

/** Wine and the first start of a prefix are slow. */
const PREPARE_MS = 300_000
const PLAY_MS = 240_000
/** Shorter than a test, so that its failure says what was there instead. */
const WAIT = { timeout: 100_000 }
const BUILD_TIME = 1_767_225_600
/** Debian's Wine, which finds its libraries and data by the path of its loader. */
const LOADER = '/usr/lib/wine/wine64'
const LIBRARIES = 'x86_64-linux-gnu'
const ANOTHER_USER = 65_534

const version = await wineVersion()
const [compiler] = await missingPackages([WINE_BRIDGE_TOOL])
const missing =
  typeof version !== 'string' ? version.missing : compiler === undefined ? undefined : `There is no mingw compiler; install ${compiler}.`

describe('a game in Wine', () => {
  if (missing !== undefined) {
    test('reaches the daemon', (context) => context.skip(missing))
    return
  }

  let at: Folders
  let prefix: string
  let place: WinePlace
  let dockside: string
  let echo: string
  const daemons: Daemon[] = []
  const servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = []

  const wine = (...words: readonly string[]) => sallyport(SOURCE, ['wine', ...words, '--runtime-dir', at.runtime], { HOME: at.base })
  const registry = () => readFile(join(prefix, 'system.reg'), 'latin1')
  const bridgeFile = () => join(prefix, 'drive_c/windows/sallyport-wine.exe')
  const play = (name: string, ...words: readonly string[]): Running => start(place, name, words)

  async function run(...flags: readonly string[]): Promise<Daemon> {
    const daemon = await startDaemon(SOURCE, at, flags)
    daemons.push(daemon)
    return daemon
  }

  /** Ends the programs of the prefix, and installs. */
  async function install(): Promise<void> {
    await stopAll(place)
    const { code, err } = await wine('install', prefix)
    expect(code, err).toBe(0)
  }

  beforeAll(async () => {
    at = await folders()
    prefix = join(at.base, 'prefix')
    place = { outputs: join(at.base, 'outputs'), env: environmentOf(prefix) }
    await mkdir(place.outputs)
    await mkdir(at.runtime, { mode: 0o700 })
    await buildWineBridge(join(dirname(PROGRAM), WINE_BRIDGE), BUILD_TIME)
    const programs = [await compiledBinding(place, 'dockside', 'examples/dockside.c'), await compiled(place, 'pipe-echo')] as const
    ;[dockside = '', echo = ''] = programs
    const { code, output } = await start(place, 'wineboot', ['wineboot', '-i']).ended
    expect(code, output).toBe(0)
    prefix = await realpath(prefix)
    await install()
  }, PREPARE_MS)

  afterEach(async () => {
    for (const daemon of daemons.splice(0)) if (!daemon.hasExited) await daemon.stop()
    for (const { server, sockets } of servers.splice(0)) {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    }
  }, PLAY_MS)
  afterAll(async () => {
    await stopAll(place)
    await rm(join(dirname(PROGRAM), WINE_BRIDGE), { force: true })
    await at.remove()
  }, PLAY_MS)

  /** A server on Linux in the first slot that is not Sallyport. */
  async function serve(onSocket: (socket: Socket) => void): Promise<void> {
    const sockets = new Set<Socket>()
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      onSocket(socket)
    })
    servers.push({ server, sockets })
    await new Promise<void>((done) => server.listen(join(at.runtime, 'discord-ipc-0'), done))
  }

  const gamesOf = async (of: Daemon) => (await stateOf(of)).games

  test('the installation is a program and a value, once', async () => {
    const value = String.raw`"Sallyport"="C:\\windows\\sallyport-wine.exe --folder \"${at.runtime}\" --name discord-ipc"`
    expect((await registry()).split('\n').filter((line) => line === value)).toHaveLength(1)
    const again = await wine('install', prefix, '--json')
    expect((JSON.parse(again.out) as { steps: { outcome: string }[] }).steps.map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
    ])
    const listed = await sallyport(SOURCE, ['wine', 'list', '--json'], { HOME: at.base, WINEPREFIX: prefix })
    expect(JSON.parse(listed.out)).toEqual([{ prefix, installed: true }])
    const none = await wine('install', at.base)
    expect(none.code).toBe(1)
    expect(none.err).toContain('is not a Wine prefix')
  })

  test('signs in, shows its presence, and is known as a Windows program of its prefix', { timeout: PLAY_MS }, async () => {
    const daemon = await run()
    const game = play('dockside', dockside, '--rounds', '100')
    await expect.poll(game.output, WAIT).toContain('[2/100]')
    await expect.poll(game.output, WAIT).toMatch(/pier 9, via \\\\[.?]\\pipe\\discord-ipc-0/)
    await expect.poll(game.output, WAIT).toMatch(/signed in as \w+/)
    const [session] = await gamesOf(daemon)
    expect(session).toMatchObject({
      trust: 'kernel',
      program: `a Windows program in Wine (prefix ${prefix}): ${await realpath(dockside)}`,
      user: expect.objectContaining({ username: expect.any(String) as string }) as object,
    })
    expect(await shown(daemon)).toContain('shown 200')

    // The programs of the prefix run, so Wine holds its registry in memory.
    const busy = await wine('uninstall', prefix)
    expect(busy.code).toBe(1)
    expect(busy.err).toContain('wineserver -k')

    // The pipe closes with the daemon, and the game finds the next one, with its grant.
    await daemon.stop()
    await expect.poll(game.output, WAIT).toContain('connection to the bridge lost')
    const next = await run('--consent', 'deny')
    await expect.poll(game.output, WAIT).toContain('~ back after')
    await expect.poll(async () => (await gamesOf(next)).map(({ user }) => user !== undefined), WAIT).toEqual([true])
    await stopAll(place)
    await game.ended
  })

  test('its bytes arrive as they are, with a server that knows nothing of Wine', { timeout: PLAY_MS }, async () => {
    const counts: number[] = []
    await serve((socket) => {
      const index = counts.push(0) - 1
      socket.on('data', (bytes: Buffer) => (counts[index] = (counts[index] ?? 0) + bytes.length)).pipe(socket)
    })
    const games = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name, index) => play(name, echo, String(10 ** (index + 4) / 10)).ended),
    )
    for (const { code, output } of games) expect(code, output).toBe(0)
    expect(games[3]?.output.trim()).toBe('same 1000000')
    expect(counts.toSorted((a, b) => a - b)).toEqual([1000, 10_000, 100_000, 1_000_000])
  })

  test('the end of the server reaches the game, and hostile bytes end one connection only', { timeout: PLAY_MS }, async () => {
    const daemon = await run()
    const peaceful = play('peaceful', dockside, '--rounds', '100')
    await expect.poll(peaceful.output, WAIT).toContain('[1/100]')
    const hostile = await play('hostile', echo, '200000').ended
    // The frames are none, so the daemon closes: the game cannot write, or reads another end than its own bytes.
    expect([2, 3]).toContain(hostile.code)
    await expect.poll(peaceful.output, WAIT).toContain('[2/100]')
    expect(daemon.hasExited).toBe(false)
    await stopAll(place)
    await peaceful.ended
  })

  test('a server that does not read slows the game, and loses nothing', { timeout: PLAY_MS }, async () => {
    const reading = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<Socket>()
    await serve((socket) => {
      connected.resolve(socket)
      void reading.promise.then(() => socket.pipe(socket))
    })
    const game = play('slowed', echo, '4000000')
    const socket = await connected.promise
    expect(socket.bytesRead).toBeLessThan(1_000_000)
    reading.resolve()
    const { code, output } = await game.ended
    expect(code, output).toBe(0)
    expect(output.trim()).toBe('same 4000000')
  })

  test('a second bridge ends with a sentence, and the first goes on', { timeout: PLAY_MS }, async () => {
    const daemon = await run()
    const game = play('first', dockside, '--rounds', '100')
    await expect.poll(game.output, WAIT).toContain('[1/100]')
    const second = await play('second', String.raw`C:\windows\sallyport-wine.exe`).ended
    expect(second).toEqual({ code: 3, output: 'Another program of this prefix serves the pipe.\n' })
    await expect.poll(game.output, WAIT).toContain('[2/100]')
    expect(await gamesOf(daemon)).toHaveLength(1)
    await stopAll(place)
    await game.ended
  })

  test('without a server, the game waits, and the prefix ends with its last program', { timeout: PLAY_MS }, async () => {
    const { code, output } = await play('alone', echo, '10').ended
    expect({ code, output: output.trim() }).toEqual({ code: 2, output: 'ended after 0' })
    // A bridge that kept the prefix alive would be found running.
    await expect.poll(async () => (await wine('uninstall', prefix)).code, WAIT).toBe(0)
    expect(existsSync(bridgeFile())).toBe(false)
    expect(await registry()).not.toContain('Sallyport')
    await install()
    expect(existsSync(bridgeFile())).toBe(true)
  })

  test('system calls of 64 bits do the same, for a kernel without those of 32', { timeout: PLAY_MS }, async () => {
    await serve((socket) => void socket.pipe(socket))
    await install()
    await buildWineBridge(bridgeFile(), BUILD_TIME, ['SALLYPORT_WITHOUT_32_BIT_CALLS'])
    const { code, output } = await play('wide', echo, '300000').ended
    expect(code, output).toBe(0)
    expect(output.trim()).toBe('same 300000')
  })

  describe.skipIf(!existsSync(LOADER))(`with a copy of ${LOADER} (skipped where there is none)`, () => {
    /** A Wine in this folder, with the libraries of the installed one. */
    async function copied(folder: string): Promise<WinePlace & { readonly loader: string }> {
      const loader = join(folder, 'files/bin/wine64')
      await mkdir(dirname(loader), { recursive: true })
      await copyFile(LOADER, loader)
      await symlink(`/usr/lib/${LIBRARIES}`, join(folder, 'files', LIBRARIES))
      await symlink('/usr/share', join(folder, 'share'))
      return { ...place, loader, env: { ...place.env, WINELOADER: loader } }
    }

    async function signsIn(where: WinePlace, name: string): Promise<Running> {
      const game = start(where, name, [dockside, '--rounds', '100'])
      await expect.poll(game.output, WAIT).toMatch(/signed in as \w+/)
      return game
    }
    async function end(game: Running): Promise<void> {
      await stopAll(place)
      await game.ended
    }

    test('another Wine in the same prefix is asked about once, with both', { timeout: PLAY_MS }, async () => {
      const first = await run()
      await end(await signsIn(place, 'installed-wine'))
      await first.stop()

      const other = await copied(join(await realpath(at.base), 'compatibilitytools.d/Proton-9'))
      const asking = await run('--consent', 'prompt')
      const person = new Person(asking)
      const game = start(other, 'other-wine', [dockside, '--rounds', '100'])
      const prompt = await person.prompt()
      expect(fieldOf(prompt, 'Why')).toBe('You allowed this program with another Wine or version of it.')
      expect(fieldOf(prompt, 'Wine then')).toMatch(/^\/usr\/lib\/wine\/wine64 \(of /)
      expect(fieldOf(prompt, 'Wine')).toContain(`${other.loader} (of `)
      await person.answer(prompt, 'allow')
      await expect.poll(game.output, WAIT).toMatch(/signed in as \w+/)
      await end(game)
      await asking.stop()

      await run('--consent', 'deny')
      await end(await signsIn(other, 'other-wine-again'))
    })

    test('a copy elsewhere is not Wine: its program is not identified', { timeout: PLAY_MS }, async () => {
      const folder = join(await realpath(at.base), 'mine')
      const mine = await copied(folder)
      // Folders of root count as those of the system.
      if (process.getuid?.() === 0) await chown(folder, ANOTHER_USER, ANOTHER_USER)
      // The game stays while the user is asked.
      const daemon = await run('--consent', 'prompt')
      const game = start(mine, 'mine', [dockside, '--rounds', '100'])
      await new Person(daemon).prompt()
      await expect
        .poll(async () => (await gamesOf(daemon)).map(({ program }) => program), WAIT)
        .toEqual([`a program that cannot be identified, because ${mine.loader} runs it`])
      await end(game)
    })
  })
})
