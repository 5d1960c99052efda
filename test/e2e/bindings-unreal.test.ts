/** The plugin for Unreal, compiled from its archive against our stand-in of the engine, and played with the real daemon under the sanitizers. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled } from '#test/support/c-build.ts'
import { csharpObstacle } from '#test/support/csharp-build.ts'
import {
  buildUnreal,
  compileGame,
  descriptor,
  generatedFor,
  runRules,
  SANITIZERS,
  type UnrealPlugin,
  unpackUnreal,
} from '#test/support/unreal-build.ts'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { onceSaid, playDockside, playInvited, shown } from './support/dockside.ts'

const COMPILE_MS = 300_000
const OVER = /^over$/m

test('the header tool of our stand-in refuses what that of the engine refuses', () => {
  expect(() => generatedFor('A', '#include "A.generated.h"\n#include "B.h"\n')).toThrow('last include')
  expect(() => generatedFor('A', '#include "A.generated.h"\nclass SALLYPORTCLIENT_API UA : public UB\n{\n};\n')).toThrow(
    'no GENERATED_BODY',
  )
})

if (!(await isInstalled('g++'))) {
  test('the plugin for Unreal', (context) => context.skip('There is no g++ to build the plugin with; install g++.'))
} else {
  describe('the plugin for Unreal', () => {
    let folder: string
    let plugin: UnrealPlugin
    let game: string
    let at: Folders
    let daemon: Daemon | undefined
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spe-'))
      at = await folders()
      plugin = await unpackUnreal(folder)
      game = await buildUnreal(plugin, { c: 'gcc', cpp: 'g++', standard: 'c++17', flags: SANITIZERS })
    }, COMPILE_MS)
    afterAll(async () => {
      await daemon?.stop()
      await at.remove()
      await rm(folder, { recursive: true, force: true })
    })

    const play = async (what: string, onText: (all: string) => void = () => {}): Promise<readonly string[]> =>
      (await playDockside([game, what], { env: { XDG_RUNTIME_DIR: at.runtime }, last: OVER, onText })).trim().split('\n')

    test('describes a module that is loaded before those of the game', async () => {
      expect(await descriptor(plugin)).toMatchObject({
        FileVersion: 3,
        Modules: [{ Name: 'SallyportClient', Type: 'Runtime', LoadingPhase: 'PreDefault' }],
      })
      expect(plugin.paths).toContain('Sallyport/Sallyport.uplugin')
    })

    test('holds the C client as sources, and nothing that must be staged', () => {
      expect(plugin.paths).toContain('Sallyport/Source/SallyportClient/Private/Client/transport_windows.c')
      expect(plugin.paths).toContain('Sallyport/Source/SallyportClient/Private/sallyport/protocol.h')
      expect(plugin.paths.filter((path) => /\.(?:a|so|dll|lib|dylib|o)$/.test(path))).toEqual([])
    })

    test('has rules that link what each system needs', async (context) => {
      if (csharpObstacle !== undefined) return context.skip(csharpObstacle)
      const modules = 'Core CoreUObject DeveloperSettings Engine'
      expect((await runRules(plugin)).trim().split('\n')).toEqual([
        `Win64: ${modules} | advapi32.lib bcrypt.lib | staged 0`,
        ...['Linux', 'LinuxArm64', 'Mac'].map((system) => `${system}: ${modules} |  | staged 0`),
      ])
    })

    test('compiles with clang, as newer engines do', { timeout: COMPILE_MS }, async (context) => {
      if (!(await isInstalled('clang++'))) return context.skip('clang++ is not installed.')
      await buildUnreal(plugin, { c: 'clang', cpp: 'clang++', standard: 'c++20', flags: [] })
    })

    test('is described by a page whose code compiles', async () => {
      const page = await readFile(join(plugin.home, 'README.md'), 'utf8')
      const file = join(folder, 'page.cpp')
      await writeFile(file, `${/```cpp\n([\s\S]*?)```/.exec(page)?.[1] ?? ''}\nint main() { ShowPresence(nullptr); }\n`)
      await compileGame(plugin, file)
    })

    test('lets the game go on without a bridge, with one line in the log', async () => {
      expect(await play('absent')).toEqual([
        expect.stringMatching(/^LogSallyport: Log: Not available: no server was found.* The game goes on; it tries again\.$/),
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'subscription: 1',
        'tickers: 0',
        'over',
      ])
    })

    test('asks for an application id', async () => {
      expect(await play('unset')).toEqual([
        'LogSallyport: Warning: There is no application id; set one in Project Settings > Plugins > Sallyport.',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'subscription: 0',
        'tickers: 0',
        'over',
      ])
    })

    test('has latent nodes that end once, with a result or an error', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      expect((await play('nodes')).slice(1)).toEqual([
        expect.stringMatching(/^node: \w+$/),
        'node is over: 1',
        expect.stringMatching(/^node: \d+$/),
        'node is over: 1',
        'node failed: INVALID_LOBBY refused',
        'node is over: 1',
        'node failed: INVALID_COMMAND refused',
        'node is over: 1',
        'node failed: E_JSON refused',
        'node is over: 1',
        'node failed: E_NOT_READY not available',
        'node is over: 1',
        'signed in: 1',
        'tickers: 0',
        'over',
      ])
    })

    test('ends what waits when the game stops', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      expect((await play('stop')).slice(1)).toEqual(['node failed: E_CLOSED not available', 'tickers: 0', 'over'])
    })

    test('plays the sample', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      const lines = await play('play')
      const text = lines.join('\n')
      expect(text).toMatch(/LogSallyport: Log: Connected to \S+discord-ipc-0\./)
      expect(text).toMatch(/signed in as \w+/)
      expect(text).toMatch(/the lobby remembers: .*Quiet Quorum: 9 crates of snow globes ashore/)
      expect(text).toContain('53 crates ashore. Fair winds!')
      expect(lines.slice(-2)).toEqual(['tickers: 0', 'over'])
      const { origin } = daemon
      await expect.poll(() => shown({ origin })).toContain('ended 204')
      expect(await shown({ origin })).toContain('shown 200')
    })

    test('joins a friend, and lets a friend join', async () => {
      const alone = await folders()
      const { subscriptions, answer } = await playInvited([game, 'play'], alone.runtime, /you join the pier of a friend/)
      expect(subscriptions.toSorted()).toEqual(['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'AUTHORIZE_REQUEST'])
      expect(answer?.args).toMatchObject({ user_id: '78' })
      await alone.remove()
    })

    test('plays on after the daemon was killed', async () => {
      daemon ??= await startDaemon(SOURCE, at)
      const restart = onceSaid('[2/5]', async () => {
        await daemon?.kill()
        daemon = await startDaemon(SOURCE, at)
      })
      const lines = await play('play', restart.onText)
      await restart.done()
      const text = lines.join('\n')
      expect(text).toMatch(/~ no bridge, waiting: [^]*~ the bridge is here, signed in again/)
      expect(text).toContain('53 crates ashore. Fair winds!')
      expect(await shown(daemon)).toContain('shown 200')
    })
  })
}
