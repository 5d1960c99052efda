/** A game as the test starts it on Windows: knows the pipe and the frames, nothing of our code. Prints every frame it sends and receives, one JSON line each. */
import { connect, type Socket } from 'node:net'
import { pack, unpack } from 'msgpackr/pack'

const PIPE = '\\\\.\\pipe\\discord-ipc-0'
const HEADER = 8
const GIVE_UP_MS = 20_000

interface Frame {
  readonly opcode: number
  readonly body: unknown
}

/** One connection of a game. */
class Game {
  readonly #name: string
  readonly #socket: Socket
  readonly #encoding: 'json' | 'msgpack'
  readonly #inbox: Frame[] = []
  #buffered: Buffer = Buffer.alloc(0)
  #isReady = false
  #ended = false
  #wake: (() => void) | undefined

  constructor(name: string, socket: Socket, encoding: 'json' | 'msgpack') {
    this.#name = name
    this.#socket = socket
    this.#encoding = encoding
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    const end = () => {
      if (!this.#ended) this.#print('end', {})
      this.#ended = true
      this.#wake?.()
    }
    socket.on('close', end)
    socket.on('error', end)
  }

  static open(name: string, encoding: 'json' | 'msgpack' = 'json'): Promise<Game> {
    return new Promise((settle, reject) => {
      const socket = connect(PIPE)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        settle(new Game(name, socket, encoding))
      })
    })
  }

  /** `pieces`: bytes per write; absent: the frame in one write. */
  async send(opcode: number, body: unknown, pieces?: number): Promise<void> {
    const payload = this.#usesMsgpack ? Buffer.from(pack(body)) : Buffer.from(JSON.stringify(body))
    // From here on, also for the answer, which may come before the write is said to be done.
    this.#isReady = true
    const frame = Buffer.alloc(HEADER + payload.length)
    frame.writeUInt32LE(opcode, 0)
    frame.writeUInt32LE(payload.length, 4)
    payload.copy(frame, HEADER)
    this.#print('out', {
      opcode,
      bytes: frame.length,
      pieces: pieces === undefined ? 1 : Math.ceil(frame.length / pieces),
      head: frame.toString('hex', 0, 16),
      body,
    })
    const step = pieces ?? frame.length
    for (let at = 0; at < frame.length; at += step) {
      await new Promise<void>((done) => this.#socket.write(frame.subarray(at, at + step), () => done()))
    }
  }

  /** The next frame; undefined when the connection ended. */
  async receive(): Promise<Frame | undefined> {
    const deadline = Date.now() + GIVE_UP_MS
    while (this.#inbox.length === 0 && !this.#ended) {
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`${this.#name} waited ${GIVE_UP_MS} ms for a frame`)
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, left)
        this.#wake = () => {
          clearTimeout(timer)
          wake()
        }
      })
    }
    return this.#inbox.shift()
  }

  async ask(opcode: number, body: unknown, pieces?: number): Promise<Frame | undefined> {
    await this.send(opcode, body, pieces)
    return this.receive()
  }

  get #usesMsgpack(): boolean {
    return this.#encoding === 'msgpack' && this.#isReady
  }

  #take(chunk: Buffer): void {
    this.#buffered = Buffer.concat([this.#buffered, chunk])
    while (this.#buffered.length >= HEADER) {
      const length = this.#buffered.readUInt32LE(4)
      if (this.#buffered.length < HEADER + length) break
      const payload = this.#buffered.subarray(HEADER, HEADER + length)
      const opcode = this.#buffered.readUInt32LE(0)
      const body: unknown = this.#usesMsgpack ? unpack(payload) : JSON.parse(payload.toString())
      this.#print('in', { opcode, bytes: HEADER + length, head: this.#buffered.toString('hex', 0, 16), body })
      this.#buffered = this.#buffered.subarray(HEADER + length)
      this.#inbox.push({ opcode, body })
      this.#wake?.()
    }
  }

  #print(direction: string, what: object): void {
    console.log(JSON.stringify({ game: this.#name, direction, ...what }))
  }
}

const [HANDSHAKE, FRAME, CLOSE, PING] = [0, 1, 2, 3]
const setActivity = (details: string, nonce: string) => ({
  cmd: 'SET_ACTIVITY',
  args: { pid: 4, activity: { details, state: 'over a named pipe' } },
  nonce,
})

async function main(): Promise<void> {
  const a = await Game.open('a')
  const b = await Game.open('b', 'msgpack')
  await a.ask(HANDSHAKE, { v: 1, client_id: '1001' })
  await b.ask(HANDSHAKE, { v: 1, client_id: '1002', encoding: 'msgpack' })
  await a.ask(FRAME, setActivity('Level 1', 'a-1'))
  await b.ask(FRAME, setActivity('Map 1', 'b-1'))
  await a.ask(PING, { beat: 1 })
  await a.ask(FRAME, { cmd: 'NO_SUCH_COMMAND', args: {}, nonce: 'a-2' })
  await b.ask(FRAME, setActivity('Map 2', 'b-2'), 1)
  await a.ask(CLOSE, {})
  await b.ask(FRAME, setActivity('Map 3', 'b-3'))
  const c = await Game.open('c')
  await c.ask(HANDSHAKE, { v: 2, client_id: '1003' })
  await c.receive()
  await b.ask(CLOSE, {})
  await b.receive()
}

main().catch((failure: unknown) => {
  console.log(JSON.stringify({ game: '-', direction: 'failed', body: String(failure) }))
  process.exitCode = 1
})
