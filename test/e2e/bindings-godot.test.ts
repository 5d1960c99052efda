/** The add-on for Godot in the real engine: its libraries, its pages, its promises about nodes and threads, its demo with the daemon, exports. */
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled } from '#test/support/c-build.ts'
import { ended } from '#test/support/ended.ts'
import {
  buildGodot,
  ENGINE,
  exportGodot,
  exportObstacle,
  GODOT_BINDING,
  godotEnvironment,
  godotObstacle,
  godotProgram,
  importGodot,
  mainScene,
  pageProject,
  sanitize,
  savedProject,
  testProject,
  WINDOWS_COMPILER,
} from '#test/support/godot-build.ts'
import { ScriptedServer } from '#test/support/scripted-server.ts'
import { SOON } from '#test/support/soon.ts'
import { type Daemon, folders, SOURCE, sallyport, startDaemon } from './support/daemon.ts'
import { shown } from './support/dockside.ts'
import { ObedientServer } from './support/obedient-server.ts'
import { BreakingLobby } from './support/breaking-lobby.ts'

const run = promisify(execFile)
/** The engine is large, and so is what it exports. */
const BUILD_MS = 300_000
const ENTRY = 'sallyport_godot_init'
const APPLICATION = '1180000000000000042'

/** Libraries that the engine looks for, by platform and kind of build. */
async function libraries(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(GODOT_BINDING, 'addons/sallyport/sallyport.gdextension'), 'utf8')
  return new Map([...text.matchAll(/^(\w+\.\w+)\.x86_64 = "res:\/\/(.+)"$/gm)].map(([, key = '', path = '']) => [key, path]))
}

/** Members of a page of the documentation, in one order and with one spacing. */
const members = (page: string): readonly string[] =>
  page
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s+/g, ' ')
    .replace(/> </g, '><')
    .replace(/(<(?:brief_)?description>|default="\w*">) | (?=<\/)/g, '$1')
    .split(/(?=<(?:method|member|signal|constant) )/)
    .map((one) => one.trim())
    .toSorted()

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

