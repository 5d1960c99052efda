/**
 * A program that takes more than its share. Arguments: socket, application, and what it does.
 *
 * `half-frames`: 400 connections, each with a frame of 1 MB that never ends. `open-calls`: 4,096 calls of 250 KB on one connection, all of which
 * wait for the same prompt. It prints, line by line, how many bytes the bridge has taken, and what it answered.
 */
import { connect, type Socket } from 'node:net'
import { frame, handshake, head, jsonOf, OP } from '#test/support/frames.ts'
import { Inbox } from '#test/support/inbox.ts'

const [path = '', application = '', deed = ''] = process.argv.slice(2)
const CONNECTIONS = 400
const CALLS = 4096
const FRAME_BYTES = 1_000_000
const CALL_BYTES = 250_000
const PIECE = 50_000

const say = (event: string, more: object = {}) => process.stdout.write(`${JSON.stringify({ event, ...more })}\n`)

async function open(): Promise<{ socket: Socket; inbox: Inbox }> {
  const socket = connect(path)
  const inbox = new Inbox((payload) => void socket.write(frame(OP.PONG, payload)))
  socket.on('data', (chunk: Buffer) => inbox.put(chunk))
  socket.on('error', () => {})
  socket.on('close', () => inbox.end())
  socket.write(handshake({ client_id: application, contract: '1.0', streams: true }))
  await inbox.message()
  return { socket, inbox }
}

/** Resolves when the system has taken the bytes. */
const written = (socket: Socket, bytes: Buffer): Promise<void> => new Promise((resolve) => socket.write(bytes, () => resolve()))

async function halfFrames(): Promise<void> {
  let taken = 0
  const half = async (): Promise<void> => {
    const { socket, inbox } = await open()
    void inbox.frame().then((last) => {
      if (last?.opcode === OP.CLOSE) say('closed', { code: (jsonOf(last.payload) as { code: number }).code })
    })
    await written(socket, head(OP.FRAME, FRAME_BYTES + 1))
    for (let sent = 0; sent < FRAME_BYTES; sent += PIECE) {
      await written(socket, Buffer.alloc(PIECE, 'x'))
      taken += PIECE
      say('taken', { bytes: taken })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, half))
  say('all-taken')
}

async function openCalls(): Promise<void> {
  const { socket, inbox } = await open()
  const codes: Record<string, number> = {}
  const answers = async () => {
    for (let left = CALLS; left > 0; left--) {
      const { data } = await inbox.message()
      const { code = 0 } = data as { code?: number }
      codes[code] = (codes[code] ?? 0) + 1
    }
    say('answered', { codes })
  }
  const done = answers()
  for (let nonce = 0; nonce < CALLS; nonce++) {
    await written(socket, frame(OP.FRAME, { cmd: 'AUTHENTICATE', args: {}, evt: ['x'.repeat(CALL_BYTES)], nonce: String(nonce) }))
    say('taken', { bytes: (nonce + 1) * CALL_BYTES })
  }
  say('all-taken')
  await done
}

await (deed === 'half-frames' ? halfFrames() : openCalls())
