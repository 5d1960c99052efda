/** A client that says exactly the bytes it is told to, for tests of what a server does with them. */
import { connect, type Socket } from 'node:net'
import { frame, handshake, jsonOf, type Message, OP, type Received, split } from '../../support/frames.ts'

export class RawClient {
  readonly socket: Socket
  #rest: Buffer = Buffer.alloc(0)
  readonly #received: Received[] = []
  #wake: (() => void) | undefined
  #isClosed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk) => {
      const { frames, rest } = split(Buffer.concat([this.#rest, chunk as Buffer]))
      this.#rest = rest
      this.#received.push(...frames)
      this.#wake?.()
    })
    // A reset is one of the ways in which a server may end a connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isClosed = true
      this.#wake?.()
    })
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

  /** Connected and greeted. */
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
  async next(): Promise<Received> {
    for (;;) {
      const found = this.#received.shift()
      if (found !== undefined) return found
      if (this.#isClosed) throw new Error('the connection ended')
      await this.#more()
    }
  }

  async message(): Promise<Message> {
    const { opcode, payload } = await this.next()
    if (opcode !== OP.FRAME) throw new Error(`opcode ${opcode}: ${payload.toString()}`)
    return jsonOf(payload) as Message
  }

  async call(cmd: string, args?: object, evt?: string): Promise<Message> {
    this.send(frame(OP.FRAME, { cmd, args, evt, nonce: `n${Math.random()}` }))
    return this.message()
  }

  /** The code of the CLOSE frame that ends the connection; undefined when it ends without one. */
  async closeCode(): Promise<number | undefined> {
    let code: number | undefined
    while (!this.#isClosed || this.#received.length > 0) {
      const found = this.#received.shift()
      if (found?.opcode === OP.CLOSE) code = (jsonOf(found.payload) as { code: number }).code
      if (found === undefined) await this.#more()
    }
    return code
  }

  hangUp(): void {
    this.socket.destroy()
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
