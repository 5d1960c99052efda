import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fileAt } from '#daemon/src/identity/file-identity.ts'
import { openMac } from '#daemon/src/identity/macos.ts'
import { wordsOf } from '#daemon/src/identity/macos-process.ts'
import { fakeFfi } from './fake-ffi.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'macos-')))
afterAll(() => rmSync(directory, { recursive: true }))
const GAME = join(directory, 'Game.app')
const PYTHON = join(directory, 'Python')
const SCRIPT = join(directory, 'scripts', 'game.py')

const FD = 9
const SOL_LOCAL = 0
const [PEERUUID, PEERTOKEN] = [4, 6]
const [VNODE_PATHS, UNIQUE] = [9, 17]

/** The Mac of these tests: one connection, and the processes that may use it. */
class FakeMac {
  connectedBy: number | undefined = 501
  /** PID and version of the process that used the connection last. */
  user: { pid: number; version: number; euid: number } | undefined = { pid: 77, version: 5, euid: 501 }
  usedBy = 'game'
  runs = 'game'
  path = GAME
  isSandboxed = false
  words: readonly string[] = []
  folder = ''

  ask() {
    return openMac(fakeFfi(this.#functions()))(FD)
  }

  #isThis(pid: number): boolean {
    return this.user?.pid === pid
  }

  #functions() {
    const uuid = (name: string): Buffer => Buffer.alloc(16, name)
    const give = (value: Buffer, length: Buffer, from: Buffer): number => {
      from.copy(value)
      length.writeUInt32LE(from.length)
      return 0
    }
    return {
      getpeereid: (fd: number, uid: Buffer) =>
        fd === FD && this.connectedBy !== undefined ? (uid.writeUInt32LE(this.connectedBy), 0) : -1,
      getsockopt: (fd: number, level: number, name: number, value: Buffer, length: Buffer) => {
        if (fd !== FD || level !== SOL_LOCAL || this.user === undefined) return -1
        if (name === PEERUUID) return give(value, length, uuid(this.usedBy))
        if (name !== PEERTOKEN) return -1
        const token = Buffer.alloc(32)
        token.writeUInt32LE(this.user.euid, 4)
        token.writeInt32LE(this.user.pid, 20)
        token.writeInt32LE(this.user.version, 28)
        return give(value, length, token)
      },
      proc_pidpath_audittoken: (token: Buffer, path: Buffer) =>
        token.readInt32LE(20) === this.user?.pid && token.readInt32LE(28) === this.user.version ? path.write(this.path) : 0,
      proc_pidinfo: (pid: number, flavor: number, _argument: bigint, value: Buffer, bytes: number) => {
        if (!this.#isThis(pid)) return 0
        if (flavor === UNIQUE && bytes === 56) uuid(this.runs).copy(value)
        else if (flavor === VNODE_PATHS && bytes === 2352) value.write(`${this.folder}\0/elsewhere`, 152)
        else return 0
        return bytes
      },
      sandbox_check: (pid: number, operation: null, kind: number) =>
        this.#isThis(pid) && operation === null && kind === 0 && !this.isSandboxed ? 0 : 1,
      sysctl: (name: Buffer, count: number, value: Buffer, length: Buffer) => {
        const [top, kind, pid] = [name.readInt32LE(0), name.readInt32LE(4), name.readInt32LE(8)]
        if (count !== 3 || top !== 1 || kind !== 49 || !this.#isThis(pid)) return -1
        value.writeInt32LE(this.words.length)
        const bytes = 4 + value.write(`${this.path}\0\0\0\0${this.words.join('\0')}\0HOME=/somewhere\0`, 4)
        length.writeBigUInt64LE(BigInt(bytes))
        return 0
      },
    }
  }
}

describe('the process at the other end of a local socket on macOS', () => {
  let mac: FakeMac

  beforeEach(() => {
    mkdirSync(join(directory, 'scripts'), { recursive: true })
    for (const path of [GAME, PYTHON, SCRIPT]) writeFileSync(path, path)
    mac = new FakeMac()
  })

  test('is named with its user and program', () => {
    const peer = mac.ask()
    expect(peer).toMatchObject({ uid: 501, pid: 77, kind: 'native', executable: GAME, file: fileAt(GAME) })
    expect(peer?.process?.isUnchanged()).toBe(true)
    expect(peer?.process?.read((pid) => pid)).toBe(77)
  })

  test.each([
    ['has ended', { user: undefined }],
    ['has ended, and its number names another', { user: { pid: 77, version: 9, euid: 501 } }],
    ['runs another program', { runs: 'other' }],
    ['handed the connection to a child, which uses it', { user: { pid: 78, version: 6, euid: 501 }, usedBy: 'other' }],
  ])('is not the same once it %s', (_, happens) => {
    const peer = mac.ask()
    Object.assign(mac, happens)
    expect(peer?.process?.isUnchanged()).toBe(false)
    expect(peer?.process?.read((pid) => pid)).toBeUndefined()
  })

  test('is not the same when its file has another content, or it moved', () => {
    const peer = mac.ask()
    writeFileSync(GAME, 'another game')
    expect(peer?.process?.isUnchanged()).toBe(false)
    const other = mac.ask()
    expect(other?.process?.isUnchanged()).toBe(true)
    mac.path = PYTHON
    expect(other?.process?.isUnchanged()).toBe(false)
  })

  test('is never asked for after it was released, since the descriptor may be of another connection', () => {
    const peer = mac.ask()
    peer?.process?.release()
    expect(peer?.process?.isUnchanged()).toBe(false)
    expect(peer?.process?.read((pid) => pid)).toBeUndefined()
  })

  test('that became another program before it was asked for is not taken for that program', () => {
    mac.runs = 'allowed game'
    const peer = mac.ask()
    expect(peer).not.toHaveProperty('executable')
    expect(peer?.process?.isUnchanged()).toBe(false)
  })

  test('in a sandbox of the system is in a container', () => {
    mac.isSandboxed = true
    expect(mac.ask()).toMatchObject({ kind: 'container', container: 'sandbox', executable: GAME, file: fileAt(GAME) })
  })

  test.each([
    ['has ended before it was asked for', { user: undefined }],
    ['belongs to another user than the one who connected', { user: { pid: 77, version: 5, euid: 502 } }],
  ])('that %s is known by its user alone', (_, happens) => {
    Object.assign(mac, happens)
    expect(mac.ask()).toEqual({ uid: 501 })
  })

  test('is unknown for a descriptor that is no socket', () => {
    mac.connectedBy = undefined
    expect(mac.ask()).toBeUndefined()
  })

  test.each([
    ['by its path', [PYTHON, '-u', SCRIPT, '-x'], '/'],
    ['from its folder', ['python3', 'game.py'], join(directory, 'scripts')],
  ])('that runs an interpreter is its script, named %s', (_, words, folder) => {
    Object.assign(mac, { path: PYTHON, words, folder })
    expect(mac.ask()).toMatchObject({
      kind: 'script',
      executable: SCRIPT,
      file: fileAt(SCRIPT),
      interpreter: { executable: PYTHON, file: fileAt(PYTHON) },
    })
  })

  test.each([
    ['was given its code as text', ['python3', '-c', 'run()'], directory],
    ['has a script that is not there', ['python3', 'gone.py'], directory],
    ['does not say its folder', ['python3', 'game.py'], ''],
  ])('that runs an interpreter and %s is unknown', (_, words, folder) => {
    Object.assign(mac, { path: PYTHON, words, folder })
    expect(mac.ask()).toMatchObject({ pid: 77, kind: 'unknown', executable: PYTHON })
  })
})

describe('the command line as the system gives it', () => {
  const given = (count: number, text: string): Buffer => Buffer.concat([Buffer.from(Int32Array.of(count).buffer), Buffer.from(text)])

  test('has its words behind the path and zeros, and the environment behind them', () => {
    expect(wordsOf(given(3, '/bin/x\0\0\0x\0--a b\0\0A=1\0'))).toEqual(['x', '--a b', ''])
  })

  test.each([
    ['is cut', given(3, '/bin/x\0\0x\0y')],
    ['has no end of its path', given(1, '/bin/x')],
    ['says less than how many words there are', Buffer.alloc(2)],
    ['says that there are fewer than none', given(-5, '/bin/x\0x')],
  ])('is not known when it %s', (_, bytes) => {
    expect(wordsOf(bytes)).toBeUndefined()
  })
})

test('a system without the functions cannot be opened', () => {
  expect(() => openMac(fakeFfi({}))).toThrow()
})
