/** A gateway connection with socket, clock and random source under test control. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import { TurnQueue } from '@sallyport/core/turn-queue'
import { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayConnection, GatewayConnectionOptions, GatewayState } from '#daemon/src/platform/gateway/gateway.ts'
import { IdentifyThrottle } from '#daemon/src/platform/gateway/identify-throttle.ts'
import { createGatewayConnection } from '#daemon/src/platform/gateway/connection.ts'
import type { GatewaySocketListener } from '#daemon/src/platform/gateway/socket.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

export const INTERVAL_MS = 40_000
export const TOKEN = 'Bearer planted-token'

interface Sent {
  readonly op: number
  readonly d: unknown
}

export class FakeSocket {
  readonly url: string
  readonly sent: Sent[] = []
  /** The close code sent by the connection. */
  closedWith: number | undefined
  isDestroyed = false
  isOpen = true
  readonly #listener: GatewaySocketListener

  constructor(url: string, listener: GatewaySocketListener) {
    this.url = url
    this.#listener = listener
  }

  send = (text: string): void => void this.sent.push(JSON.parse(text) as Sent)
  close = (code: number): void => {
    this.closedWith = code
  }
  destroy = (): void => {
    this.isDestroyed = true
    this.closed()
  }

  /** Sends a payload of the platform. */
  say(op: number, d: unknown = null, more: object = {}): void {
    this.#listener.onMessage(JSON.stringify({ op, d, s: null, t: null, ...more }))
  }
  sayText(text: string): void {
    this.#listener.onMessage(text)
  }
  sayLarge(text: string): Promise<void> {
    return this.#listener.onLargeMessage(Buffer.from(text), () => false)
  }
  unreadable(problem: string): void {
    this.#listener.onUnreadable(problem)
  }
  dispatch(t: string, s: number, d: unknown = {}): void {
    this.say(0, d, { t, s })
  }
  /** Closes the socket. */
  closed(code?: number, problem?: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#listener.onClosed(code, problem)
  }

  of(op: number): Sent[] {
    return this.sent.filter((one) => one.op === op)
  }
}

export class Harness {
  readonly clock = new FakeClock()
  readonly log = new RecordingLog()
  readonly identifies = new IdentifyThrottle()
  readonly sockets: FakeSocket[] = []
  readonly states: GatewayState[] = []
  readonly dispatches: GatewayDispatch[] = []
  /** The next random value. */
  chance = 0.5
  tokens = 0
  /** How often memory is to be released. */
  releases = 0
  urls = 0
  readonly connection: GatewayConnection

  constructor(options: Partial<GatewayConnectionOptions> = {}) {
    this.connection = createGatewayConnection(
      {
        token: async () => {
          this.tokens++
          return new Secret(TOKEN)
        },
        url: async () => {
          this.urls++
          return 'wss://gateway.example'
        },
        intents: 513,
        capabilities: 0,
        compress: 'none',
        presence: () => undefined,
        onDispatch: (dispatch) => void this.dispatches.push(dispatch),
        onState: (state) => void this.states.push(state),
        takerOf: () => undefined,
        ...options,
      },
      {
        clock: this.clock,
        log: this.log,
        random: () => this.chance,
        identifyThrottle: this.identifies,
        turns: new TurnQueue(this.clock, setImmediate),
        quiet: { start: () => void this.releases++ },
        dial: (url, _compress, listener) => {
          const socket = new FakeSocket(url, listener)
          this.sockets.push(socket)
          return socket
        },
      },
    )
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error('nothing was dialed')
    return socket
  }

  async started(): Promise<FakeSocket> {
    this.connection.start()
    await settled()
    return this.socket
  }

  /** Connected, after Hello. */
  async afterHello(): Promise<FakeSocket> {
    const socket = await this.started()
    socket.say(GATEWAY_OPCODES.HELLO.op, { heartbeat_interval: INTERVAL_MS })
    return socket
  }

  async live(): Promise<FakeSocket> {
    const socket = await this.afterHello()
    this.ready(socket)
    return socket
  }

  ready(socket: FakeSocket, sessionId = 'session-1'): void {
    socket.dispatch('READY', 1, { session_id: sessionId, resume_gateway_url: 'wss://resume.example' })
  }

  /** Advances the clock; promises settle in between. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await settled()
  }

  /** Advances until the next connection attempt. */
  async nextSocket(): Promise<FakeSocket> {
    const count = this.sockets.length
    await settled()
    for (let tries = 0; this.sockets.length === count && tries < 20; tries++) {
      const at = this.clock.nextAt
      if (at === undefined) break
      await this.pass(Math.max(0, at - this.clock.now()))
    }
    if (this.sockets.length === count) throw new Error('it did not dial again')
    return this.socket
  }
}
