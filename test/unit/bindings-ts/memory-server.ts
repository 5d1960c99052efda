/** A server of the protocol in memory, used via `connect` of the environment. The test controls its responses and its availability. */
import { type Duplex, duplexPair } from 'node:stream'
import { type ClientOptions, SallyportClient } from '@sallyport/client'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { frame, jsonOf, OP, split } from '#test/support/frames.ts'

export interface Asked {
  readonly cmd: string
  readonly args: Readonly<Record<string, unknown>>
  readonly evt?: string
  readonly nonce: string
  readonly key?: string
}

/** The error code for a call; undefined: the call succeeds. */
export type Judge = (asked: Asked) => number | undefined

const READY = { v: 1, config: {}, user: { id: '42', username: 'ada' }, contract: '1.0', bridge: { name: 'sallyport', version: '0.1.0' } }

/** The key of a subscription. */
export const topicOf = (event: string, args: object = {}): string => `${event} ${JSON.stringify(args)}`

/** One connection at the server. */
class Session {
  /** All received calls, in order. */
  readonly asked: Asked[] = []
  readonly subscribed = new Set<string>()
  presence: unknown
  readonly #stream: Duplex
  readonly #judge: () => Judge
  readonly #ready: object
  readonly #userId: () => string
  readonly #unanswered: Asked[] = []
  #bytes: Buffer = Buffer.alloc(0)
  #write = (bytes: Buffer): void => {
    if (!this.#stream.destroyed) this.#stream.write(bytes)
  }
  isHeld: boolean

  constructor(stream: Duplex, judge: () => Judge, isHeld: boolean, ready: object, userId: () => string) {
    this.#stream = stream
    this.#ready = ready
    this.#userId = userId
    this.#judge = judge
    this.isHeld = isHeld
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  /** Sends an event if it is subscribed. */
  dispatch(event: string, args: object, data: unknown): void {
    if (this.subscribed.has(topicOf(event, args))) this.#send({ cmd: 'DISPATCH', evt: event, data, nonce: null })
  }

  /** Executes and responds to the oldest pending calls. */
  answer(count = Number.POSITIVE_INFINITY): void {
    for (const asked of this.#unanswered.splice(0, count)) this.#carryOut(asked)
  }

  /** Responds to all pending calls and closes, in one write. */
  answerAndClose(): void {
    const pieces: Buffer[] = []
    this.#write = (bytes) => void pieces.push(bytes)
    this.answer()
    this.#send({ code: 1000, message: 'bye' }, OP.CLOSE)
    this.#stream.write(Buffer.concat(pieces))
    this.#write = () => {}
  }

  end(): void {
    this.#stream.destroy()
  }

  #read(chunk: Buffer): void {
    const { frames, rest } = split(Buffer.concat([this.#bytes, chunk]))
    this.#bytes = rest
    for (const { opcode, payload } of frames) {
      if (opcode === OP.HANDSHAKE) this.#send({ cmd: 'DISPATCH', evt: 'READY', data: { ...READY, ...this.#ready }, nonce: null })
      else if (opcode === OP.FRAME) this.#take(jsonOf(payload) as Asked)
    }
  }

  #take(asked: Asked): void {
    this.asked.push(asked)
    this.#unanswered.push(asked)
    if (!this.isHeld) this.answer()
  }

  #carryOut({ cmd, args, evt = '', nonce }: Asked): void {
    const code = this.#judge()({ cmd, args, evt, nonce })
    if (code !== undefined) return this.#send({ cmd, evt: 'ERROR', data: { code, message: 'no' }, nonce })
    if (cmd === 'SUBSCRIBE') this.subscribed.add(topicOf(evt, args))
    if (cmd === 'UNSUBSCRIBE') this.subscribed.delete(topicOf(evt, args))
    if (cmd === 'SET_ACTIVITY') this.presence = args['activity']
    this.#send({ cmd, evt: null, data: cmd === 'AUTHENTICATE' ? { user: { id: this.#userId(), username: 'ada' } } : { evt }, nonce })
  }

  #send(message: object, opcode: number = OP.FRAME): void {
    this.#write(frame(opcode, message))
  }
}

export class MemoryServer {
  readonly clock = new FakeClock()
  readonly sessions: Session[] = []
  isUp = true
  /** Whether calls of new sessions wait for `answer`. */
  holdsAnswers = false
  judge: Judge = () => undefined
  /** What READY of new sessions says besides. */
  ready: object = {}
  /** Who is signed in by AUTHENTICATE. */
  userId = '42'

  get last(): Session {
    const session = this.sessions.at(-1)
    if (session === undefined) throw new Error('no connection')
    return session
  }

  /** The received calls of the current connection, as text. */
  get asked(): string[] {
    return this.last.asked.map(({ cmd, evt, args }) =>
      [cmd, evt, Object.keys(args).length === 0 ? '' : JSON.stringify(args)].filter(Boolean).join(' '),
    )
  }

  newClient(options: Partial<ClientOptions> = {}): SallyportClient {
    const ports = { clock: this.clock, random: () => 0.5, watch: () => () => {}, connect: (path: string) => this.#connect(path) }
    return new SallyportClient({ applicationId: '123', runtimeDir: '/nowhere', environment: ports, ...options })
  }

  /** A connected client. */
  async client(options: Partial<ClientOptions> = {}): Promise<SallyportClient> {
    const client = this.newClient(options)
    await client.connect()
    return client
  }

  /** Closes all connections and accepts no new ones. */
  async vanish(): Promise<void> {
    this.isUp = false
    for (const session of this.sessions) session.end()
    await quiet()
  }

  /** Responds to pending calls and closes the connection in the same write; accepts new ones. */
  async sayLastWords(): Promise<void> {
    this.last.answerAndClose()
    await quiet()
  }

  /** Accepts connections again, and advances the clock until the client retries. */
  async comeBack(): Promise<void> {
    this.isUp = true
    await this.pass(6_000)
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await quiet()
  }

  async #connect(path: string): Promise<Duplex> {
    if (!this.isUp || !path.endsWith('-0')) throw new Error('nothing listens')
    const [here, there] = duplexPair()
    this.sessions.push(
      new Session(
        there,
        () => this.judge,
        this.holdsAnswers,
        this.ready,
        () => this.userId,
      ),
    )
    return here
  }
}

/** Turns after which memory streams have delivered all bytes. */
const TURNS = 8

export async function quiet(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await settled()
}
