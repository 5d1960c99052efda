/** The named pipe proven on the Windows side: the daemon's own transport, sessions and router under Wine, and games that talk to it over `\\.\pipe\discord-ipc-0`. */
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Daemon, type Folders, folders, SOURCE, startDaemon } from '../support/daemon.ts'
import {
  bundled,
  compiled,
  compiledBinding,
  compiledCsharp,
  compiledUnreal,
  type DaemonLine,
  linesOf,
  NO_COMPILER,
  readyLine,
} from './programs.ts'
import { findWine, type Running, start, stopAll } from './wine.ts'

/** Wine, npm and the first start of a prefix are slow; the pipe itself is not. */
const PREPARE_MS = 300_000
const PLAY_MS = 240_000
/** Where the platform shows a presence. */
const SHOWN = '/api/v10/users/@me/headless-sessions'

interface Line {
  readonly game: string
  readonly direction: 'in' | 'out' | 'end' | 'failed'
  readonly opcode: number
  readonly pieces?: number
  readonly head: string
  readonly body: {
    readonly cmd?: string
    readonly evt?: string | null
    readonly nonce?: string | null
    readonly data?: Record<string, unknown>
    readonly code?: number
  }
}

const found = await findWine()

/** What a listener that names its peers printed. */
interface PeerLine {
  readonly event: 'ready' | 'failed' | 'accepted' | 'bytes' | 'closed'
  readonly unknown?: string
  readonly connection?: number
  readonly pid?: number
  readonly kind?: string
  readonly executable?: string
  /** What the process says of itself. */
  readonly says?: number
  readonly read?: number
  readonly isSame?: boolean
}

/** Node has `node:ffi` from 26 on, and Wine runs that one from 10 on. */
const FIRST_NODE_WITH_FFI = 26

