/** The C binding: its own tests under sanitizers, every compiler that it supports, and its sample game with the real daemon. */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BINDING, buildPrograms, compileAll, isInstalled, WARNINGS, INCLUDES } from '#test/support/c-build.ts'
import { frame, OP } from '#test/support/frames.ts'
import { errorFor, event, ScriptedServer } from '#test/support/scripted-server.ts'
import { cleanEnvironment, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { onceSaid, shown } from './support/dockside.ts'
import { seededRandom } from './support/seeded-random.ts'
import { SHIPS, UncertainLobby } from './support/uncertain-lobby.ts'

const run = promisify(execFile)
const hasCompiler = (await isInstalled('gcc')) && process.platform !== 'win32'
const hasCpp = await isInstalled('g++')
/** A program that uses the library as one header. */
const USER_OF_HEADER = '#include "sallyport_single.h"\nint main(void) { return sallyport_create(NULL) != NULL; }\n'
/** Parts of texts of which many are JSON. */
const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"a":', '[]', '{}', '"a":1', '\\', '\\u00e9', '\\ud83d', '"\\u00e9\\n"', '"\\x"'],
  ...['0', '-1', '01', '1.', '.5', '1e3', '1E-2', '-', 'null', 'true', 'nul', 'false', ' ', '\n', '\t', '\u00a0', 'é', '😀'],
]
const OTHER_FILES = ['examples/dockside.c', ...['unit', 'fuzz', 'fuzz_json', 'probe', 'bench', 'judge'].map((name) => `tests/${name}.c`)]
const UNIX_FILES = ['tests/adapter.c', 'tests/fuzz_frames.c', 'tests/fuzz_client.c', 'tests/threads.c']

