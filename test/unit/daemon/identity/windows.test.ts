import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fileAt } from '#daemon/src/identity/file-identity.ts'
import { openWindows } from '#daemon/src/identity/windows.ts'
import { fakeFfi } from './fake-ffi.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'windows-')))
afterAll(() => rmSync(directory, { recursive: true }))
const GAME = join(directory, 'game.exe')
const NODE = join(directory, 'Node.exe')
const SCRIPT = join(directory, 'a game.js')

const LOOP = 0x1000n
const CONNECTION = 0x2000n
const PIPE = 0xf0n
const OWN_PROCESS = 0xffff_ffff_ffff_ffffn
const BUFFER = 0x7f00_0000_0000n
const WAIT_TIMEOUT = 258
const [SERVER_END, CLIENT_END] = [1, 0]
const [MEDIUM, LOW] = [0x2000, 0x1000]

/** S-1-5-21-0-0-0-RELATIVE */
const sid = (relative: number): Buffer => {
  const bytes = Buffer.alloc(28)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt8(5, 1)
  bytes.writeUInt8(5, 7)
  bytes.writeUInt32LE(21, 8)
  bytes.writeUInt32LE(relative, 24)
  return bytes
}
/** S-1-16-LEVEL */
const label = (level: number): Buffer => Buffer.from([1, 1, 0, 0, 0, 0, 0, 16, level & 0xff, level >> 8, 0, 0])

interface FakeProcess {
  image: string | undefined
  line?: string
  user?: Buffer | undefined
  level?: number
  isInAppContainer?: boolean
  hasEnded?: boolean
}

/** The Windows of these tests: handles of processes are their PIDs plus 0x1000, and of tokens plus 0x10000. */
class FakeWindows {
  end = SERVER_END
  client: number | undefined = 77
  isRemote = false
  /** Where the system says that it put what a structure points to. */
  textAt = BUFFER + 16n
  readonly processes = new Map<number, FakeProcess>()
  readonly open = new Set<bigint>()

  #of(handle: bigint): FakeProcess {
    return this.processes.get(handle === OWN_PROCESS ? 1 : Number(handle & 0xfffn)) ?? { image: undefined, hasEnded: true }
  }

  ask() {
    return openWindows(
      fakeFfi(this.#functions(), {
        loop: LOOP,
        words: new Map([
          [LOOP + 24n, CONNECTION + 32n],
          [CONNECTION + 8n, LOOP],
        ]),
        bufferAt: BUFFER,
      }),
    )(-1)
  }

  #functions() {
    const answer = (into: Buffer, size: Buffer, bytes: Buffer): number => {
      bytes.copy(into)
      size.writeUInt32LE(bytes.length)
      return 1
    }
    const pointingTo = (bytes: Buffer): Buffer => {
      const whole = Buffer.alloc(16 + bytes.length)
      whole.writeBigUInt64LE(this.textAt)
      bytes.copy(whole, 16)
      return whole
    }
    const take = (handle: bigint): bigint => {
      this.open.add(handle)
      return handle
    }
    return {
      uv_handle_get_type: () => 7,
      uv_fileno: (_handle: bigint, found: Buffer) => (found.writeBigUInt64LE(PIPE), 0),
      GetNamedPipeInfo: (pipe: bigint, flags: Buffer) => (flags.writeUInt32LE(this.end), pipe === PIPE ? 1 : 0),
      GetNamedPipeClientProcessId: (pipe: bigint, pid: Buffer) => {
        if (pipe !== PIPE || this.client === undefined) return 0
        pid.writeUInt32LE(this.client)
        return 1
      },
      GetNamedPipeClientComputerNameW: () => (this.isRemote ? 1 : 0),
      OpenProcess: (access: number, _inherit: number, pid: number) =>
        access === 0x10_1000 && this.processes.has(pid) ? take(0x1000n + BigInt(pid)) : 0n,
      GetCurrentProcess: () => OWN_PROCESS,
      WaitForSingleObject: (handle: bigint, milliseconds: number) =>
        this.#of(handle).hasEnded === true || milliseconds !== 0 ? 0 : WAIT_TIMEOUT,
      QueryFullProcessImageNameW: (handle: bigint, _format: number, text: Buffer, size: Buffer) => {
        const { image } = this.#of(handle)
        if (image === undefined) return 0
        size.writeUInt32LE(text.write(image, 'utf16le') / 2)
        return 1
      },
      CloseHandle: (handle: bigint) => {
        if (!this.open.delete(handle)) throw new Error('closed twice')
        return 1
      },
      OpenProcessToken: (handle: bigint, access: number, token: Buffer) => {
        const { user } = this.#of(handle)
        if (access !== 8 || user === undefined) return 0
        token.writeBigUInt64LE(take(0x1_0000n + (handle === OWN_PROCESS ? 1n : handle & 0xfffn)))
        return 1
      },
      GetTokenInformation: (token: bigint, kind: number, into: Buffer, _bytes: number, size: Buffer) => {
        const { user, level = MEDIUM, isInAppContainer = false } = this.#of(token)
        if (kind === 1) return answer(into, size, pointingTo(user ?? Buffer.alloc(0)))
        if (kind === 25) return answer(into, size, pointingTo(label(level)))
        if (kind === 29) return answer(into, size, Buffer.from([isInAppContainer ? 1 : 0, 0, 0, 0]))
        return 0
      },
      NtQueryInformationProcess: (handle: bigint, kind: number, into: Buffer) => {
        const { line } = this.#of(handle)
        if (kind !== 60 || line === undefined) return -1_073_741_821
        const text = Buffer.from(line, 'utf16le')
        const whole = Buffer.alloc(16 + text.length)
        whole.writeUInt16LE(text.length)
        whole.writeBigUInt64LE(this.textAt, 8)
        text.copy(whole, 16)
        whole.copy(into)
        return 0
      },
    }
  }
}

