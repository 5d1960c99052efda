/** A server whose every byte a test or the conformance kit of the clients decides. Knows frames only, so it can break every rule. */
import { mkdir } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { frame, jsonOf, type Message, OP, type Received } from './frames.ts'
import { Inbox } from './inbox.ts'
import { SOON } from './soon.ts'

/** A call of a client. */
export type Call = Message & { readonly args: any; readonly key?: unknown }

/** One connection of the scripted server. */
export class Peer {
  readonly socket: Socket
  readonly #inbox = new Inbox()

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.#inbox.put(chunk))
    socket.on('error', () => {})
    socket.on('close', () => this.#inbox.end())
  }

  /** The next frame; fails when the client ended the connection. */
  async frame(): Promise<Received> {
    const one = await this.#inbox.frame()
    if (one === undefined) throw new Error('the client ended the connection')
    return one
  }

  /** The next frame, which must have this opcode. */
  async expect(opcode: number): Promise<Buffer> {
    const found = await this.frame()
    if (found.opcode !== opcode) throw new Error(`the client sent opcode ${found.opcode}, not ${opcode}: ${found.payload.toString()}`)
    return found.payload
  }

  /** The next message of the client. */
  async message(): Promise<Call> {
    return jsonOf(await this.expect(OP.FRAME)) as Call
  }

  async handshake(): Promise<any> {
    return jsonOf(await this.expect(OP.HANDSHAKE))
  }

  write(...bytes: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(bytes))
  }

  /** Answers the handshake as a bridge does. */
  async ready(data: object = {}): Promise<void> {
    await this.handshake()
    this.write(readyFrame(data))
  }

  /** Takes the next call and answers it. */
  async answer(data: unknown = {}): Promise<Call> {
    const message = await this.message()
    this.write(responseTo(message, data))
    return message
  }

  /** Frames that came and were not taken yet. */
  get waiting(): number {
    return this.#inbox.size
  }

  /** Resolves when the client has ended the connection, with the frames that it sent until then. */
  async ended(): Promise<readonly Received[]> {
    const frames: Received[] = []
    for (;;) {
      const one = await this.#inbox.frame()
      if (one === undefined) return frames
      frames.push(one)
    }
  }
}

const BRIDGE = { v: 1, config: {}, user: { id: '1', username: 'ada' }, bridge: { name: 'sallyport', version: '0' }, contract: '1.0' }
/** What `ready` sends without these fields is what a server sends that is no bridge. */
export const NO_BRIDGE = { bridge: undefined, contract: undefined }

export const readyFrame = (data: object = {}): Buffer => event('READY', { ...BRIDGE, ...data })
export const event = (name: string, data: unknown): Buffer => frame(OP.FRAME, { cmd: 'DISPATCH', evt: name, nonce: null, data })
export const responseTo = ({ cmd, nonce }: Message, data: unknown): Buffer => frame(OP.FRAME, { cmd, evt: null, nonce, data })
export const errorFor = ({ cmd, nonce }: Message, data: object): Buffer => frame(OP.FRAME, { cmd, evt: 'ERROR', nonce, data })

/** Listens at a slot and hands out connections in order. */
export class ScriptedServer {
  readonly #server: Server
  readonly #peers: Peer[] = []
  readonly #waiting = new Set<() => void>()
  #taken = 0

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.#peers.push(new Peer(socket))
      for (const wake of Array.from(this.#waiting)) wake()
    })
  }

  static async listen(runtime: string, slot = 0): Promise<ScriptedServer> {
    await mkdir(runtime, { recursive: true, mode: 0o700 })
    const server = createServer()
    const scripted = new ScriptedServer(server)
    await new Promise<void>((done, reject) => {
      server.once('error', reject)
      server.listen(join(runtime, `discord-ipc-${slot}`), done)
    })
    return scripted
  }

  get connections(): number {
    return this.#peers.length
  }

  /** The next connection; fails if none comes in time. */
  async peer(): Promise<Peer> {
    const index = this.#taken
    this.#taken += 1
    while (this.#peers.length <= index) await this.#connection()
    const peer = this.#peers[index]
    if (peer === undefined) throw new Error('no connection')
    return peer
  }

  async close(): Promise<void> {
    for (const { socket } of this.#peers) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #connection(): Promise<void> {
    return new Promise((done, reject) => {
      const finish = (settle: () => void) => () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        settle()
      }
      const wake = finish(done)
      const timer = setTimeout(
        finish(() => reject(new Error('the client did not connect in time'))),
        SOON.timeout,
      )
      this.#waiting.add(wake)
    })
  }
}
