/** A page of a web client, as a server sees it: a real websocket, and the messages it received. */
import { WebSocket } from 'ws'

export type PageMessage = Record<string, unknown>

export class Page {
  readonly socket: WebSocket
  readonly #received: PageMessage[] = []
  readonly #closed: Promise<number>
  #wake: () => void = () => {}

  constructor(address: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(address, { headers })
    this.#closed = new Promise((resolve) => this.socket.once('close', resolve))
    this.socket.on('message', (data: Buffer) => {
      this.#received.push(JSON.parse(data.toString('utf8')) as PageMessage)
      this.#wake()
    })
    this.socket.on('error', () => {})
  }

  /** The next message; rejects when the connection ended before one came. */
  async next(): Promise<PageMessage> {
    for (;;) {
      const message = this.#received.shift()
      if (message !== undefined) return message
      const woken = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined)
      })
      const code = await Promise.race([woken, this.#closed])
      if (code !== undefined && this.#received.length === 0) throw new Error(`the connection was closed with ${code}`)
    }
  }

  /** One call of the local protocol. */
  async call(cmd: string, args?: object, evt?: string): Promise<PageMessage> {
    this.socket.send(JSON.stringify({ cmd, args, evt, nonce: '1' }))
    return this.next()
  }

  closeCode(): Promise<number> {
    return this.#closed
  }

  async hangUp(): Promise<void> {
    this.socket.terminate()
    await this.#closed
  }
}
