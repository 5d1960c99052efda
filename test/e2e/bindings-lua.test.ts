/** The Lua binding in LuaJIT and in LÖVE without a picture: its own tests, the game of its page, and its sample game with the real daemon. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Command } from '../conformance/clients/adapter.ts'
import { AnsweringServer } from '../proofs/answering-server.ts'
import { buildShared } from '#test/support/c-library.ts'
import { layOutGame, loveObstacle, LUA_BINDING, luaObstacle } from '#test/support/lua-build.ts'
import { event, ScriptedServer } from '#test/support/scripted-server.ts'
import { zip } from '#bindings/pack/zip.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'
import { requestsTo, shown } from './support/dockside.ts'
import { GameProcess } from './support/game-process.ts'
import { seededRandom } from './support/seeded-random.ts'
import { SHIPS, UncertainLobby } from './support/uncertain-lobby.ts'

const run = promisify(execFile)
const DOCKSIDE = 'examples/dockside'
/** LÖVE keeps settings in the home of the user. */
const environment = (at: Folders): NodeJS.ProcessEnv => ({ ...cleanEnvironment(), HOME: at.base, XDG_RUNTIME_DIR: at.runtime })

const answered = async (daemon: Daemon, path: RegExp): Promise<boolean> =>
  (await requestsTo(daemon)).some((one) => path.test(one.path) && one.status < 300)

/** The game of the page. */
const gameOfPage = async (): Promise<string> =>
  /```lua\n([\s\S]*?)```/.exec(await readFile(join(LUA_BINDING, 'README.md'), 'utf8'))?.[1] ?? ''

if (luaObstacle !== undefined) {
  test('the Lua binding', (context) => context.skip(luaObstacle))
} else {
  describe('the Lua binding', () => {
    let folder: string
    let library: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spl-'))
      library = await buildShared(folder)
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    test.each([['on'], ['off']])('passes its unit tests with compilation %s', async (compilation) => {
      const server = await AnsweringServer.listen()
      try {
        const words = [`-j${compilation}`, join(LUA_BINDING, 'tests/unit.lua'), library, server.runtime]
        const { stdout } = await run('luajit', words).catch((failure: unknown) => failure as { readonly stdout: string })
        const lines = stdout.trim().split('\n')
        expect(lines.filter((line) => !line.startsWith('ok ')).slice(0, -1)).toEqual([])
        const passed = lines.filter((line) => line.startsWith('ok '))
        expect(passed.length).toBeGreaterThan(60)
        expect(lines.at(-1)).toBe(`1..${passed.length}`)
      } finally {
        await server.close()
      }
    })

    test('is found in a folder of the game', async () => {
      const game = join(folder, 'game')
      await layOutGame(join(game, 'lib'), DOCKSIDE)
      const program = "print(require('lib.sallyport').new({ application_id = '42' }):state().error)"
      expect((await run('luajit', ['-e', program], { cwd: game })).stdout).toBe('nil\n')
    })

    test('reads and writes JSON as JavaScript does', async () => {
      const random = seededRandom(11)
      const below = (most: number): number => Math.floor(random() * most)
      const text = (): string =>
        String.fromCodePoint(...Array.from({ length: below(6) }, () => [34, 92, 10, 65, 233, 8364, 128512][below(7)] ?? 0))
      const value = (depth: number): unknown => {
        const kind = below(depth > 4 ? 4 : 6)
        if (kind === 0) return text()
        if (kind === 1) return below(2) === 0 ? below(1e9) - 5e8 : (random() - 0.5) * 10 ** below(20)
        if (kind === 2) return below(2) === 0
        if (kind === 3) return [null]
        if (kind === 4) return Array.from({ length: below(5) }, () => value(depth + 1))
        return Object.fromEntries(Array.from({ length: below(5) }, () => [text(), value(depth + 1)]))
      }
      const escaped = (json: string): string => json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
      const values = Array.from({ length: 3000 }, () => value(0))
      const lines = values.map((one, index) => (index % 2 === 0 ? JSON.stringify(one) : escaped(JSON.stringify(one))))
      const lua = spawn('luajit', [join(LUA_BINDING, 'tests/round_trip.lua')], { stdio: ['pipe', 'pipe', 'inherit'] })
      lua.stdin.end(lines.map((line) => `${line}\n`).join(''))
      let printed = ''
      for await (const more of lua.stdout.setEncoding('utf8')) printed += more
      const read = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      expect(read).toEqual(values)
    })
  })
}