if (!hasCompiler) {
  test('the C binding', (context) => context.skip('There is no gcc to build the C binding with; install gcc.'))
} else {
  let programs: string
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'spc-'))
    await buildPrograms(programs, { unit: 'tests/unit.c', fuzz: 'tests/fuzz.c', judge: 'tests/judge.c', dockside: 'examples/dockside.c' })
  })
  afterAll(() => rm(programs, { recursive: true, force: true }))

  describe('the C binding', () => {
    test.each(['unit', 'fuzz'])('passes its %s tests under the sanitizers', async (name) => {
      const { stdout } = await run(join(programs, name)).catch((failure: unknown) => failure as { readonly stdout: string })
      const lines = stdout.split('\n')
      expect(lines.filter((line) => /^not ok|^#.*\.c:/.test(line))).toEqual([])
      const planned = lines.find((line) => line.startsWith('1..'))
      expect(planned).toBe(`1..${lines.filter((line) => line.startsWith('ok ')).length}`)
    })

    test.for(['gcc', 'clang', 'x86_64-w64-mingw32-gcc'])('compiles without a warning with %s', async (compiler, context) => {
      if (!(await isInstalled(compiler))) return context.skip(`${compiler} is not installed.`)
      const more = compiler.includes('mingw') ? [] : UNIX_FILES
      await compileAll(compiler, join(programs, compiler), [...OTHER_FILES, ...more])
    })

    test('accepts as JSON what JavaScript accepts', async () => {
      const random = seededRandom(7)
      const pick = () => PIECES[Math.floor(random() * PIECES.length)] ?? ''
      const texts = Array.from({ length: 20_000 }, () => Array.from({ length: 1 + Math.floor(random() * 9) }, pick).join(''))
      const isJson = (text: string): boolean => {
        try {
          JSON.parse(text)
          return true
        } catch {
          return false
        }
      }
      const judge = spawn(join(programs, 'judge'), { stdio: ['pipe', 'pipe', 'inherit'] })
      judge.stdin.end(texts.map((text) => `${Buffer.byteLength(text)}\n${text}`).join(''))
      let answers = ''
      for await (const more of judge.stdout.setEncoding('utf8')) answers += more
      expect(answers).toHaveLength(texts.length)
      expect(texts.filter((text, index) => isJson(text) !== (answers[index] === '1'))).toEqual([])
      expect(texts.filter(isJson).length).toBeGreaterThan(500)
    })

    test('is one header too', async () => {
      await run(process.execPath, [join(BINDING, 'scripts/amalgamate.mjs'), join(programs, 'sallyport_single.h')])
      const main = join(programs, 'single.c')
      await writeFile(main, '#define SALLYPORT_IMPLEMENTATION\n#include "sallyport_single.h"\n')
      const user = join(programs, 'user.c')
      await writeFile(user, USER_OF_HEADER)
      await run('gcc', [...WARNINGS, main, user, '-o', join(programs, 'single')])
      await run(join(programs, 'single'))
    })

    test.for([
      ['gcc', '-std=c99', 'stdio.h'],
      ['gcc', '-std=c99', 'sys/socket.h fcntl.h time.h sys/stat.h unistd.h'],
      ['gcc', '-std=gnu17', 'stdio.h time.h'],
      ['clang', '-std=c11', 'unistd.h sys/un.h poll.h'],
      ['x86_64-w64-mingw32-gcc', '-std=c99', 'windows.h stdio.h'],
    ] as const)('is one header below other includes, with %s %s', async ([compiler, standard, before], context) => {
      if (!(await isInstalled(compiler))) return context.skip(`${compiler} is not installed.`)
      await run(process.execPath, [join(BINDING, 'scripts/amalgamate.mjs'), join(programs, 'sallyport_single.h')])
      const file = join(programs, 'below.c')
      const includes = before.split(' ').map((name) => `#include <${name}>\n`)
      await writeFile(file, `${includes.join('')}#define SALLYPORT_IMPLEMENTATION\n${USER_OF_HEADER}`)
      await run(compiler, [standard, ...WARNINGS.slice(1), '-fsyntax-only', file])
    })

    describe('in C++', () => {
      beforeEach((context) => context.skip(!hasCpp, 'There is no g++; install it.'))
      const compile = (...words: string[]) =>
        run('g++', ['-std=c++11', '-Wall', '-Wextra', '-Werror', '-pedantic', '-fsyntax-only', ...words])

      test('is one header too', async () => {
        await run(process.execPath, [join(BINDING, 'scripts/amalgamate.mjs'), join(programs, 'sallyport_single.h')])
        const user = join(programs, 'user.cpp')
        await writeFile(user, USER_OF_HEADER)
        await compile(user)
      })

      test('has an adapter for the conformance kit whose line protocol is C++', async () => {
        await compile('-x', 'c++', ...INCLUDES, join(BINDING, 'tests/adapter.c'))
      })
    })

    test('is described by a page that compiles', async () => {
      const page = await readFile(join(BINDING, 'README.md'), 'utf8')
      const [, program] = /```c\n([\s\S]*?)```/.exec(page) ?? []
      const file = join(programs, 'readme.c')
      await writeFile(file, program ?? '')
      await run('gcc', [...WARNINGS, ...INCLUDES, '-c', file, '-o', `${file}.o`])
    })
  })

  describe('Dockside in C', () => {
    const play = (runtime: string, onText: (all: string) => void, ...words: readonly string[]) =>
      new Promise<{ code: number | null; text: string }>((done) => {
        let text = ''
        const game = spawn(join(programs, 'dockside'), ['--fast', '--runtime-dir', runtime, ...words], {
          env: cleanEnvironment(),
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        for (const stream of [game.stdout, game.stderr]) {
          stream.setEncoding('utf8').on('data', (more: string) => {
            text += more
            onText(text)
          })
        }
        game.once('close', (code) => done({ code, text }))
      })

    test('signs in, shows its presence, meets in a lobby and chats', async () => {
      const at = await folders()
      const daemon = await startDaemon(SOURCE, at)
      try {
        const { code, text } = await play(at.runtime, () => {})
        expect(code, text).toBe(0)
        expect(text).toContain('asking for your permission')
        expect(text).toMatch(/signed in as \w+/)
        expect(text).toContain('Quiet Quorum: 9 crates of snow globes ashore')
        await expect.poll(() => shown(daemon)).toContain('ended 204')
        expect(await shown(daemon)).toContain('shown 200')
      } finally {
        await daemon.stop()
        await at.remove()
      }
    })

    test('handles a join, and the request of the platform to link the account', async () => {
      const at = await folders()
      const server = await ScriptedServer.listen(at.runtime)
      let text = ''
      const game = play(at.runtime, (all) => {
        text = all
      })
      const peer = await server.peer()
      await peer.ready()
      expect((await peer.answer()).evt).toBe('AUTHORIZE_REQUEST')
      expect((await peer.answer()).evt).toBe('ACTIVITY_JOIN')
      const silent = await peer.message()
      peer.write(event('ACTIVITY_JOIN', { secret: 'pier-9' }), event('AUTHORIZE_REQUEST', {}))
      await expect.poll(() => text).toContain('a friend joins the pier')
      await expect.poll(() => text).toContain('the platform requests to link your account')
      peer.write(errorFor(silent, { code: 4009, message: 'No grant.' }))
      expect(await peer.message()).toMatchObject({ cmd: 'AUTHORIZE', args: { scopes: ['openid', 'sdk.social_layer'] } })
      peer.write(frame(OP.CLOSE, { code: 1000, message: 'The bridge stops.' }))
      await expect.poll(() => text).toContain('connection to the bridge lost')
      const again = await server.peer()
      await again.ready()
      await again.answer()
      await again.answer()
      const authorize = await again.message()
      expect(authorize.cmd).toBe('AUTHORIZE')
      again.write(errorFor(authorize, { code: 5000, message: 'OAuth2 Error: access_denied' }))
      expect((await game).code).toBe(1)
      expect(text).toContain('OAuth2 Error: access_denied (OAUTH2_ERROR)')
      await server.close()
      await at.remove()
    })

    test('sends each message once, also when it cannot know whether it was sent', async () => {
      const at = await folders()
      const lobby = await UncertainLobby.listen(at.runtime)
      const { code, text } = await play(at.runtime, () => {})
      await lobby.close()
      await at.remove()
      expect(code, text).toBe(0)
      expect(lobby.ships).toEqual(SHIPS)
      expect(text).toContain('53 crates ashore. Fair winds!')
    })

    test('is signed in, subscribed and shown again after the daemon was killed', async () => {
      const at = await folders()
      let daemon = await startDaemon(SOURCE, at)
      try {
        const restart = onceSaid('[2/12]', async () => {
          await daemon.kill()
          daemon = await startDaemon(SOURCE, at)
        })
        const { code, text } = await play(at.runtime, restart.onText, '--rounds', '12')
        await restart.done()
        expect(code, text).toBe(0)
        expect(text).toContain('connection to the bridge lost')
        // The sandbox of the new daemon knows only what came after the restart.
        await expect.poll(() => shown(daemon)).toContain('shown 200')
        expect(text).toMatch(/back after [\d.]+ s: signed in/)
      } finally {
        await daemon.stop()
        await at.remove()
      }
    })
  })
}
