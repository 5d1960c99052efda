/** The C++ binding: its own tests under sanitizers, compilers, packages, its page, and its sample game with the real daemon. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isInstalled } from '#test/support/c-build.ts'
import { errorFor, event, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { buildCppPrograms, COMPILE_MS, CPP_BINDING, CPP_INCLUDES, CPP_WARNINGS } from '#test/support/cpp-build.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, sallyport, SOURCE, startDaemon } from './support/daemon.ts'
import { shown } from './support/dockside.ts'
import { GameProcess } from './support/game-process.ts'
import { nextMessage, SHIPS, UncertainLobby } from './support/uncertain-lobby.ts'

const run = promisify(execFile)
/** More frames of Dockside than it pauses between steps. */
const FRAMES_OF_PAUSE = 40
const hasCompiler = (await isInstalled('g++')) && process.platform !== 'win32'

/** The programs of the page: with the interface of the SDK, and with the client below it. */
const programsOfPage = async (): Promise<readonly string[]> => {
  const page = await readFile(join(CPP_BINDING, 'README.md'), 'utf8')
  return [...page.matchAll(/```cpp\n([\s\S]*?)```/g)].map(([, text = '']) => text).filter((text) => text.includes('int main'))
}

if (!hasCompiler) {
  test('the C++ binding', { tags: ['2.1-20', '2.1-21', '2.1-22', '2.1-23'] }, (context) =>
    context.skip('There is no g++ to build the C++ binding with; install g++.'),
  )
} else {
  let programs: string
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'spp-'))
    const [sdk = '', base = ''] = await programsOfPage()
    await writeFile(join(programs, 'readme.cpp'), sdk)
    await writeFile(join(programs, 'base.cpp'), base)
    await buildCppPrograms(programs, {
      unit: 'tests/unit.cpp',
      snippets: 'tests/snippets.cpp',
      dockside: 'examples/dockside.cpp',
      readme: join(programs, 'readme.cpp'),
      base: join(programs, 'base.cpp'),
    })
  }, COMPILE_MS)
  afterAll(() => rm(programs, { recursive: true, force: true }))

  describe('the C++ binding', () => {
    test('passes its unit tests under the sanitizers', {
      tags: ['2.1-20', '2.1-21', '2.1-22', '2.1-23', '4.3-3', '4.3-4', '4.3-5'],
    }, async () => {
      const { stdout } = await run(join(programs, 'unit')).catch((failure: unknown) => failure as { readonly stdout: string })
      const lines = stdout.split('\n')
      expect(lines.filter((line) => /^not ok|^#.*\.cpp:/.test(line))).toEqual([])
      const passed = lines.filter((line) => line.startsWith('ok '))
      expect(lines.find((line) => line.startsWith('1..'))).toBe(`1..${passed.length}`)
      for (const id of ['2.1-20', '2.1-21', '2.1-22', '2.1-23', '4.3-3'])
        expect(
          passed.some((line) => line.includes(`- ${id}: `)),
          id,
        ).toBe(true)
    })

    test.for([['clang++'], ['g++', '-std=c++20'], ['clang++', '-fno-exceptions', '-fno-rtti'], ['x86_64-w64-mingw32-g++']] as const)(
      'compiles without a warning with %s',
      { timeout: COMPILE_MS },
      async ([compiler = '', ...flags], context) => {
        if (!(await isInstalled(compiler))) return context.skip(`${compiler} is not installed.`)
        // What a game compiles: its code with our headers. `npm run bindings:prove` compiles the library so too, which takes minutes.
        const files = ['tests/unit.cpp', 'tests/snippets.cpp'].map((file) => join(CPP_BINDING, file))
        await run(compiler, [...CPP_WARNINGS, ...flags, ...CPP_INCLUDES, '-fsyntax-only', ...files])
      },
    )

    // The test of the package builds it, installs it and finds it by find_package.
    test('is found by FetchContent', { timeout: COMPILE_MS }, async (context) => {
      if (!(await isInstalled('cmake'))) return context.skip('CMake is not installed.')
      const game = join(programs, 'game')
      await run('cmake', ['-S', join(CPP_BINDING, 'tests/consumer'), '-B', game, `-DSALLYPORT_SOURCE=${join(CPP_BINDING, '../..')}`])
      await run('cmake', ['--build', game, '-j', '2'])
      expect((await run(join(game, 'consumer'))).stdout).toBe('Disconnected\n')
    })
  })

  describe('with the daemon', () => {
    let at: Folders
    let daemon: Daemon
    let game: GameProcess | undefined
    beforeEach(async () => {
      at = await folders()
      daemon = await startDaemon(SOURCE, at)
    })
    afterEach(async () => {
      await game?.stop()
      game = undefined
      await daemon.stop()
      await at.remove()
    })

    const play = (program: string, ...words: string[]): GameProcess => {
      game = new GameProcess([join(programs, program), ...words], { env: { ...cleanEnvironment(), XDG_RUNTIME_DIR: at.runtime } })
      return game
    }
    const restart = async (): Promise<void> => {
      await daemon.kill()
      daemon = await startDaemon(SOURCE, at)
    }
    /** As the user who requests to link the account. */
    const link = () => sallyport(SOURCE, ['link', '--data-dir', at.data], { HOME: at.data, SALLYPORT_VAULT: 'file' })

    test('code of the documentation signs in, shows a presence, meets in a lobby and reads guilds', { tags: ['1-1'] }, async () => {
      const code = await play('snippets').ended()
      expect(code, game?.text).toBe(0)
      expect(game?.text).toMatch(/signed in as \w+, with \d+ relationships/)
      expect(game?.text).toContain('message: successful')
      expect(game?.text).toContain('Hello from C++')
      expect(game?.text).toContain('channels: successful')
      await expect.poll(() => shown(daemon)).toContain('shown 200')
    })

    test('the other program of the page signs in and reads the friends', async () => {
      const code = await play('base').ended()
      expect(code, game?.text).toBe(0)
    })

    test('the program of the page does all that it says, also after a restart of the daemon', async () => {
      const one = play('readme')
      await one.says('message: successful')
      await one.says('presence: successful')
      expect(one.text).toMatch(/authorize: successful[^]*token: successful[^]*sign-in: successful[^]*status: Ready/)
      await restart()
      await one.says(/status: Reconnecting\n(?:status: \w+\n)*status: Ready/)
      await expect.poll(() => shown(daemon)).toContain('shown 200')
      const { code, err } = await link()
      expect(code, err).toBe(0)
      await one.says('the user requests to link the account')
      expect(await one.ended()).toBe(0)
    })

    test('Dockside signs in, shows its presence, meets in a lobby and chats', async () => {
      const code = await play('dockside', '--fast', '--runtime-dir', at.runtime).ended()
      expect(code, game?.text).toBe(0)
      expect(game?.text).toMatch(/signed in as \w+/)
      expect(game?.text).toContain('Quiet Quorum: 9 crates of snow globes ashore')
      await expect.poll(() => shown(daemon)).toContain('ended 204')
      expect(await shown(daemon)).toContain('shown 200')
    })

    test('Dockside sends each message once, also when it cannot know whether it was sent', async () => {
      const runtime = join(at.base, 'uncertain')
      const lobby = await UncertainLobby.listen(runtime)
      try {
        const one = play('dockside', '--fast', '--runtime-dir', runtime)
        expect(await one.ended(), one.text).toBe(0)
        expect(lobby.ships).toEqual(SHIPS)
        expect(one.text).toContain('53 crates ashore. Fair winds!')
      } finally {
        await lobby.close()
      }
    })

    test('Dockside waits for a message that is sent again, and makes no call meanwhile', async () => {
      const server = await ScriptedServer.listen(join(at.base, 'scripted'))
      try {
        const one = play('dockside', '--fast', '--runtime-dir', join(at.base, 'scripted'))
        const peer = await server.peer()
        await peer.ready({ call_keys: true })
        const message = await nextMessage(peer)
        peer.socket.destroy()
        const next = await server.peer()
        await next.ready({ call_keys: true })
        const repeat = await nextMessage(next)
        expect(repeat.key).toBe(message.key)
        // Each refused sign-in takes a frame of the game, and these are longer than its pause between steps.
        next.write(event('AUTHORIZE_REQUEST', null))
        const asked: string[] = []
        while (asked.filter((cmd) => cmd === 'AUTHORIZE').length < FRAMES_OF_PAUSE) {
          const call = await next.message()
          asked.push(call.cmd)
          next.write(call.cmd === 'AUTHORIZE' ? errorFor(call, { code: 5011, message: 'Slow.' }) : responseTo(call, null))
        }
        expect(asked).not.toContain('CREATE_OR_JOIN_LOBBY')
        next.write(responseTo(repeat, { id: '8' }))
        await one.says('[2/5]')
      } finally {
        await server.close()
      }
    })

    test('Dockside prints a join', async () => {
      const server = await ScriptedServer.listen(join(at.base, 'scripted'))
      try {
        const one = play('dockside', '--fast', '--runtime-dir', join(at.base, 'scripted'))
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

    test('Dockside is signed in, subscribed and shown again after the daemon was killed', async () => {
      const one = play('dockside', '--rounds', '40', '--runtime-dir', at.runtime)
      await one.says('[2/40]')
      await daemon.kill()
      await one.says('connection to the bridge lost')
      daemon = await startDaemon(SOURCE, at)
      const from = performance.now()
      await one.says('back after')
      // For the reader of the run; a busy machine takes longer.
      console.log(`Dockside was back ${Math.round(performance.now() - from)} ms after the daemon was ready`)
      // The sandbox of the new daemon counts only what came after the restart.
      await expect.poll(() => shown(daemon)).toContain('shown 200')
      const { code, err } = await link()
      expect(code, err).toBe(0)
      await one.says('the platform requests to link your account')
      await one.says(/\[5\/40\]/)
    })
  })
}