interface Runner {
  readonly name: string
  readonly obstacle: string | undefined
  readonly command: Command
}

const RUNNERS: readonly Runner[] = [
  { name: 'LuaJIT', obstacle: luaObstacle, command: ['luajit', 'main.lua', '--headless'] },
  { name: 'LÖVE', obstacle: loveObstacle, command: ['love', '.', '--headless'] },
]

for (const { name, obstacle, command } of RUNNERS) {
  if (obstacle !== undefined) {
    test(`Dockside in ${name}`, (context) => context.skip(obstacle))
    continue
  }
  describe(`Dockside in ${name}`, () => {
    let folder: string
    let at: Folders
    let daemon: Daemon | undefined
    let game: GameProcess | undefined
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spl-'))
      await layOutGame(folder, DOCKSIDE)
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))
    beforeEach(async () => {
      at = await folders()
    })
    afterEach(async () => {
      await game?.stop()
      await daemon?.stop()
      game = undefined
      daemon = undefined
      await at.remove()
    })

    const play = (...words: string[]): GameProcess => {
      game = new GameProcess([...command, ...words], { cwd: folder, env: environment(at) })
      return game
    }
    const start = async (): Promise<Daemon> => {
      daemon = await startDaemon(SOURCE, at)
      return daemon
    }
    test('signs in, shows its presence, meets in a lobby and chats', async () => {
      const { origin } = await start()
      const one = play('--fast')
      const code = await one.ended()
      expect(code, one.text).toBe(0)
      expect(one.text).toContain('asking for your permission')
      expect(one.text).toMatch(/signed in as \w+\nthe crew meets in lobby \d+\n/)
      expect(one.text).toMatch(/the lobby remembers:[^]*Quiet Quorum: 9 crates of snow globes ashore/)
      await expect.poll(() => shown({ origin })).toContain('ended 204')
      expect(await shown({ origin })).toContain('shown 200')
    })

    test('gets messages of the lobby, is back after the daemon was killed, and gets the request to link the account', async () => {
      await start()
      const one = play('--rounds', '100')
      await one.says(/\[2\/100\][^]*> \w+: .* ashore/)
      await daemon?.kill()
      await one.says('connection to the bridge lost')
      const { origin } = await start()
      await one.says(/back after [\d.]+ s: signed in/)
      // The sandbox of the new daemon knows only what came after the restart.
      await expect.poll(() => shown({ origin })).toContain('shown 200')
      const from = one.text.length
      // The client is ready before the bridge has answered every subscription, if that takes long.
      const link = () => sallyport(SOURCE, ['link', '--data-dir', at.data], { HOME: at.data, SALLYPORT_VAULT: 'file' })
      await expect.poll(async () => (await link()).code).toBe(0)
      await expect.poll(() => one.text.slice(from)).toMatch(/requests to link your account[^]*asking for your permission[^]*signed in as/)
      await expect.poll(() => one.text.slice(from)).toMatch(/> \w+: .* ashore/)
    })

    test('waits for a daemon that starts later', async () => {
      const one = play('--fast')
      await mkdir(at.runtime, { mode: 0o700 })
      await start()
      expect(await one.ended(), one.text).toBe(0)
    })

    test('sends each message once, also when it cannot know whether it was sent', async () => {
      const runtime = join(at.base, 'uncertain')
      const lobby = await UncertainLobby.listen(runtime)
      try {
        const one = play('--fast', '--runtime-dir', runtime)
        expect(await one.ended(), one.text).toBe(0)
        expect(lobby.ships).toEqual(SHIPS)
        expect(one.text).toContain('53 crates ashore. Fair winds!')
      } finally {
        await lobby.close()
      }
    })

    test('prints a join', async () => {
      const server = await ScriptedServer.listen(join(at.base, 'scripted'))
      try {
        const one = play('--fast', '--runtime-dir', join(at.base, 'scripted'))
        const peer = await server.peer()
        await peer.ready()
        expect((await peer.answer()).evt).toBe('AUTHORIZE_REQUEST')
        expect((await peer.answer()).evt).toBe('ACTIVITY_JOIN')
        peer.write(event('ACTIVITY_JOIN', { secret: 'pier-9' }))
        await one.says('a friend joins the pier')
      } finally {
        await server.close()
      }
    })
  })
}

