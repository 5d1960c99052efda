/** Input that has killed servers of this protocol. After each, a new game must still be served. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '#test/support/ended.ts'
import { BenchClient } from '../client.ts'
import { type Contestant, type ContestantName } from '../contestants/contestants.ts'
import { frame, OPCODE, plainHandshake, setActivity } from '../frames.ts'
import { memory } from '../process-figures.ts'
import type { Bench, Row } from '../row.ts'
import { exactly } from '../targets.ts'

const MIB = 1024 * 1024
/** A server that is still alive answers long before. */
const ANSWER_MS = 2_000
/** Time in which a connection may close by itself. */
const LET_GO_MS = 100
const FLOOD_BYTES = 64 * MIB
const BLOCKED_MS = 150
const PINGS = 20_000

const header = (opcode: number, length: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(opcode, 0)
  bytes.writeUInt32LE(length, 4)
  return bytes
}
const call = (message: unknown): Buffer => frame(OPCODE.FRAME, JSON.stringify(message))
const setWith = (activity: unknown): Buffer => call({ cmd: 'SET_ACTIVITY', args: { pid: 1, activity }, nonce: 'n' })
const afterHandshake = (bytes: Buffer): Buffer => Buffer.concat([plainHandshake(), bytes])
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** What is written on a connection of its own. */
const INPUTS: Readonly<Record<string, Buffer>> = {
  'frame body null': afterHandshake(frame(OPCODE.FRAME, 'null')),
  'frame body not JSON': afterHandshake(frame(OPCODE.FRAME, '{')),
  'frame body nested deeply': afterHandshake(frame(OPCODE.FRAME, nested(20_000))),
  'SET_ACTIVITY without args': afterHandshake(call({ cmd: 'SET_ACTIVITY', nonce: 'n' })),
  'buttons that are text': afterHandshake(setWith({ buttons: 'x' })),
  'a start of null': afterHandshake(setWith({ timestamps: { start: null } })),
  'INVITE_BROWSER without args': afterHandshake(call({ cmd: 'INVITE_BROWSER', nonce: 'n' })),
  'a ping before the handshake': frame(OPCODE.PING, '{}'),
  '20,000 pings in one write': afterHandshake(Buffer.concat(Array.from({ length: PINGS }, () => frame(OPCODE.PING, '1')))),
  'a length of 4 GiB': header(OPCODE.FRAME, 0xffff_ffff),
  'a negative length after READY': afterHandshake(header(OPCODE.FRAME, 0x8000_0000)),
  'opcode 99': afterHandshake(header(99, 0)),
  'opcode -1': header(-1, 0),
  'a second handshake': afterHandshake(plainHandshake()),
  'a frame before the handshake': setActivity(0),
  'a client id that is a path': frame(OPCODE.HANDSHAKE, JSON.stringify({ v: 1, client_id: '../../etc' })),
  'a handshake of null': frame(OPCODE.HANDSHAKE, 'null'),
  'half a header': header(OPCODE.HANDSHAKE, 0).subarray(0, 4),
  'half a frame': afterHandshake(setActivity(0).subarray(0, 40)),
}

const untilClosed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve())
  })

/** Writes, gives the server a moment, and vanishes without a word. */
async function attack(path: string, bytes: Buffer): Promise<void> {
  const socket = connect(path)
  socket.on('error', () => {})
  socket.resume()
  socket.write(bytes)
  await Promise.race([untilClosed(socket), pause(LET_GO_MS)])
  socket.destroy()
}

/** Calls without ever reading an answer, until the server takes no more. */
async function neverRead(path: string): Promise<void> {
  const socket = connect(path)
  socket.on('error', () => {})
  socket.pause()
  socket.write(plainHandshake())
  const chunk = Buffer.concat(Array.from({ length: 128 }, (_, index) => setActivity(index)))
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += chunk.length) {
    if (socket.write(chunk)) continue
    const isTaken = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('drain', () => resolve(true))),
      pause(BLOCKED_MS, false),
    ])
    if (!isTaken) break
  }
  socket.destroy()
}

async function serves({ pid, path }: Contestant): Promise<boolean> {
  if (!isAlive(pid)) return false
  const served = async (): Promise<boolean> => {
    const client = await BenchClient.open(path, plainHandshake())
    await client.exchange(setActivity(0), 1)
    client.close()
    return true
  }
  return Promise.race([served().catch(() => false), pause(ANSWER_MS, false, { ref: false })])
}

interface Outcome {
  readonly survived: number
  readonly killers: readonly string[]
  /** Bytes of RSS that the worst moment added. */
  readonly peak: number
}

async function ordeal({ ground }: Bench, name: ContestantName): Promise<Outcome> {
  const attacks = [
    ...Object.entries(INPUTS).map(([what, bytes]) => ({ what, run: (path: string) => attack(path, bytes) })),
    { what: 'a peer that never reads', run: neverRead },
  ]
  let server = await ground.start(name)
  let before = memory(server.pid).rss
  let peak = 0
  const killers: string[] = []
  for (const { what, run } of attacks) {
    await run(server.path)
    const isServing = await serves(server)
    if (isServing) {
      peak = Math.max(peak, memory(server.pid).peak - before)
      continue
    }
    killers.push(what)
    await server.stop()
    server = await ground.start(name)
    before = memory(server.pid).rss
  }
  await server.stop()
  return { survived: attacks.length - killers.length, killers, peak }
}

const ALL = Object.keys(INPUTS).length + 1

export const hostile: Row = {
  name: 'hostile',
  async run(bench) {
    const sallyport = await ordeal(bench, 'sallyport')
    const arrpc = await ordeal(bench, 'arrpc')
    const names = (who: string, { killers }: Outcome): string =>
      killers.length === 0 ? '' : `${who} did not survive: ${killers.join(', ')}`
    return [
      {
        what: `hostile input survived, of ${ALL}`,
        unit: 'survived',
        sallyport: sallyport.survived,
        arrpc: arrpc.survived,
        target: exactly(ALL),
        note: [names('sallyport', sallyport), names('arrpc', arrpc)].filter(Boolean).join('; '),
      },
      {
        what: 'RSS that hostile input added at its worst',
        unit: 'MiB',
        sallyport: sallyport.peak / MIB,
        arrpc: arrpc.peak / MIB,
        whyNoTarget: 'the limits of each program bound it, and tests hold those',
      },
    ]
  },
}
