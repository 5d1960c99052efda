/** A game on a real socket that sends what it likes and reads frame by frame. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { frame, handshake, jsonOf, type Message, OP, type Received, split } from './frames.ts'

const PATIENCE_MS = 5_000

export class SocketGame {
  readonly socket: Socket
  #rest: Buffer = Buffer.alloc(0)
  #frames: Received[] = []
  #isEnded = false
  #wake: () => void = () => {}
  #lastNonce = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const { frames, rest } = split(Buffer.concat([this.#rest, chunk]))
      this.#rest = rest
      this.#frames.push(...frames)
      this.#wake()
    })
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.#isEnded = true
        this.#wake()
      })
    }
  }

  /** Half-open, as a C program's socket is: our side ends when we say so. */
  static async connect(path: string): Promise<SocketGame> {
    const socket = connect({ path, allowHalfOpen: true })
    await once(socket, 'connect')
    return new SocketGame(socket)
  }

  static async greeted(path: string, hello: object = {}): Promise<SocketGame> {
    const game = await SocketGame.connect(path)
    game.send(handshake(hello))
    await game.next()
    return game
  }

  /** `chunk`: bytes per write. */
  send(bytes: Buffer, chunk = bytes.length): void {
    for (let at = 0; at < bytes.length; at += chunk) this.socket.write(bytes.subarray(at, at + chunk))
  }

  /** The next frame; undefined when the other side has ended. */
  async frame(): Promise<Received | undefined> {
    const timer = setTimeout(() => this.socket.destroy(new Error('silence')), PATIENCE_MS)
    try {
      while (this.#frames.length === 0 && !this.#isEnded) await new Promise<void>((resolve) => (this.#wake = resolve))
    } finally {
      clearTimeout(timer)
    }
    return this.#frames.shift()
  }

  /** The next frame, which must be there. */
  async next(): Promise<Received> {
    const received = await this.frame()
    if (received === undefined) throw new Error('the connection ended instead')
    return received
  }

  async message(): Promise<Message> {
    const { opcode, payload } = await this.next()
    if (opcode !== OP.FRAME) throw new Error(`opcode ${opcode}: ${payload.toString()}`)
    return jsonOf(payload) as Message
  }

  async call(cmd: string, args?: unknown, evt?: unknown): Promise<Message> {
    this.send(frame(OP.FRAME, { cmd, args, evt, nonce: String(++this.#lastNonce) }))
    return this.message()
  }

  /** Ends the connection without a word. */
  vanish(): void {
    this.socket.destroy()
  }
}
