import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HeldServer } from '@sallyport/core/net/held-server'
import { BRIDGE_IN_PREFIX } from '#daemon/src/identity/wine-program.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { introduced, readClaim } from '#daemon/src/ipc/transport/wine-introduction.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const OPCODE = 0x57_49_4e_45

let folder: string
let game: string
let clock: FakeClock
let log: RecordingLog
let held: HeldServer<PeerIdentity>
let released: number
let peer: PeerIdentity
const clients: Socket[] = []

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'intro-')))
  game = join(folder, 'game.exe')
  writeFileSync(game, '')
  const executable = join(folder, BRIDGE_IN_PREFIX)
  mkdirSync(join(executable, '..'), { recursive: true })
  released = 0
  const handle = { pid: 7, isUnchanged: () => true, read: () => undefined, release: () => void released++ }
  const interpreter = { executable: '/games/steamapps/common/Proton 9.0/files/bin/wine64', file: '1:1:1:1:1' }
  peer = { trust: 'kernel', uid: 5, pid: 7, kind: 'script', executable, file: '1:2:3:4:5', interpreter, process: handle }
  clock = new FakeClock()
  log = new RecordingLog()
  held = await HeldServer.listen<PeerIdentity>(
    { path: join(folder, 's') },
    { identify: () => peer, release: (one) => one.process?.release(), onNeeded: () => {} },
  )
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await held.close()
  rmSync(folder, { recursive: true })
})

function frame(value: unknown, opcode = OPCODE): Buffer {
  const payload = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  const header = Buffer.alloc(8)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(payload.length, 4)
  return Buffer.concat([header, payload])
}
const claim = () => ({ version: 1, pid: 32, program: String.raw`C:\game.exe`, file: game })

async function open(): Promise<Socket> {
  const socket = connect(join(folder, 's')).on('error', () => {})
  clients.push(socket)
  await once(socket, 'connect')
  return socket
}

/** The first connection that is served. */
function served(): Promise<{ socket: Socket; named: PeerIdentity }> {
  return new Promise((resolve) => introduced(held, { clock, log }).serve((socket, named) => resolve({ socket, named })))
}

async function receive(socket: Socket, bytes: number): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.length >= bytes) return text
  }
  return text
}

test('the peer is the named program with the process of the bridge, and the bytes behind the introduction are its own', async () => {
  const next = served()
  const socket = await open()
  const bytes = Buffer.concat([frame(claim()), Buffer.from('hello')])
  // In any pieces.
  for (const byte of bytes) {
    socket.write(Buffer.of(byte))
    await new Promise(setImmediate)
  }
  const { socket: accepted, named } = await next
  expect(named).toMatchObject({ trust: 'kernel', uid: 5, pid: 7, kind: 'wine', executable: game, process: peer.process })
  expect(await receive(accepted, 5)).toBe('hello')
  expect(released).toBe(0)
})

test('a connection that waited is served with what it has sent', async () => {
  const socket = await open()
  socket.write(Buffer.concat([frame(claim()), Buffer.from('early')]))
  await expect.poll(() => held.server.listening && socket.bytesWritten > 0).toBe(true)
  const { socket: accepted } = await served()
  expect(await receive(accepted, 5)).toBe('early')
})

describe('a connection closes, and its process is released,', () => {
  const refused = async (send: (socket: Socket) => void) => {
    introduced(held, { clock, log }).serve(() => expect.unreachable())
    const socket = await open()
    // Not `once`, which rejects at a reset.
    const closed = new Promise<void>((done) => void socket.resume().on('close', () => done()))
    send(socket)
    await closed
    await expect.poll(() => released).toBe(1)
  }
  test.each<[string, () => Buffer]>([
    ['for another opcode', () => frame(claim(), 0)],
    ['for no content', () => frame('')],
    ['for a length above the limit', () => frame('x'.repeat(5000))],
    ['for no JSON', () => frame('{')],
    ['for another version', () => frame({ ...claim(), version: 2 })],
    ['for paths that are no text', () => frame({ ...claim(), file: 1 })],
  ])('%s', async (_, bytes) => {
    await refused((socket) => socket.write(bytes()))
    expect(log.lines).toEqual([{ level: 'warn', event: 'wine-introduction-refused', fields: { pid: 7 } }])
  })
  test('at the end of the stream in the middle of a frame', async () => {
    await refused((socket) => socket.end(frame(claim()).subarray(0, 20)))
  })
  test('at the deadline', async () => {
    await refused((socket) => {
      socket.write('x')
      void expect
        .poll(() => clock.pending)
        .toBe(1)
        .then(() => clock.advance(10_000))
    })
  })
  test('for a peer that is no program in Wine', async () => {
    peer = { ...peer, kind: 'native' }
    await refused((socket) => socket.write(frame(claim())))
  })
})

test('a claim has two texts', () => {
  expect(readClaim(Buffer.from('{"version":1,"program":"","file":""}'))).toEqual({ program: '', file: '' })
  expect(readClaim(Buffer.from('[]'))).toBeUndefined()
})
