/** A client with one fault, named by the first argument: the TypeScript client behind a stream that changes what passes. It judges the kit. */
import { createHash, randomBytes } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connectOwnServer } from '@sallyport/client'
import { frame, jsonOf, OP, type Received, split } from '#test/support/frames.ts'
import { emit } from './lines.ts'
import { AdvancedClock, playTypeScript } from './sallyport.ts'

const fault = process.argv[2] ?? 'none'
const VERIFIER = 'v'.repeat(43)
const SHORT_MS = 1000

/** What all connections of this process share. */
const seen = { connections: 0, held: [] as Buffer[], pending: [] as string[] }

type Message = Record<string, any>
type Change = (sent: Received) => readonly Buffer[]

const same = ({ opcode, payload }: Received): Buffer => frame(opcode, payload)
const inMessage =
  (change: (message: Message) => Message): Change =>
  (sent) => [sent.opcode === OP.FRAME ? frame(OP.FRAME, change(jsonOf(sent.payload) as Message)) : same(sent)]
const inArgs = (command: string, args: object): Change =>
  inMessage((message) => (message['cmd'] === command ? { ...message, args: { ...message['args'], ...args } } : message))
const chained =
  (first: Change, second: Change): Change =>
  (sent) =>
    first(sent).flatMap((bytes) => split(bytes).frames.flatMap(second))

const ACTIVITY = frame(OP.FRAME, { cmd: 'SET_ACTIVITY', args: { pid: 1 }, nonce: 'early' })
const challenge = createHash('sha256').update(VERIFIER).digest('base64url')

/** Faults in what the client sends. */
const SENT: Readonly<Record<string, Change>> = {
  'same-nonce': inMessage((message) => ({ ...message, nonce: '1' })),
  'number-nonce': inMessage((message) => ({ ...message, nonce: Number(message['nonce']) })),
  'two-frames': (sent) => (sent.opcode === OP.FRAME ? [same(sent), same(sent)] : [same(sent)]),
  'early-call': (sent) => (sent.opcode === OP.HANDSHAKE ? [same(sent), ACTIVITY] : [same(sent)]),
  'text-version': (sent) => [sent.opcode === OP.HANDSHAKE ? frame(OP.HANDSHAKE, { ...jsonOf(sent.payload), v: '1' }) : same(sent)],
  'first-call': inMessage((message) => {
    seen.pending.push(String(message['nonce']))
    return message
  }),
  'no-pong': (sent) => (sent.opcode === OP.PONG ? [] : [same(sent)]),
  'changed-pong': (sent) => [sent.opcode === OP.PONG ? frame(OP.PONG, sent.payload.toString()) : same(sent)],
  'plain-challenge': inArgs('AUTHORIZE', { code_challenge: VERIFIER }),
  'same-verifier': chained(inArgs('AUTHORIZE', { code_challenge: challenge }), inArgs('GET_TOKEN', { code_verifier: VERIFIER })),
  'no-key': inMessage((message) => ({ ...message, key: undefined })),
  'key-for-all': inMessage((message) => ({ key: VERIFIER, ...message })),
  'new-keys': inMessage((message) => (message['key'] === undefined ? message : { ...message, key: randomBytes(16).toString('hex') })),
  'presence-first': (sent) => (sent.opcode === OP.HANDSHAKE && seen.connections > 1 ? [same(sent), ACTIVITY] : [same(sent)]),
}

/** Faults in what the client takes from the server. */
const RECEIVED: Readonly<Record<string, Change>> = {
  'first-call': inMessage((message) => (message['cmd'] === 'DISPATCH' ? message : { ...message, nonce: seen.pending.shift() })),
}

class FaultyStream extends Duplex {
  readonly #socket: Socket
  #rest: Buffer = Buffer.alloc(0)

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => {
      if (fault !== 'forgets-calls') this.push(null)
    })
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const change = SENT[fault]
    const bytes = change === undefined ? chunk : Buffer.concat(split(chunk).frames.flatMap(change))
    if (this.#socket.write(bytes)) done()
    else this.#socket.once('drain', () => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (fault !== 'stays-after-close') this.#socket.destroy()
    done(error)
    if (fault === 'callback-after-close') setImmediate(() => emit({ event: 'dispatch', name: 'ACTIVITY_JOIN', data: null }))
  }

  #receive(chunk: Buffer): void {
    if (fault === 'keeps-events') seen.held.push(Buffer.from(chunk))
    const change = RECEIVED[fault]
    if (change === undefined) {
      if (!this.push(chunk)) this.#socket.pause()
      return
    }
    const { frames, rest } = split(Buffer.concat([this.#rest, chunk]))
    this.#rest = rest
    for (const bytes of frames.flatMap(change)) this.push(bytes)
  }
}

const anySocket = (path: string): Promise<Socket> =>
  new Promise((done, reject) => {
    const socket = connectSocket(path, () => done(socket))
    socket.once('error', reject)
  })

class HastyClock extends AdvancedClock {
  override after(delayMs: number, task: () => void): () => void {
    return super.after(delayMs < SHORT_MS ? 0 : delayMs, task)
  }
}

playTypeScript(fault === 'hammers' ? new HastyClock() : new AdvancedClock(), {
  async connect(path, signal) {
    const socket = fault === 'any-socket' ? await anySocket(path) : await connectOwnServer(path, signal)
    seen.connections += 1
    return new FaultyStream(socket)
  },
  ...(fault === 'any-folder' ? { isContained: () => true } : {}),
})