if (godotObstacle !== undefined) {
  test('the add-on for Godot', (context) => context.skip(godotObstacle))
} else {
  let base: string
  const at = (...parts: readonly string[]): string => join(base, ...parts)
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'spg-'))
    await buildGodot(at('built'), (await isInstalled(WINDOWS_COMPILER)) ? ['linux', 'windows'] : ['linux'])
    await testProject(at('built'), at('tests'), at('home'))
    await cp(at('built/demo'), at('demo'), { recursive: true })
  }, BUILD_MS)
  afterAll(() => rm(base, { recursive: true, force: true }))

  interface Running {
    readonly done: Promise<Ended>
    kill(): void
  }

  /** Starts a program; `onText` gets all that it printed so far. */
  function start(
    [program, ...args]: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv = {},
    onText: (out: string) => void = () => {},
  ): Running {
    const child = spawn(program, args, { env: { ...godotEnvironment(at('home')), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      out += more
      onText(out)
    })
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      err += more
    })
    const done = ended(child).then((code) => ({ code, out, err }))
    return { done, kill: () => void child.kill('SIGKILL') }
  }

  const play = (command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): Promise<Ended> => start(command, env).done

  /** Checks the lines of a program of the tests; the server does what its calls say. */
  async function passes(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const server = await ObedientServer.listen()
    try {
      const outcome = await play(command, { ...env, XDG_RUNTIME_DIR: server.runtime })
      const lines = outcome.out.split('\n').filter((line) => /^(?:not ok|ok|1\.\.)/.test(line))
      expect(
        lines.filter((line) => line.startsWith('not ok')),
        outcome.err,
      ).toEqual([])
      expect(lines.length, outcome.err).toBeGreaterThan(10)
      expect(lines.at(-1), outcome.err).toBe(`1..${lines.length - 1}`)
      expect(outcome.code).toBe(0)
      expect(outcome.err).not.toMatch(/leaked|Program crashed|AddressSanitizer/)
      return outcome
    } finally {
      await server.close()
    }
  }

  describe('the add-on for Godot', { timeout: BUILD_MS }, () => {
    test.for(['linux.debug', 'linux.release', 'windows.debug', 'windows.release'])('has a library for %s', async (key, context) => {
      if (key.startsWith('windows') && !(await isInstalled(WINDOWS_COMPILER))) return context.skip(`${WINDOWS_COMPILER} is not installed.`)
      const library = at('built', (await libraries()).get(key) ?? '')
      const reader = key.startsWith('windows') ? ['x86_64-w64-mingw32-objdump', '-p'] : ['nm', '-D', '--defined-only']
      const [program = '', ...words] = reader
      const { stdout } = await run(program, [...words, library], { maxBuffer: 16 * 1024 * 1024 })
      const exported = key.startsWith('windows')
        ? [...stdout.matchAll(/^\s*\[\s*\d+\]\s+(?:\+base\[\s*\d+\]\s+\w+\s+)?(\w+)$/gm)].map(([, name]) => name)
        : stdout.split('\n').flatMap((line) => line.split(' ').slice(2))
      // Nothing else, so that another add-on with the same C client does not meet this one.
      expect(exported).toEqual([ENTRY])
    })

    test('names no other platform and no library twice', async () => {
      const all = await libraries()
      expect([...all.keys()]).toEqual(['linux.debug', 'linux.release', 'windows.debug', 'windows.release'])
      expect(new Set(all.values()).size).toBe(all.size)
    })

    test('is documented as the engine sees it, without a gap', async () => {
      await cp(at('built/build/doc_classes'), at('pages/doc_classes'), { recursive: true })
      const words = ['--headless', '--path', at('tests'), '--doctool', at('pages'), '--gdextension-docs']
      expect((await play([ENGINE, ...words])).code).toBe(0)
      const names = await readdir(at('pages/doc_classes'))
      expect(names.toSorted()).toEqual(['SallyportCall.xml', 'SallyportClient.xml', 'SallyportError.xml'])
      for (const name of names) {
        const [ours = [], seen = []] = (
          await Promise.all(['built/build', 'pages'].map((folder) => readFile(at(folder, 'doc_classes', name), 'utf8')))
        ).map(members)
        expect(ours).toEqual(seen)
        expect(seen.filter((one) => one.includes('<description></description>'))).toEqual([])
      }
    })

    test('has a page whose script plays, with a library and without one, and has no warning', async () => {
      const [, script = ''] = /```gdscript\n([\s\S]*?)```/.exec(await readFile(join(GODOT_BINDING, 'README.md'), 'utf8')) ?? []
      await pageProject(at('page'), at('built'), script, at('home'))
      const server = await ObedientServer.listen()
      try {
        const words = [ENGINE, '--headless', '--no-header', '--path', at('page'), '--quit-after'] as const
        const played = await play([...words, '1500'], { XDG_RUNTIME_DIR: server.runtime })
        expect([played.code, played.out.trim(), played.err]).toEqual([0, 'shown\nsigned in as ada', ''])
        await rm(at('page/addons/sallyport/bin'), { recursive: true })
        await rm(at('page/addons/sallyport/sallyport.gdextension'))
        await rm(at('page/.godot'), { recursive: true })
        await importGodot(at('page'), at('home'), [])
        const alone = await play([...words, '120'], { XDG_RUNTIME_DIR: server.runtime })
        expect([alone.code, alone.out.trim(), alone.err]).toEqual([0, 'playing alone', ''])
      } finally {
        await server.close()
      }
    })

    test('makes the same client with and without a library', async () => {
      await passes(godotProgram(at('tests'), 'factory'))
      await cp(at('tests'), at('without'), { recursive: true })
      await rm(at('without/addons/sallyport/bin'), { recursive: true })
      const server = await ObedientServer.listen()
      try {
        const { code, out } = await play(godotProgram(at('without'), 'factory'), { XDG_RUNTIME_DIR: server.runtime })
        expect([code, out.match(/^not ok.*/gm), out.match(/^1\.\..*/gm)]).toEqual([0, null, ['1..6']])
      } finally {
        await server.close()
      }
    })

    test('goes on in a paused game whose scene the editor saved, also when it is exported', async (context) => {
      await savedProject(at('tests'), at('saved'))
      const saved = await play([ENGINE, '--headless', '--no-header', '--editor', '--path', at('saved')])
      expect([saved.code, saved.out], saved.err).toEqual([0, expect.stringContaining('saved 0')])
      const scene = await readFile(at('saved/saved.tscn'), 'utf8')
      expect(scene).toContain('type="SallyportClient"')
      await mainScene(at('saved'), 'res://saved.tscn')
      const passed = async (command: readonly [string, ...string[]]) => {
        const server = await ObedientServer.listen()
        try {
          const { code, out, err } = await play(command, { XDG_RUNTIME_DIR: server.runtime })
          expect([code, out.match(/^(?:not )?ok \d|^1\.\..*/gm)], out + err).toEqual([0, ['ok 1', 'ok 2', 'ok 3', '1..3']])
        } finally {
          await server.close()
        }
      }
      await passed([ENGINE, '--headless', '--no-header', '--path', at('saved'), '--quit-after', '5000'])
      if (exportObstacle !== undefined) return context.skip(exportObstacle)
      await passed([await exportGodot(at('saved'), at('exported-saved'), 'release', at('home')), '--headless'])
    })

    test('does nothing in the editor, also with a server', async () => {
      const runtime = at('editor-run')
      const server = await ScriptedServer.listen(runtime)
      try {
        await importGodot(at('demo'), at('home'))
        const words = ['--headless', '--editor', '--path', at('demo'), '--quit-after', '60', 'res://dockside.tscn']
        const { code, err } = await play([ENGINE, ...words], { XDG_RUNTIME_DIR: runtime })
        expect(code, err).toBe(0)
        expect(server.connections).toBe(0)
      } finally {
        await server.close()
      }
    })

    test('keeps its promises about values, signals, nodes and threads', async () => {
      const { err } = await passes(godotProgram(at('tests'), 'units'))
      expect(err).toContain('SallyportClient must be used on the main thread')
      expect(err).toContain('the node must be processed on the main thread')
      expect(err).toContain('the setting changes at the next open()')
      expect(err).toContain('the limit is a number from 1 to 4096')
    })

    test('has a client without native code', async () => {
      const { err } = await passes(godotProgram(at('tests'), 'stream'))
      expect(err).not.toContain('ERROR')
    })

    test.for(['debug', 'release'] as const)('keeps them in a game exported for %s', async (kind, context) => {
      if (exportObstacle !== undefined) return context.skip(exportObstacle)
      const game = await exportGodot(at('tests'), at(`exported-${kind}`), kind, at('home'))
      expect((await readdir(at(`exported-${kind}`))).filter((name) => name.endsWith('.so'))).toEqual([
        `libsallyport.linux.template_${kind}.x86_64.so`,
      ])
      await passes([game, '--headless', '--', 'units'])
    })

    test('touches no memory that is not its own, also when its node is freed inside a signal', async (context) => {
      if (exportObstacle !== undefined) return context.skip(exportObstacle)
      const game = await exportGodot(at('tests'), at('sanitized'), 'release', at('home'))
      const env = await sanitize(at('built'), game)
      if (env === undefined) return context.skip('The address sanitizer of gcc does not start with this engine.')
      await passes([game, '--headless', '--', 'units'], env)
    })

    test('fails an export whose library is missing, with the name of the library', async (context) => {
      if (exportObstacle !== undefined) return context.skip(exportObstacle)
      await cp(at('demo'), at('incomplete'), { recursive: true })
      await rm(at('incomplete/addons/sallyport/bin/libsallyport.linux.template_release.x86_64.so'))
      await importGodot(at('incomplete'), at('home'))
      await expect(exportGodot(at('incomplete'), at('exported-incomplete'), 'release', at('home'))).rejects.toThrow(
        'libsallyport.linux.template_release.x86_64.so is missing',
      )
    })
  })

  describe('Dockside in Godot', { timeout: BUILD_MS }, () => {
    beforeAll(() => importGodot(at('demo'), at('home')), BUILD_MS)

    const demo = (runtime: string, ...more: readonly string[]): readonly [string, ...string[]] => [
      ENGINE,
      '--headless',
      '--path',
      at('demo'),
      '--',
      '--fast',
      '--runtime-dir',
      runtime,
      ...more,
    ]

    const plays = async ({ code, out, err }: Ended, daemon: Daemon): Promise<void> => {
      expect(code, out + err).toBe(0)
      expect(err).not.toContain('ERROR')
      expect(out).toMatch(/signed in as \w+/)
      expect(out).toContain('heard in the lobby: Quiet Quorum: 9 crates of snow globes ashore')
      expect(out).toContain('53 crates ashore. Fair winds!')
      await expect.poll(() => shown(daemon)).toContain('ended 204')
      expect(await shown(daemon)).toContain('shown 200')
    }

    test('signs in, shows its presence, meets in a lobby and hears its messages', async () => {
      const world = await folders()
      const daemon = await startDaemon(SOURCE, world)
      try {
        await plays(await play(demo(world.runtime)), daemon)
      } finally {
        await daemon.stop()
        await world.remove()
      }
    })

    test('starts without a daemon, quietly, and plays when one starts; after a kill it is signed in, subscribed and shown again', async () => {
      const world = await folders()
      let daemon: Daemon | undefined
      const steps: Promise<void>[] = []
      const begin = async (): Promise<void> => {
        daemon = await startDaemon(SOURCE, world)
      }
      try {
        const game = start(demo(world.runtime, '--rounds', '12'), {}, (out) => {
          if (steps.length === 0 && out.includes('no bridge yet (E_NO_SERVER)')) steps.push(begin())
          if (steps.length === 1 && out.includes('[2/12]'))
            steps.push(
              Promise.all(steps)
                .then(() => daemon?.kill())
                .then(begin),
            )
        })
        const outcome = await game.done
        await Promise.all(steps)
        expect(outcome.code, outcome.out + outcome.err).toBe(0)
        expect(outcome.err).not.toContain('ERROR')
        // Once for each absence, not with every attempt. A daemon that returns at once is not missed a second time.
        const absences = outcome.out.split('connection to the bridge lost').map((part) => part.split('no bridge yet').length - 1)
        expect(absences).toEqual([1, expect.toSatisfy((count: number) => count <= 1)])
        expect(outcome.out).toMatch(/back after [\d.]+ s: signed in/)
        await expect.poll(async () => (daemon === undefined ? [] : shown(daemon))).toContain('shown 200')
      } finally {
        await daemon?.stop()
        await world.remove()
      }
    })

    test('says each line once, also when it cannot know what became of the first try', async () => {
      const lobby = new BreakingLobby(5)
      const server = await ObedientServer.listen(lobby.commands)
      try {
        const { code, out, err } = await play(demo(server.runtime))
        expect(
          lobby.lines.map((line) => line.replace(/:.*/, '')),
          out + err,
        ).toEqual(['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum'])
        expect([code, out.match(/\d+ crates ashore\. Fair winds!/)?.[0]], out + err).toEqual([0, '53 crates ashore. Fair winds!'])
      } finally {
        await server.close()
      }
    })

    test('has the request to link the account as a signal', async () => {
      const world = await folders()
      const daemon = await startDaemon(SOURCE, world)
      let out = ''
      const game = start(demo(world.runtime, '--rounds', '100'), {}, (text) => {
        out = text
      })
      try {
        await expect.poll(() => out, SOON).toContain('[1/100]')
        const words = ['link', '--application', APPLICATION, '--data-dir', world.data]
        const { code, err } = await sallyport(SOURCE, words)
        expect(code, err).toBe(0)
        await expect.poll(() => out, SOON).toContain('the platform requests to link your account')
      } finally {
        game.kill()
        await game.done
        await daemon.stop()
        await world.remove()
      }
    })

    test('plays as an exported game', async (context) => {
      if (exportObstacle !== undefined) return context.skip(exportObstacle)
      const game = await exportGodot(at('demo'), at('exported-demo'), 'release', at('home'))
      expect(existsSync(game)).toBe(true)
      const world = await folders()
      const daemon = await startDaemon(SOURCE, world)
      try {
        await plays(await play([game, '--headless', '--', '--fast', '--runtime-dir', world.runtime]), daemon)
      } finally {
        await daemon.stop()
        await world.remove()
      }
    })
  })
}
