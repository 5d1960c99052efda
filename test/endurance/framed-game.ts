/** A game that writes frames itself, as games without our bindings do. It keeps only the calls that wait. */
import { connect, type Socket } from 'node:net'
import { frame, jsonOf, type Message, OP, type Received, split } from '#test/support/frames.ts'
import { type Answer, type Game, type GameListener, Lost } from './game.ts'
import type { GamePlan } from './plan.ts'

const HANDSHAKES = {
  plain: {},
  contract: { encoding: 'json', contract: '1.0', max_frame_bytes: 1_048_576, streams: true },
} as const

interface Waiting {
  readonly settle: (answer: Answer) => void
  readonly reject: (why: Error) => void
}

const READY = 'READY'

export class FramedGame implements Game {
  readonly plan: GamePlan
  readonly #path: string
  readonly #listener: GameListener
  readonly #waiting = new Map<string, Waiting>()
  #socket: Socket | undefined
  #rest: Buffer = Buffer.alloc(0)
  #calls = 0
  #isReady = false

  constructor(plan: GamePlan, path: string, listener: GameListener) {
    this.plan = plan
    this.#path = path
    this.#listener = listener
  }

  get isOpen(): boolean {
    return this.#isReady
  }

  open(): Promise<void> {
    const socket = connect(this.#path)
    this.#socket = socket
    this.#rest = Buffer.alloc(0)
    let why = 'the connection ended'
    const opened = new Promise<void>((settle, reject) => this.#waiting.set(READY, { settle: () => settle(), reject }))
    socket.on('data', (chunk: Buffer) => {
      // After it left, answers that were on their way are of no interest.
      if (this.#socket !== socket) return
      const { frames, rest } = split(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]))
      this.#rest = rest
      for (const one of frames) {
        if (one.opcode === OP.CLOSE) why = `the daemon closed with ${one.payload.toString()}`
        else this.#take(one)
      }
    })
    socket.on('error', (error) => (why = error.message))
    socket.on('close', () => {
      if (this.#socket === socket) this.#end(why)
    })
    const { kind, applicationId } = this.plan
    socket.write(frame(OP.HANDSHAKE, { v: 1, client_id: applicationId, ...HANDSHAKES[kind === 'contract' ? kind : 'plain'] }))
    return opened
  }

  call(command: string, args: object): Promise<Answer> {
    return this.#ask((nonce) => frame(OP.FRAME, { cmd: command, args, nonce }))
  }

  subscribe(event: string, args: object): Promise<Answer> {
    return this.#ask((nonce) => frame(OP.FRAME, { cmd: 'SUBSCRIBE', evt: event, args, nonce }))
  }

  unsubscribe(event: string, args: object): Promise<Answer> {
    return this.#ask((nonce) => frame(OP.FRAME, { cmd: 'UNSUBSCRIBE', evt: event, args, nonce }))
  }

  /** Resolves at the PONG with the same payload, which has so many characters more. */
  ping(characters = 0): Promise<Answer> {
    return this.#ask((nonce) => frame(OP.PING, { nonce, more: 'x'.repeat(characters) }))
  }

  /** False: it takes no more bytes from its socket, until true. */
  setReading(isReading: boolean): void {
    if (isReading) this.#socket?.resume()
    else this.#socket?.pause()
  }

  leave(politely: boolean): Promise<void> {
    const socket = this.#socket
    this.#socket = undefined
    if (socket === undefined || socket.destroyed) return Promise.resolve()
    this.#forget('the game left')
    return new Promise((settle) => {
      socket.once('close', () => settle())
      if (politely) socket.write(frame(OP.CLOSE, { code: 1000, message: 'bye' }), () => socket.destroy())
      else socket.destroy()
    })
  }

  #ask(bytesOf: (nonce: string) => Buffer): Promise<Answer> {
    const socket = this.#socket
    if (socket === undefined || !this.#isReady) return Promise.reject(new Lost('the game is not connected'))
    const nonce = `${this.plan.name} ${++this.#calls}`
    return new Promise((settle, reject) => {
      this.#waiting.set(nonce, { settle, reject })
      socket.write(bytesOf(nonce))
    })
  }

  #take({ opcode, payload }: Received): void {
    if (opcode === OP.PING) return void this.#socket?.write(frame(OP.PONG, payload))
    if (opcode === OP.PONG) return this.#settle((jsonOf(payload) as { nonce: string }).nonce, { code: undefined, data: null })
    const { evt, data, nonce } = jsonOf(payload) as Message
    if (typeof nonce === 'string') return this.#settle(nonce, { code: evt === 'ERROR' ? (data as { code: number }).code : undefined, data })
    if (evt !== READY) return this.#listener.onEvent(evt ?? '', data)
    this.#isReady = true
    this.#settle(READY, { code: undefined, data })
  }

  #settle(nonce: string, answer: Answer): void {
    const waiting = this.#waiting.get(nonce)
    this.#waiting.delete(nonce)
    if (waiting === undefined) this.#listener.onBroken(`an answer came to ${nonce}, which was answered or never asked`)
    else waiting.settle(answer)
  }

  #end(why: string): void {
    this.#socket = undefined
    this.#forget(why)
    this.#listener.onLost(why)
  }

  #forget(why: string): void {
    this.#isReady = false
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(new Lost(why))
  }
}
