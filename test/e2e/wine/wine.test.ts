/** The named pipe proven on the Windows side: the daemon's own transport, sessions and router under Wine, and games that talk to it over `\\.\pipe\discord-ipc-0`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../../daemon/packaging/bundle.ts'
import { BINDING, sources, WARNINGS } from '../../support/c-build.ts'
import { findWine, type Running, start, stopAll, type Wine } from './wine.ts'

/** Wine, npm and the first start of a prefix are slow; the pipe itself is not. */
const PREPARE_MS = 300_000
const PLAY_MS = 90_000
const READY_POLL_MS = 50

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

/** What a program printed, one value a line. */
const linesOf = (text: string): readonly object[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as object)

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

interface DaemonLine {
  readonly event: 'ready' | 'failed' | 'presence'
  readonly addresses?: readonly string[]
  readonly failure?: string
  readonly application?: string
  readonly details?: string | null
}

async function bundled(name: string, wine: Wine): Promise<string> {
  const outfile = join(wine.outputs, `${name}.cjs`)
  await bundle({ entry: join(import.meta.dirname, `${name}.ts`), outfile, target: `node${wine.nodeVersion.split('.')[0]}` })
  return outfile
}

/** Waits until the daemon has said where it listens. */
async function readyLine(daemon: Running): Promise<DaemonLine> {
  const over = daemon.ended.then(() => true)
  for (;;) {
    const [first] = linesOf(daemon.output()) as readonly DaemonLine[]
    if (first !== undefined) return first
    const ended = await Promise.race([over, new Promise<false>((tick) => setTimeout(tick, READY_POLL_MS, false))])
    if (ended) throw new Error(`the daemon ended before it listened: ${daemon.output()}`)
  }
}

const NO_COMPILER = 'There is no mingw compiler to build the C client with; install gcc-mingw-w64-x86-64.'

/** Builds a client that no Node is in, when a compiler for Windows is there. */
const compiled = (wine: Wine, name: string): Promise<string | undefined> => {
  const program = join(wine.outputs, `${name}.exe`)
  return promisify(execFile)('x86_64-w64-mingw32-gcc', ['-O2', '-s', '-Wall', '-o', program, join(import.meta.dirname, `${name}.c`)]).then(
    () => program,
    () => undefined,
  )
}

/** The probe of the C binding, for Windows. */
const compiledBinding = (wine: Wine): Promise<string | undefined> => {
  const program = join(wine.outputs, 'c-binding.exe')
  const files = [...sources(), join(BINDING, 'tests/probe.c')]
  const words = ['-O2', '-s', ...WARNINGS, `-I${join(BINDING, 'include')}`, ...files, '-lbcrypt', '-ladvapi32', '-o', program]
  return promisify(execFile)('x86_64-w64-mingw32-gcc', words).then(
    () => program,
    () => undefined,
  )
}

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
      const program = await compiledBinding(found)
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
