/** The C# binding under mono: its own tests, the main thread of a game, and the program of its page with the real daemon. */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ERRORS } from '@sallyport/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnsweringServer } from '../proofs/answering-server.ts'
import { CSHARP_BINDING, buildCsharp, buildCsharpInside, csharpObstacle, csharpProgram, csharpSources } from '#test/support/csharp-build.ts'
import { ended } from '#test/support/ended.ts'
import { type Call, errorFor, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { cleanEnvironment, folders, SOURCE, startDaemon } from './support/daemon.ts'
import { onceSaid, playDockside, playInvited, shown } from './support/dockside.ts'
import { playUnknownOutcome } from './support/unknown-outcome.ts'

const run = promisify(execFile)
const COMPILE_MS = 120_000
const FRAMES = '100000'
const USER = { user: { id: '77', username: 'ada' } }
/** RATE_LIMITED: a sign-in that may succeed later. */
const LATER = { code: ERRORS.RATE_LIMITED.code, message: 'Later.' }

/** The program of the page. */
const programOfPage = async (): Promise<string> =>
  /```csharp\n([\s\S]*?)```/.exec(await readFile(join(CSHARP_BINDING, 'README.md'), 'utf8'))?.[1] ?? ''

test('the C# binding needs no reflection and no define', () => {
  for (const path of csharpSources())
    expect(readFileSync(path, 'utf8'), path).not.toMatch(/System\.Reflection|typeof\(|GetType\(|\bdynamic |^\s*#if/m)
})

test('kernel32 gets arguments that are passed as they are, and never calls back', { tags: ['9.1-7'] }, () => {
  const signatures = ['KernelPipe', 'WindowsTransport'].flatMap((name) => [
    ...readFileSync(join(CSHARP_BINDING, `src/${name}.cs`), 'utf8').matchAll(/static extern (\w+) (\w+)\(([^)]*)\)/g),
  ])
  expect(signatures.length).toBeGreaterThan(10)
  for (const [text, result, , parameters = ''] of signatures) {
    expect(result, text).toMatch(/^(?:int|uint|IntPtr)$/)
    for (const parameter of parameters.split(',').filter((one) => one.trim() !== ''))
      expect(parameter.trim(), text).toMatch(/^(?:out )?(?:int|uint|IntPtr) \w+$/)
  }
})

if (csharpObstacle !== undefined) {
  test('the C# binding', (context) => context.skip(csharpObstacle))
} else {
  let programs: string
  const lines = async (name: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const [mono, ...words] = csharpProgram(programs, name, ...args)
    const { stdout } = await run(mono, words).catch((failure: unknown) => failure as { readonly stdout: string })
    return stdout.trim().split('\n')
  }
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'sps-'))
    await writeFile(join(programs, 'readme.cs'), await programOfPage())
    await buildCsharp(programs, {
      reads: 'tests/ReadsRecords.cs',
      main: 'tests/MainThread.cs',
      held: 'tests/HeldCalls.cs',
      readme: join(programs, 'readme.cs'),
      dockside: 'examples/Dockside.cs',
    })
    await buildCsharpInside(programs, 'unit', 'tests/Unit.cs', 'tests/UnitKeys.cs')
  }, COMPILE_MS)
  afterAll(() => rm(programs, { recursive: true, force: true }))

  describe('the C# binding', () => {
    test('reads records', async () => {
      expect(await lines('reads')).toEqual([
        '18446744073709551615 8 ahoy 1 0',
        'ada True pier',
        'True True True',
        'online {"name":"Dockside","party":{"size":[1,4]}}',
        '{"activity":{"details":"Unloading","party":{"id":"p","size":[1,4]}}}',
        'ACTIVITY_INVITE_USER {"user_id":"5","type":1,"pid":42,"content":null,"newer":true} 5 p True',
        `SET_ACTIVITY ${ERRORS.INVALID_TOKEN.code} 1.0 provisional`,
      ])
    })

    test('passes its unit tests', async () => {
      const printed = await lines('unit')
      expect(printed.filter((line) => /^not ok|^#/.test(line))).toEqual([])
      const passed = printed.filter((line) => line.startsWith('ok '))
      expect(passed.length).toBeGreaterThan(10)
      expect(printed.at(-1)).toBe(`1..${passed.length}`)
    })

    test('calls back on the main thread, and quits while that thread is blocked', async () => {
      const server = await AnsweringServer.listen()
      try {
        expect(await lines('main', server.runtime)).toEqual([
          'not available: Offline True',
          'tries again: True',
          'ready: True',
          'answer: {"n":7} True',
          'callback: True',
          'states: Connecting Ready True',
          'cancelled: True',
          'timed out: True',
          'disposed: True',
          'quit: True True True True',
          'busy threads: 0',
        ])
      } finally {
        await server.close()
      }
    })

    test('repeats writes with the arguments that they had, and not while a sign-in has no answer', async () => {
      const at = await folders()
      const server = await ScriptedServer.listen(at.runtime)
      try {
        const printed = lines('held', at.runtime)
        const before = await server.peer()
        await before.ready({ call_keys: true })
        await before.answer(USER)
        const writes = [await before.message(), await before.message()]
        before.socket.destroy()
        const peer = await server.peer()
        await peer.ready({ call_keys: true })
        peer.write(errorFor(await peer.message(), LATER))
        const [signIn, other] = [await peer.message(), await peer.message()]
        peer.write(responseTo(signIn, USER))
        /** Answers the next call that is no sign-in: the client itself signs in again too, once some time has passed. */
        const answer = async (data: unknown): Promise<Call> => {
          const call = await peer.message()
          const isSignIn = call.cmd === 'AUTHENTICATE'
          peer.write(isSignIn ? errorFor(call, LATER) : responseTo(call, data))
          return isSignIn ? answer(data) : call
        }
        const unheld = await answer({})
        peer.write(errorFor(other, LATER))
        const repeats = [await answer('one'), await answer('two')]
        expect([...writes, unheld, ...repeats].map(({ cmd, key, args }) => [cmd, key, args.content])).toEqual([
          ['SEND_LOBBY_MESSAGE', writes[0]?.key, 'first'],
          ['SEND_LOBBY_MESSAGE', writes[1]?.key, 'second'],
          ['GET_LOBBY', undefined, undefined],
          ['SEND_LOBBY_MESSAGE', writes[0]?.key, 'first'],
          ['SEND_LOBBY_MESSAGE', writes[1]?.key, 'second'],
        ])
        expect(await printed).toEqual([
          'GET_LOBBY: INVALID_PAYLOAD the collection was changed',
          'SEND_LOBBY_MESSAGE: INVALID_PAYLOAD the collection was changed',
          'first: "one"',
          'second: "two"',
        ])
      } finally {
        await server.close()
        await at.remove()
      }
    })

    test('runs the program of its page, also before the daemon starts and after it was killed', async () => {
      const at = await folders()
      const [mono, ...words] = csharpProgram(programs, 'readme', FRAMES)
      const game = spawn(mono, words, { env: { ...cleanEnvironment(), XDG_RUNTIME_DIR: at.runtime }, stdio: ['ignore', 'pipe', 'inherit'] })
      let text = ''
      game.stdout.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
      try {
        await expect.poll(() => text).toMatch(/Waiting no server was found/)
        let daemon = await startDaemon(SOURCE, at)
        await expect.poll(() => text).toMatch(/Ready[^]*signed in as \w+/)
        await daemon.kill()
        await expect.poll(() => text).toMatch(/Ready[^]*Waiting/)
        daemon = await startDaemon(SOURCE, at)
        await expect.poll(() => text).toMatch(/Ready[^]*Waiting[^]*Ready/)
        await daemon.stop()
      } finally {
        game.kill('SIGKILL')
        await ended(game)
        await at.remove()
      }
    })
  })

  describe('Dockside in C#', () => {
    const play = (runtime: string, onText: (all: string) => void = () => {}, ...more: readonly string[]) =>
      playDockside(csharpProgram(programs, 'dockside', '--fast', '--runtime-dir', runtime, ...more), { onText })

    test('signs in, shows its presence, meets in a lobby and chats', async () => {
      const at = await folders()
      const daemon = await startDaemon(SOURCE, at)
      try {
        const text = await play(at.runtime)
        expect(text).toMatch(/pier 9, via \S+discord-ipc-0 \(Unix socket\)/)
        expect(text).toContain('a browser page may open')
        expect(text).toMatch(/signed in as \w+/)
        expect(text).toContain('Quiet Quorum: 9 crates of snow globes ashore')
        expect(text).toContain('53 crates ashore. Fair winds!')
        await expect.poll(() => shown(daemon)).toContain('ended 204')
        expect(await shown(daemon)).toContain('shown 200')
      } finally {
        await daemon.stop()
        await at.remove()
      }
    })

    test('listens for friends', async () => {
      const at = await folders()
      const { subscriptions } = await playInvited(csharpProgram(programs, 'dockside', '--fast'), at.runtime, /a friend joins the pier/)
      expect(subscriptions).toEqual(['AUTHORIZE_REQUEST', 'ACTIVITY_JOIN'])
      await at.remove()
    })

    test('reads the history after an unknown outcome, so that each line is there once', async () => {
      const at = await folders()
      const { text, lines: sent, keys } = await playUnknownOutcome(csharpProgram(programs, 'dockside', '--fast'), at.runtime)
      expect(text).toContain('53 crates ashore. Fair winds!')
      expect(sent).toEqual(['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum'])
      expect(new Set(keys).size).toBe(sent.length + 1)
      await at.remove()
    })

    test('is signed in and shown again after the daemon was killed', async () => {
      const at = await folders()
      let daemon = await startDaemon(SOURCE, at)
      try {
        const restart = onceSaid('[2/12]', async () => {
          await daemon.kill()
          daemon = await startDaemon(SOURCE, at)
        })
        const text = await play(at.runtime, restart.onText, '--rounds', '12')
        await restart.done()
        expect(text).toContain('connection to the bridge lost')
        expect(text).toMatch(/back after [\d.]+ s: signed in as \w+/)
        expect(text).toMatch(/\d+ crates ashore\. Fair winds!/)
        // The sandbox of the new daemon knows only what came after the restart.
        await expect.poll(() => shown(daemon)).toContain('shown 200')
      } finally {
        await daemon.stop()
        await at.remove()
      }
    })
  })
}