describe('the process at the other end of a named pipe', () => {
  let windows: FakeWindows
  let game: FakeProcess

  beforeEach(() => {
    for (const path of [GAME, NODE, SCRIPT]) writeFileSync(path, path)
    windows = new FakeWindows()
    game = { image: GAME, user: sid(1001) }
    windows.processes.set(1, { image: NODE, user: sid(1001) }).set(77, game)
  })

  test('is named with its program, and has no user number when it is of this user', () => {
    const peer = windows.ask()
    expect(peer).toMatchObject({ pid: 77, kind: 'native', executable: GAME, file: fileAt(GAME) })
    expect(peer).not.toHaveProperty('uid')
    expect(peer?.process?.isUnchanged()).toBe(true)
    expect(peer?.process?.read((pid) => pid)).toBe(77)
  })

  test('is held by one handle until it is released, and nothing is read of it afterwards', () => {
    const peer = windows.ask()
    expect([...windows.open]).toEqual([0x1000n + 77n])
    peer?.process?.release()
    peer?.process?.release()
    expect(windows.open.size).toBe(0)
    expect(peer?.process?.isUnchanged()).toBe(false)
    expect(peer?.process?.read((pid) => pid)).toBeUndefined()
  })

  test('is not the same once it has ended, although its connection lives on in a child', () => {
    const peer = windows.ask()
    game.hasEnded = true
    expect(peer?.process?.isUnchanged()).toBe(false)
    expect(peer?.process?.read((pid) => pid)).toBeUndefined()
  })

  test('what is read while it ends does not count', () => {
    const peer = windows.ask()
    expect(
      peer?.process?.read((pid) => {
        game.hasEnded = true
        return pid
      }),
    ).toBeUndefined()
  })

  test('is not the same when its file has another content', () => {
    const peer = windows.ask()
    writeFileSync(GAME, 'another game')
    expect(peer?.process?.isUnchanged()).toBe(false)
  })

  test('of another user has that user’s number, by which it is refused, and is not held', () => {
    game.user = sid(1002)
    expect(windows.ask()).toEqual({ pid: 77, kind: 'unknown', uid: 1002 })
    expect(windows.open.size).toBe(0)
  })

  test('on another machine has a number that no process of this user has', () => {
    windows.isRemote = true
    expect(windows.ask()).toEqual({ uid: 2 })
    windows.client = undefined
    expect(windows.ask()).toEqual({ uid: 2 })
  })

  test.each([
    ['in an AppContainer', { isInAppContainer: true }],
    ['of low integrity', { level: LOW }],
  ])('%s is in a container', (_, confined) => {
    Object.assign(game, confined)
    expect(windows.ask()).toMatchObject({ pid: 77, kind: 'container', container: 'sandbox', executable: GAME, file: fileAt(GAME) })
  })

  test.each([
    ['may not be opened', () => windows.processes.delete(77)],
    ['does not say whose it is', () => Object.assign(game, { user: undefined })],
    ['has an answer that points out of its buffer', () => Object.assign(windows, { textAt: 8n })],
  ])('that %s is unknown and not held', (_, happens) => {
    happens()
    expect(windows.ask()).toEqual({ pid: 77, kind: 'unknown' })
    expect(windows.open.size).toBe(0)
  })

  test('without a path is unknown', () => {
    game.image = undefined
    const peer = windows.ask()
    expect(peer).toMatchObject({ pid: 77 })
    expect(peer).not.toHaveProperty('executable')
    expect(peer?.process?.isUnchanged()).toBe(false)
  })

  test('that runs an interpreter is its script', () => {
    Object.assign(game, { image: NODE, line: `"${NODE}" --no-warnings "${SCRIPT}" --level 3` })
    expect(windows.ask()).toMatchObject({
      kind: 'script',
      executable: SCRIPT,
      file: fileAt(SCRIPT),
      interpreter: { executable: NODE, file: fileAt(NODE) },
    })
  })

  test.each([
    ['without a readable command line', undefined],
    ['that was given its code as text', 'node.exe -e "run()"'],
    ['with a script path relative to an unknown folder', 'node.exe game.js'],
    ['whose script is not there', `node.exe ${join(directory, 'gone.js')}`],
  ])('that runs an interpreter %s is unknown', (_, line) => {
    Object.assign(game, { image: NODE, ...(line === undefined ? {} : { line }) })
    expect(windows.ask()).toMatchObject({ pid: 77, kind: 'unknown', executable: NODE })
  })

  test.each([
    ['our end is not the server’s', () => Object.assign(windows, { end: CLIENT_END })],
    ['no client is connected', () => Object.assign(windows, { client: undefined })],
  ])('is unknown when %s', (_, happens) => {
    happens()
    expect(windows.ask()).toBeUndefined()
  })

  test('no more handles are open after many connections than before', () => {
    for (let count = 0; count < 100; count++) windows.ask()?.process?.release()
    expect(windows.open.size).toBe(0)
  })
})

test('a system without the functions cannot be opened', () => {
  expect(() => openWindows(fakeFfi({}))).toThrow()
})
