/** A client that sends exactly the given bytes, for tests of how a server handles them. */
import { connect, type Socket } from 'node:net'
import { frame, handshake, jsonOf, type Message, OP, type Received } from '#test/support/frames.ts'
import { Inbox } from '#test/support/inbox.ts'

export class RawClient {
  readonly socket: Socket
  readonly #inbox = new Inbox((payload) => this.send(frame(OP.PONG, payload)))
  #lastNonce = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    // A reset is one of the ways in which a server may end a connection.
    socket.on('error', () => {})
    socket.on('close', () => this.#inbox.end())
  }

  static open(path: string): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path)
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new RawClient(socket))
      })
    })
  }

  /** Connected, after READY. */
  static async ready(path: string, more: object = {}): Promise<RawClient> {
    const client = await RawClient.open(path)
    client.send(handshake(more))
    await client.message()
    return client
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** The next frame; rejects when the connection ends first. */
  next(): Promise<Received> {
    return this.#inbox.next()
  }

  message(): Promise<Message> {
    return this.#inbox.message()
  }

  /** One call and its answer; events that come meanwhile stay for `message`. */
  call(cmd: string, args?: object, evt?: string): Promise<Message> {
    const nonce = `own-${++this.#lastNonce}`
    this.send(frame(OP.FRAME, { cmd, args, evt, nonce }))
    return this.#inbox.answer(nonce)
  }

  /** The code of the CLOSE frame that ends the connection; undefined when it ends without one. */
  async closeCode(): Promise<number | undefined> {
    let code: number | undefined
    for (let found = await this.#inbox.frame(); found !== undefined; found = await this.#inbox.frame())
      if (found.opcode === OP.CLOSE) code = (jsonOf(found.payload) as { code: number }).code
    return code
  }

  hangUp(): void {
    this.socket.destroy()
  }
}
