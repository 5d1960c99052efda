/** A small server of the protocol on a real socket, with independent framing code. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Packr } from 'msgpackr/pack'

export interface Received {
  readonly cmd: string
  readonly args: Record<string, unknown>
  readonly evt?: string
  readonly nonce: string
}

export interface Peer {
  readonly handshake: Record<string, unknown>
  readonly received: Received[]
  readonly pongs: string[]
  sendFrame(opcode: number, payload: unknown): void
  sendRaw(bytes: Buffer): void
  dispatch(evt: string, data: unknown): void
  readonly socket: Socket
}

export type Answer = (message: Received, peer: Peer) => { readonly data: unknown; readonly evt?: string | null } | 'silence'

export interface FakeOptions {
  readonly dir: string
  readonly slot?: number
  /** `undefined`: not a Sallyport bridge. */
  readonly bridge?: { readonly name: string; readonly version: string } | undefined
  /** How the server handles the encoding in a handshake: `honour`, `ignore` (as old servers) or `refuse`. */
  readonly encoding?: 'honour' | 'ignore' | 'refuse'
  readonly greet?: 'ready' | 'silence' | { readonly code: number; readonly message: string }
  readonly answer?: Answer
}

const packr = new Packr({ useRecords: false })

export function frame(opcode: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(opcode, 0)
  header.writeUInt32LE(payload.length, 4)
  return Buffer.concat([header, payload])
}

export const jsonFrame = (opcode: number, value: unknown): Buffer => frame(opcode, Buffer.from(JSON.stringify(value)))

const READY = {
  v: 1,
  config: { cdn_host: 'cdn.test', api_endpoint: '//api.test', environment: 'test' },
  user: { id: '42', username: 'ada', discriminator: '0', avatar: null },
}

export class FakeServer {
  readonly peers: Peer[] = []
  readonly path: string
  readonly #options: FakeOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #expectations: { readonly test: () => boolean; readonly met: () => void }[] = []
  answer: Answer

  constructor(options: FakeOptions) {
    this.#options = options
    this.path = join(options.dir, `discord-ipc-${options.slot ?? 0}`)
    this.answer = options.answer ?? ((message) => ({ data: message.cmd === 'SUBSCRIBE' ? { evt: message.evt } : { echoed: message.args } }))
    this.#server = createServer((socket) => this.#serve(socket))
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.path, resolve)
    })
    return this
  }

  /** Closes everything without CLOSE, like a crash. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  get last(): Peer {
    const peer = this.peers.at(-1)
    if (peer === undefined) throw new Error('no connection')
    return peer
  }

  commands(peer: Peer = this.last): string[] {
    return peer.received.map(({ cmd, evt, args }) =>
      [cmd, evt, Object.keys(args).length === 0 ? undefined : JSON.stringify(args)].filter(Boolean).join(' '),
    )
  }

  /** Resolves when the condition holds; checked after every received chunk. */
  until(test: () => boolean): Promise<void> {
    return new Promise((met) => {
      this.#expectations.push({ test, met })
      this.#look()
    })
  }

  #look(): void {
    const met = this.#expectations.filter(({ test }) => test())
    this.#expectations = this.#expectations.filter((expectation) => !met.includes(expectation))
    for (const expectation of met) expectation.met()
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      this.#look()
    })
    socket.on('error', () => {})
    let buffered = Buffer.alloc(0)
    let peer: Peer | undefined
    let packed = false
    const sendFrame = (opcode: number, payload: unknown) => {
      socket.write(frame(opcode, packed ? packr.pack(payload) : Buffer.from(JSON.stringify(payload))))
    }
    const greet = (payload: Buffer) => {
      const handshake = JSON.parse(payload.toString()) as Record<string, unknown>
      const { encoding = 'honour', greet: greeting = 'ready', bridge } = this.#options
      peer = {
        handshake,
        received: [],
        pongs: [],
        socket,
        sendFrame,
        sendRaw: (bytes) => socket.write(bytes),
        dispatch: (evt, data) => sendFrame(1, { cmd: 'DISPATCH', evt, data, nonce: null }),
      }
      this.peers.push(peer)
      if (greeting === 'silence') return
      if (handshake['encoding'] === 'msgpack' && encoding === 'refuse')
        return socket.end(jsonFrame(2, { code: 4005, message: 'Invalid Encoding' }))
      if (greeting !== 'ready') return socket.end(jsonFrame(2, greeting))
      packed = handshake['encoding'] === 'msgpack' && encoding === 'honour'
      const bridgeKeys = bridge === undefined ? {} : { contract: '1.0', bridge }
      peer.dispatch('READY', { ...READY, ...bridgeKeys })
    }
    const handle = (opcode: number, payload: Buffer) => {
      if (opcode === 0) return greet(payload)
      if (peer === undefined) return socket.destroy()
      if (opcode === 4) return peer.pongs.push(payload.toString())
      if (opcode !== 1) return
      const message = (packed ? packr.unpack(payload) : JSON.parse(payload.toString())) as Received
      peer.received.push(message)
      const answer = this.answer(message, peer)
      if (answer !== 'silence') sendFrame(1, { cmd: message.cmd, data: answer.data, evt: answer.evt ?? null, nonce: message.nonce })
    }
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk])
      while (buffered.length >= 8 && buffered.length >= 8 + buffered.readUInt32LE(4)) {
        const length = buffered.readUInt32LE(4)
        const opcode = buffered.readUInt32LE(0)
        const payload = buffered.subarray(8, 8 + length)
        buffered = buffered.subarray(8 + length)
        handle(opcode, payload)
      }
      this.#look()
    })
  }
}

export const BRIDGE = { name: 'sallyport', version: '0.1.0' }

export async function temporaryDirectory(): Promise<{ readonly dir: string; readonly remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'sp-'))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
