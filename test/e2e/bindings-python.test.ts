/** The Python client: its own tests, the programs of its page, its types, its memory, and its sample game with the real daemon. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ARCHIVES } from '#bindings/pack/archives.ts'
import { pack } from '#bindings/pack/pack.ts'
import { unzip } from '#bindings/pack/zip.ts'
import { mypyObstacle, packagingObstacle, PYTHON_BINDING, pythonObstacle, pythonProgram } from '#test/support/python.ts'
import { event, ScriptedServer } from '#test/support/scripted-server.ts'
import { AnsweringServer } from '../proofs/answering-server.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'
import { requestsTo, shown } from './support/dockside.ts'
import { playUnknownOutcome } from './support/unknown-outcome.ts'
import { GameProcess } from './support/game-process.ts'

const run = promisify(execFile)
const LONG_MS = 120_000
/** What the second 50,000 calls may add to the process. */
const GROWTH_KIB = 1024

/** The programs of the page, in order. */
const programsOfPage = async (): Promise<readonly string[]> =>
  [...(await readFile(join(PYTHON_BINDING, 'README.md'), 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)].map(([, program = '']) => program)

if (pythonObstacle !== undefined) {
  test('the Python client', (context) => context.skip(pythonObstacle))
} else {
  describe('the Python client', { timeout: LONG_MS }, () => {
    let at: Folders
    let daemon: Daemon | undefined
    let game: GameProcess | undefined
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

    const play = (...command: readonly [string, ...string[]]): GameProcess => {
      game = new GameProcess([...command], { env: { ...cleanEnvironment(), HOME: at.base, XDG_RUNTIME_DIR: at.runtime } })
      return game
    }
    const dockside = (...words: string[]): GameProcess => play(...pythonProgram('examples/dockside.py', ...words))
    const start = async (): Promise<Daemon> => {
      daemon = await startDaemon(SOURCE, at)
      return daemon
    }
    const answered = async (path: RegExp): Promise<boolean> =>
      daemon !== undefined && (await requestsTo(daemon)).some((one) => path.test(one.path) && one.status < 300)

    test('passes its own tests, and warns of nothing', async () => {
      const words = ['-X', 'dev', '-W', 'error', '-m', 'unittest', 'discover', '-s', join(PYTHON_BINDING, 'tests')]
      const env = { ...process.env, PYTHONPATH: join(PYTHON_BINDING, 'src'), PYTHONDONTWRITEBYTECODE: '1' }
      const { stderr } = await run('python3', words, { env }).catch((failure: unknown) => failure as { readonly stderr: string })
      expect(stderr).toMatch(/^Ran (?:[4-9]\d|\d{3,}) tests in [\s\S]*^OK$/m)
      expect(stderr).not.toMatch(/Warning|Exception ignored|Task was destroyed/)
    })

    test('holds no more after 100,000 calls than after half of them', async (context) => {
      if (process.platform !== 'linux') return context.skip('Only Linux shows the memory of a process in a file.')
      const server = await AnsweringServer.listen()
      try {
        const [program, ...words] = pythonProgram('tests/memory.py', server.runtime)
        const { stdout } = await run(program, words)
        expect(Number(stdout.trim())).toBeLessThanOrEqual(GROWTH_KIB)
      } finally {
        await server.close()
      }
    })

    test('runs the program of its page, which is started before the daemon and outlives it', async () => {
      const [program = ''] = await programsOfPage()
      const file = join(at.base, 'page.py')
      await writeFile(file, program)
      const one = play(...pythonProgram(file))
      await one.says(/^waiting \(no server was found/m)
      await start()
      await one.says(/shown later: \{.*Copper Wren.*\} None[^]*^ready/m)
      await one.says(/signed in as \w+/)
      // The game has the response: a call that is lost would end it.
      await one.says(/^said it in lobby \d+/m)
      await daemon?.kill()
      await one.says(/signed in as[^]*^waiting \(/m)
      await start()
      await one.says(/signed in as[^]*^waiting \([^]*^ready/m)
      await expect.poll(() => answered(/\/headless-sessions$/)).toBe(true)
    })

    test('runs the blocking program of its page', async () => {
      const [, program = ''] = await programsOfPage()
      const file = join(at.base, 'page.py')
      await writeFile(file, program)
      const one = play(...pythonProgram(file))
      const server = await ScriptedServer.listen(at.runtime)
      try {
        const peer = await server.peer()
        await peer.ready()
        expect((await peer.answer()).evt).toBe('ACTIVITY_JOIN')
        expect((await peer.answer()).args?.activity).toEqual({ details: 'In the menu' })
        peer.write(event('ACTIVITY_JOIN', { secret: 'pier-9' }))
        await one.says('a friend joins pier-9')
      } finally {
        await server.close()
      }
    })

    test('plays its sample game: signs in, shows its presence, meets in a lobby and chats', async () => {
      const { origin } = await start()
      const one = dockside('--fast')
      const code = await one.ended()
      expect(code, one.text).toBe(0)
      expect(one.text).toContain('asking for your permission')
      expect(one.text).toMatch(/signed in as \w+\nthe crew meets in lobby \d+\n/)
      expect(one.text).toMatch(/the lobby remembers:[^]*Quiet Quorum: 9 crates of snow globes ashore/)
      await expect.poll(() => shown({ origin })).toContain('ended 204')
      expect(await shown({ origin })).toContain('shown 200')
    })

    test('is back after the daemon was killed, and gets the request to link the account', async () => {
      await start()
      const one = dockside('--rounds', '100')
      await one.says(/\[2\/100\][^]*> \w+: .* ashore/)
      await daemon?.kill()
      await one.says('connection to the bridge lost')
      const { origin } = await start()
      await one.says(/back after [\d.]+ s: signed in/)
      await expect.poll(() => shown({ origin })).toContain('shown 200')
      const from = one.text.length
      const link = () => sallyport(SOURCE, ['link', '--data-dir', at.data], { HOME: at.data, SALLYPORT_VAULT: 'file' })
      await expect.poll(async () => (await link()).code).toBe(0)
      await expect.poll(() => one.text.slice(from)).toMatch(/requests to link your account[^]*asking for your permission[^]*signed in as/)
      await expect.poll(() => one.text.slice(from)).toMatch(/> \w+: .* ashore/)
    })

    test('reads the history after an unknown outcome in its sample game, so that each line is there once', async () => {
      const { text, lines, keys } = await playUnknownOutcome(pythonProgram('examples/dockside.py', '--fast'), at.runtime)
      expect(text).toContain('53 crates ashore. Fair winds!')
      expect(lines).toEqual(['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum'])
      expect(new Set(keys).size).toBe(lines.length + 1)
    })

    test('waits with its sample game for a daemon that starts later', async () => {
      const one = dockside('--fast')
      await mkdir(at.runtime, { mode: 0o700 })
      await start()
      expect(await one.ended(), one.text).toBe(0)
    })

    test('has types that mypy takes in its strict mode, and that find a missing key', async (context) => {
      if (mypyObstacle !== undefined) return context.skip(mypyObstacle)
      const strict = (...paths: string[]) =>
        run('mypy', ['--strict', '--python-version', '3.9', '--cache-dir', join(at.base, 'mypy'), ...paths], {
          cwd: PYTHON_BINDING,
          env: { ...process.env, MYPYPATH: 'src' },
        }).catch((failure: unknown) => failure as { readonly stdout: string })
      expect((await strict('src/sallyport', 'examples', 'tests')).stdout).toMatch(/^Success: no issues found/)
      const wrong = join(at.base, 'wrong.py')
      await writeFile(
        wrong,
        `import sallyport
async def play(client: sallyport.AsyncClient) -> None:
    await client.commands.send_lobby_message({"content": "Ahoy"})
    await client.commands.get_lobby({"lobby_id": 7})
    client.events.activity_join(lambda join: print(join["no_such_key"]))
    client.commands.no_such_command
`,
      )
      const { stdout } = await strict(wrong)
      expect(stdout.match(/^.*wrong\.py:\d+/gm)?.map((line) => line.replace(/^.*:/, ''))).toEqual(['3', '4', '5', '6'])
    })

    test('is usable as its wheel', async (context) => {
      if (packagingObstacle !== undefined) return context.skip(packagingObstacle)
      const archive = ARCHIVES.find(({ name }) => name === 'python')
      if (archive === undefined) throw new Error('there is no archive named python')
      const home = await mkdtemp(join(tmpdir(), 'spw-'))
      try {
        const { path } = await pack(archive, home)
        const site = join(home, 'site')
        for (const [name, data] of unzip(await readFile(path))) {
          await mkdir(join(site, name, '..'), { recursive: true })
          await writeFile(join(site, name), data)
        }
        const program = 'import sallyport; print(sallyport.Client("42", runtime_dir="/nowhere").state)'
        const { stdout } = await run('python3', ['-c', program], { env: { ...process.env, PYTHONPATH: site } })
        expect(stdout.trim()).toBe('offline')
      } finally {
        await rm(home, { recursive: true, force: true })
      }
    })
  })
}