if ('missing' in found) {
  describe('the named pipe under Wine', () => {
    it('is served', (context) => context.skip(found.missing))
  })
} else {
  describe(`the named pipe under Wine ${found.version} with Node ${found.nodeVersion}`, () => {
    let daemon: Running
    let frames: readonly Line[]

    const said = () => linesOf(daemon.output()) as readonly DaemonLine[]
    const received = (game: string) => frames.filter((line) => line.game === game && line.direction === 'in')
    const answer = (nonce: string) => frames.find(({ direction, body }) => direction === 'in' && body.nonce === nonce)

    beforeAll(async () => {
      const [daemonFile, clientFile] = [await bundled('daemon-entry', found), await bundled('client-entry', found)]
      await stopAll(found)
      daemon = start(found, 'daemon', [found.node, daemonFile])
      const ready = await readyLine(daemon)
      if (ready.event !== 'ready') throw new Error(`the daemon did not start: ${ready.failure}`)
      const { code, output } = await start(found, 'client', [found.node, clientFile]).ended
      if (code !== 0) throw new Error(`the client ended with ${code}: ${output}`)
      frames = linesOf(output) as readonly Line[]
      console.log(
        frames
          .map(
            ({ game, direction, opcode, head, body }) => `${game} ${direction} ${opcode ?? ''} ${head ?? ''} ${JSON.stringify(body) ?? ''}`,
          )
          .join('\n'),
      )
      expect(frames.length, output).toBeGreaterThan(0)
    }, PREPARE_MS)

    afterAll(() => stopAll(found), PLAY_MS)

    it('listens on slot 0 of the pipe namespace', () => {
      const [ready] = said()
      expect(ready?.addresses).toHaveLength(1)
      expect(ready?.addresses?.[0]).toMatch(/^\\\\[.?]\\pipe\\discord-ipc-0$/)
    })

    it('answers a handshake with READY, in JSON and in msgpack', () => {
      for (const game of ['a', 'b']) {
        const [ready] = received(game)
        expect(ready?.opcode).toBe(1)
        expect(ready?.body).toMatchObject({ cmd: 'DISPATCH', evt: 'READY', data: { v: 1, user: { id: '1', username: 'player' } } })
      }
      // 0x01000000 is the opcode; then the length; then `{` of JSON, or a map of msgpack.
      expect(received('a')[0]?.head).toMatch(/^01000000[0-9a-f]{8}7b/)
      expect(received('b')[0]?.head).toMatch(/^01000000[0-9a-f]{8}(?:8|de)/)
    })

    it('sets the activity of two games at once', () => {
      expect(answer('a-1')?.body).toMatchObject({
        cmd: 'SET_ACTIVITY',
        evt: null,
        data: { details: 'Level 1', state: 'over a named pipe' },
      })
      expect(answer('b-1')?.body).toMatchObject({ cmd: 'SET_ACTIVITY', evt: null, data: { details: 'Map 1' } })
      const shown = said()
      expect(shown).toContainEqual({ event: 'presence', application: '1001', details: 'Level 1' })
      expect(shown).toContainEqual({ event: 'presence', application: '1002', details: 'Map 1' })
    })

    it('returns a PING as PONG with the same body', () => {
      expect(received('a').find(({ opcode }) => opcode === 4)?.body).toEqual({ beat: 1 })
    })

    it('answers an unknown command with an error and stays connected', () => {
      expect(answer('a-2')?.body).toMatchObject({ cmd: 'NO_SUCH_COMMAND', evt: 'ERROR', data: { code: 4002 } })
    })

    it('puts a frame together that came byte by byte', () => {
      expect(frames.find(({ direction, body }) => direction === 'out' && body.nonce === 'b-2')?.pieces).toBeGreaterThan(50)
      expect(answer('b-2')?.body).toMatchObject({ evt: null, data: { details: 'Map 2' } })
    })

    it('closes when a game closes, clears its presence, and serves the others on', () => {
      const closed = frames.findIndex(({ game, direction }) => game === 'a' && direction === 'end')
      expect(closed).toBeGreaterThan(0)
      expect(answer('b-3')?.body).toMatchObject({ evt: null, data: { details: 'Map 3' } })
      const shown = said()
      expect(shown).toContainEqual({ event: 'presence', application: '1001', details: null })
    })

    it('refuses another version with CLOSE 4004 and hangs up', () => {
      const [refused] = received('c')
      expect(refused?.opcode).toBe(2)
      expect(refused?.body).toMatchObject({ code: 4004 })
      expect(frames.some(({ game, direction }) => game === 'c' && direction === 'end')).toBe(true)
    })

    it('serves a C program that uses the Windows calls themselves', { timeout: PLAY_MS }, async (context) => {
      const program = await compiled(found, 'pipe-client')
      if (program === undefined) return context.skip(NO_COMPILER)
      const { code, output } = await start(found, 'pipe-client', [program]).ended
      console.log(output)
      expect(code).toBe(0)
      expect(output).toContain('"evt":"READY"')
      expect(output).toContain('"details":"From C"')
    })

    it('serves the C binding', { timeout: PLAY_MS }, async (context) => {
      const program = await compiledBinding(found, 'c-binding', 'tests/probe.c')
      if (program === undefined) return context.skip(NO_COMPILER)
      const words = ['-', '1', 'activity {"details":"From the C binding"}', 'call NO_SUCH_COMMAND', 'idle 20000', 'close']
      const { code, output } = await start(found, 'c-binding', [program, ...words]).ended
      console.log(output)
      expect(code).toBe(0)
      const lines = linesOf(output)
      expect(lines).toContainEqual(expect.objectContaining({ state: 'ready' }))
      expect(lines).toContainEqual(
        expect.objectContaining({ result: 1, code: 0, data: expect.objectContaining({ details: 'From the C binding' }) }),
      )
      expect(lines).toContainEqual(expect.objectContaining({ result: 2, code: 4002, name: 'INVALID_COMMAND' }))
      expect(lines).toContainEqual(expect.objectContaining({ state: 'closed' }))
      expect(lines).toContainEqual({ left: 0 })
    })

    it('is still running after all of that', () => {
      expect(daemon.child.exitCode).toBeNull()
    })
  })

  describe('Dockside for Windows, with the real daemon behind the named pipe', () => {
    let at: Folders
    let daemon: Daemon
    const sockets = new Set<Socket>()
    /** The relay under Wine comes here; its bytes go to the socket of the daemon. */
    const toDaemon = createServer((relay) => {
      const socket = connect(daemon.socket)
      for (const [from, to] of [
        [relay, socket],
        [socket, relay],
      ] as const) {
        sockets.add(from)
        from.on('error', () => to.destroy())
        from.pipe(to)
      }
    })

    beforeAll(async () => {
      await stopAll(found)
      at = await folders()
      daemon = await startDaemon(SOURCE, at)
      await new Promise<void>((done) => toDaemon.listen(0, '127.0.0.1', done))
    }, PREPARE_MS)
    afterAll(async () => {
      await stopAll(found)
      for (const socket of sockets) socket.destroy()
      toDaemon.close()
      await daemon.stop()
      await at.remove()
    }, PLAY_MS)

    /** What the platform was asked to show. */
    const shown = async (): Promise<readonly string[]> => {
      const { requests } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as {
        readonly requests: readonly { readonly path: string; readonly status: number }[]
      }
      return requests
        .filter(({ path }) => path.startsWith(SHOWN))
        .map(({ path, status }) => `${path === SHOWN ? 'shown' : 'ended'} ${status}`)
    }
    /** The pipe is served from the first game on. */
    let relay: Running | undefined
    const served = async (): Promise<void> => {
      const { port } = toDaemon.address() as AddressInfo
      relay ??= start(found, 'relay', [found.node, await bundled('relay-entry', found), String(port)])
      expect(await readyLine(relay)).toMatchObject({ event: 'ready' })
    }

    it('signs in, shows its presence, meets in a lobby and chats', { timeout: PREPARE_MS }, async (context) => {
      const program = await compiledBinding(found, 'dockside', 'examples/dockside.c')
      if (program === undefined) return context.skip(NO_COMPILER)
      await served()
      const { code, output } = await start(found, 'dockside', [program, '--fast']).ended
      expect(code, output).toBe(0)
      expect(output).toMatch(/pier 9, via \\\\[.?]\\pipe\\discord-ipc-0/)
      expect(output).toContain('asking for your permission')
      expect(output).toMatch(/signed in as \w+/)
      expect(output).toContain('Quiet Quorum: 9 crates of snow globes ashore')
      await expect.poll(shown).toContain('ended 204')
      expect(await shown()).toContain('shown 200')
    })

    it('plays the sample of the plugin for Unreal', { timeout: PREPARE_MS }, async (context) => {
      const program = await compiledUnreal(found)
      if (program === undefined) return context.skip('There is no mingw compiler for C++; install g++-mingw-w64-x86-64.')
      await served()
      const { code, output } = await start(found, 'unreal', [program, 'play']).ended
      expect(code, output).toBe(0)
      expect(output).toMatch(/LogSallyport: Log: Connected to \\\\\S+\\pipe\\discord-ipc-0\./)
      expect(output).toContain('53 crates ashore. Fair winds!')
      expect(output.trim().split(/\r?\n/).slice(-2)).toEqual(['tickers: 0', 'over'])
    })

    describe('in C# on .NET for Windows', () => {
      let programs: Awaited<ReturnType<typeof compiledCsharp>>
      beforeAll(async () => {
        await served()
        programs = await compiledCsharp(found)
      }, PREPARE_MS)

      it.for([
        { by: 'the class library', words: [], transport: 'named pipe' },
        { by: 'kernel32 alone', words: ['--native-pipe'], transport: 'named pipe by kernel32' },
      ])('plays by $by', { timeout: PREPARE_MS }, async ({ words, transport }, context) => {
        if ('missing' in programs) return context.skip(programs.missing)
        const given = [...programs.dockside, '--fast', '--secret', `pier ${words.length}`, ...words]
        const { code, output } = await start(found, 'dockside-csharp', given).ended
        expect(code, output).toBe(0)
        expect(output).toContain(`pier 9, via \\\\.\\pipe\\discord-ipc-0 (${transport})`)
        expect(output).toMatch(/signed in as \w+/)
        expect(output).toContain('Quiet Quorum: 9 crates of snow globes ashore')
        await expect.poll(shown).toContain('ended 204')
      })

      it('plays the sample of the package for Unity by kernel32', { timeout: PREPARE_MS }, async (context) => {
        if ('missing' in programs) return context.skip(programs.missing)
        const { code, output } = await start(found, 'unity-player', programs.player).ended
        expect(code, output).toBe(0)
        expect(output).toContain('log: Sallyport: connected to \\\\.\\pipe\\discord-ipc-0 (named pipe by kernel32).')
        expect(output).toContain('log: 53 crates ashore. Fair winds!')
        expect(output.trim().split(/\r?\n/).slice(-2)).toEqual(['stopped at once: True True', 'busy threads: 0'])
      })

      it('strains kernel32 without losing a call, a handle or a thread', { timeout: PREPARE_MS }, async (context) => {
        if ('missing' in programs) return context.skip(programs.missing)
        const { code, output } = await start(found, 'pipes', programs.pipes).ended
        expect(code, output).toBe(0)
        expect(output.trim().split(/\r?\n/)).toEqual([
          'by: named pipe by kernel32',
          'answers: 200',
          'presence: True',
          'handles stay: True',
          'busy: True',
          'at rest: True',
          'ended at once: True',
          'missing: True',
          'busy threads: 0',
        ])
      })
    })
  })

  describe('the process at the other end of a named pipe', () => {
    const ends = (name: string, words: readonly string[]) => start(found, name, words).ended

    it('is named exactly, held, and gone when it has handed its connection on', { timeout: PREPARE_MS }, async (context) => {
      if (Number.parseInt(found.nodeVersion, 10) < FIRST_NODE_WITH_FFI)
        return context.skip(`Wine ${found.version} runs no Node that has node:ffi, which names peers; Wine 10 does.`)
      const program = await compiled(found, 'peer-client')
      if (program === undefined) return context.skip(NO_COMPILER)
      const listener = start(found, 'peers', [found.node, await bundled('peers-entry', found)])
      const printed = () => linesOf(listener.output()) as readonly PeerLine[]
      expect(await readyLine(listener)).toEqual({ event: 'ready', node: `v${found.nodeVersion}` })

      // Three programs that connect twenty times each at the same time.
      const three = await Promise.all(['one', 'two', 'three'].map((name) => ends(name, [program, 'many', '20'])))
      for (const { code, output } of three) expect(code, output).toBe(0)
      const said = printed().filter(({ event }) => event === 'bytes')
      expect(said).toHaveLength(60)
      expect(new Set(said.map(({ pid }) => pid)).size).toBe(3)
      for (const { pid, says, read, isSame } of said) expect({ says, read, isSame }).toEqual({ says: pid, read: pid, isSame: true })
      for (const { kind, executable, isSame } of printed().filter(({ event }) => event === 'accepted')) {
        expect(executable).toMatch(/\\peer-client\.exe$/)
        expect({ kind, isSame }).toEqual({ kind: 'native', isSame: true })
      }

      expect((await ends('hand-on', [program, 'hand-on'])).code).toBe(0)
      await expect.poll(() => printed().at(-1), { timeout: PLAY_MS }).toMatchObject({ event: 'closed', connection: 61 })
      const heir = printed().find(({ event, connection }) => event === 'bytes' && connection === 61)
      expect(heir).toMatchObject({ isSame: false })
      expect(heir).not.toHaveProperty('read')
      expect(heir?.says).not.toBe(heir?.pid)
      expect(listener.child.exitCode).toBeNull()
    })

    afterAll(() => stopAll(found), PLAY_MS)
  })
}