if (loveObstacle !== undefined) {
  test('the Lua binding in LÖVE', (context) => context.skip(loveObstacle))
} else {
  describe('the Lua binding in LÖVE', () => {
    let at: Folders
    let folder: string
    let daemon: Daemon | undefined
    let game: GameProcess | undefined
    beforeEach(async () => {
      at = await folders()
      folder = join(at.base, 'game')
      await layOutGame(folder, DOCKSIDE)
    })
    afterEach(async () => {
      await game?.stop()
      await daemon?.stop()
      game = undefined
      daemon = undefined
      await at.remove()
    })

    test('runs the game of its page, also before the daemon starts and after it was killed', async () => {
      await writeFile(join(folder, 'main.lua'), await gameOfPage())
      await appendFile(join(folder, 'conf.lua'), 'io.stdout:setvbuf("line")\n')
      const one = new GameProcess(['love', '.', '--headless'], { cwd: folder, env: environment(at) })
      game = one
      await one.says(/waiting\s+E_NO_SERVER: no server was found/)
      daemon = await startDaemon(SOURCE, at)
      await one.says(/ready[^]*signed in as \w+/)
      const first = daemon
      await expect.poll(() => answered(first, /\/lobbies\/\d+\/messages$/)).toBe(true)
      await first.kill()
      await one.says(/signed in as[^]*waiting/)
      const second = await startDaemon(SOURCE, at)
      daemon = second
      await one.says(/signed in as[^]*waiting[^]*ready/)
      await expect.poll(() => answered(second, /\/headless-sessions$/)).toBe(true)
    })

    /** The game in one file, without its library. */
    async function packed(): Promise<Buffer> {
      await rm(join(folder, 'sallyport', 'libsallyport.so'))
      const names = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.lua'))
      const files = new Map(await Promise.all(names.map(async (path) => [path, await readFile(join(folder, path))] as const)))
      return zip(files, { stored: true })
    }
    const played = async (words: Command, cwd: string): Promise<GameProcess> => {
      game = new GameProcess([...words, '--headless', '--fast'], { cwd, env: environment(at) })
      await game.ended()
      return game
    }
    const NO_LIBRARY =
      'put libsallyport.so into the folder sallyport of the game, or beside its executable, or name it by the option library'

    test('is found beside a fused game, and the game runs without it', async () => {
      const beside = join(at.base, 'beside')
      await mkdir(beside)
      await cp(join(folder, 'sallyport', 'libsallyport.so'), join(beside, 'libsallyport.so'))
      const { stdout: love } = await run('which', ['love'])
      await writeFile(join(beside, 'dockside'), Buffer.concat([await readFile(love.trim()), await packed()]), { mode: 0o755 })
      daemon = await startDaemon(SOURCE, at)
      const { text } = await played([join(beside, 'dockside')], at.base)
      expect(text).toContain('Fair winds!')
      await rm(join(beside, 'libsallyport.so'))
      expect((await played([join(beside, 'dockside')], at.base)).text).toContain(`${NO_LIBRARY} (E_NO_LIBRARY)`)
    })

    test.each([
      ['beside a downloaded game', []],
      ['also if LÖVE is started with --fused', ['--fused']],
    ])('is not loaded %s', async (_, flags) => {
      const downloads = join(at.base, 'Downloads')
      const planted = join(downloads, 'planted.c')
      const ran = join(at.base, 'ran')
      await mkdir(join(downloads, 'sallyport'), { recursive: true })
      await writeFile(join(downloads, 'dockside.love'), await packed())
      await writeFile(planted, `#include <stdio.h>\n__attribute__((constructor)) static void run(void) { fclose(fopen("${ran}", "w")); }\n`)
      for (const name of ['libsallyport.so', 'libsallyport.so.0', 'sallyport/libsallyport.so'])
        await run('gcc', ['-shared', '-fPIC', planted, '-o', join(downloads, name)])
      const { text } = await played(['love', ...flags, 'dockside.love'], downloads)
      expect(text).toContain(NO_LIBRARY)
      expect(existsSync(ran), 'the library of a page ran').toBe(false)
    })
  })
}
