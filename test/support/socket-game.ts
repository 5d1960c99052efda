/** A game on a real socket that sends any bytes and reads frame by frame. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { frame, handshake, type Message, OP, type Received } from './frames.ts'
import { Inbox } from './inbox.ts'

export class SocketGame {
  readonly socket: Socket
  readonly #inbox = new Inbox((payload) => this.send(frame(OP.PONG, payload)))
  #lastNonce = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    for (const event of ['end', 'close']) socket.on(event, () => this.#inbox.end())
  }

  /** Half-open, as a C program's socket is: our side ends when we say so. */
  static async connect(path: string): Promise<SocketGame> {
    const socket = connect({ path, allowHalfOpen: true })
    await once(socket, 'connect')
    return new SocketGame(socket)
  }

  static async connected(path: string, fields: object = {}): Promise<SocketGame> {
    const game = await SocketGame.connect(path)
    game.send(handshake(fields))
    await game.next()
    return game
  }

  /** `chunk`: bytes per write. */
  send(bytes: Buffer, chunk = bytes.length): void {
    for (let at = 0; at < bytes.length; at += chunk) this.socket.write(bytes.subarray(at, at + chunk))
  }

  /** The next frame; undefined when the other side has ended. */
  frame(): Promise<Received | undefined> {
    return this.#inbox.frame()
  }

  /** The next frame, which must be there. */
  next(): Promise<Received> {
    return this.#inbox.next()
  }

  message(): Promise<Message> {
    return this.#inbox.message()
  }

  call(cmd: string, args?: unknown, evt?: unknown): Promise<Message> {
    const nonce = `own-${++this.#lastNonce}`
    this.send(frame(OP.FRAME, { cmd, args, evt, nonce }))
    return this.#inbox.answer(nonce)
  }

  /** Ends the connection without a word. */
  vanish(): void {
    this.socket.destroy()
  }
}
