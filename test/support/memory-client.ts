/** A desktop client in memory. The test starts and stops it, and sets its responses; it records its calls. */
import type { Dialer } from '#daemon/src/ipc/transport/dial.ts'
import type { ChannelReceiver } from '#daemon/src/ipc/transport/transport.ts'
import { frame, jsonOf, type Message, OP, split } from './frames.ts'
import { MemoryChannel } from './memory-channel.ts'

/** A call as it came in. */
export interface ClientCall extends Message {
  readonly args: any
}

export type Answer = (
  call: ClientCall,
) => { readonly data?: unknown; readonly error?: { readonly code: number; readonly message: string } } | undefined

/** One connection as the client sees it. */
export class MemoryPeer extends MemoryChannel {
  receiver: ChannelReceiver | undefined
  readonly calls: ClientCall[] = []
  /** Frames that are no calls. */
  readonly others: { readonly opcode: number; readonly payload: Buffer }[] = []
  readonly #client: MemoryClient

  constructor(client: MemoryClient) {
    super()
    this.#client = client
  }

  override write(bytes: Buffer): boolean {
    const isTaken = super.write(bytes)
    for (const { opcode, payload } of split(bytes).frames) this.#take(opcode, payload)
    return isTaken
  }

  send(message: object): void {
    this.bytes(frame(OP.FRAME, message))
  }

  bytes(bytes: Buffer): void {
    this.receiver?.onBytes(bytes)
  }

  sendEvent(evt: string, data: unknown): void {
    this.send({ cmd: 'DISPATCH', evt, data, nonce: null })
  }

  get isCutOff(): boolean {
    return this.log.includes('destroy')
  }

  /** What was asked for, in order: an event by its name, all else by its command. */
  get asked(): string[] {
    return this.calls.map(({ cmd, evt }) => (cmd === 'SUBSCRIBE' ? String(evt) : evt === null || evt === undefined ? cmd : `${cmd} ${evt}`))
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === OP.HANDSHAKE) {
      this.others.push({ opcode, payload: Buffer.from(payload) })
      setImmediate(() => this.#sendReady())
      return
    }
    if (opcode !== OP.FRAME) return void this.others.push({ opcode, payload: Buffer.from(payload) })
    const call = jsonOf(payload) as ClientCall
    this.calls.push(call)
    const { cmd, evt, nonce } = call
    setImmediate(() => {
      const answer = this.#client.answer(call)
      if (answer?.error !== undefined) this.send({ cmd, evt: 'ERROR', data: answer.error, nonce })
      else if (answer !== undefined) this.send({ cmd, evt: evt ?? null, data: answer.data ?? null, nonce })
    })
  }

  #sendReady(): void {
    const { ready, dismisses, goesAtOnce } = this.#client
    if (dismisses !== undefined) this.bytes(frame(OP.CLOSE, dismisses))
    else if (ready !== undefined) this.sendEvent('READY', ready)
    if (goesAtOnce) this.receiver?.onClose()
  }
}

export class MemoryClient {
  /** In place of READY it closes the connection with this. */
  dismisses: { readonly code: number; readonly message: string } | undefined
  /** It ends each connection together with its READY. */
  goesAtOnce = false
  readonly path: string
  /** What READY says; undefined: it says nothing. */
  ready: object | undefined = {
    v: 1,
    config: { cdn_host: 'cdn.example.test', api_endpoint: '//example.test/api', environment: 'production' },
    user: { id: '80351110224678912', username: 'ann', discriminator: '0', avatar: null },
  }
  answer: Answer = () => ({})
  /** False: its socket is there, and it does not listen on it. */
  isServed = true
  readonly peers: MemoryPeer[] = []
  #inode = 1
  #isHere = true

  constructor(path = '/run/user/7/discord-ipc-0') {
    this.path = path
  }

  get last(): MemoryPeer {
    const peer = this.peers.at(-1)
    if (peer === undefined) throw new Error('no client connected')
    return peer
  }

  /** Quits. */
  vanish(): void {
    this.#isHere = false
    for (const peer of this.peers) peer.receiver?.onClose()
  }

  /** Starts again, on a socket of its own. */
  appear(): void {
    this.#inode++
    this.#isHere = true
  }

  readonly dialer: Dialer = {
    endpointAt: (path) => (this.#isHere && path === this.path ? { path, file: String(this.#inode) } : undefined),
    connect: async (_door, receiverOf) => {
      if (!this.isServed) throw new Error('refused')
      const peer = new MemoryPeer(this)
      peer.receiver = receiverOf(peer)
      this.peers.push(peer)
      return peer
    },
  }
}
