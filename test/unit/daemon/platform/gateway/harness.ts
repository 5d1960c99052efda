/** A link on a socket, a clock and a die that the test holds. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayLink, GatewayLinkOptions, GatewayState } from '../../../../../daemon/src/platform/gateway/gateway.ts'
import { IdentifyLimit } from '../../../../../daemon/src/platform/gateway/identify-limit.ts'
import { createGatewayLink } from '../../../../../daemon/src/platform/gateway/link.ts'
import type { GatewaySocketListener } from '../../../../../daemon/src/platform/gateway/socket.ts'
import { FakeClock, settled } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

export const INTERVAL_MS = 40_000
export const TOKEN = 'Bearer planted-token'

interface Sent {
  readonly op: number
  readonly d: unknown
}

export class FakeSocket {
  readonly url: string
  readonly sent: Sent[] = []
  /** What the link closed it with. */
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

  /** What the platform says. */
  say(op: number, d: unknown = null, more: object = {}): void {
    this.#listener.onMessage(JSON.stringify({ op, d, s: null, t: null, ...more }))
  }
  sayText(text: string): void {
    this.#listener.onMessage(text)
  }
  unreadable(problem: string): void {
    this.#listener.onUnreadable(problem)
  }
  dispatch(t: string, s: number, d: unknown = {}): void {
    this.say(0, d, { t, s })
  }
  /** The socket is gone. */
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
  readonly identifies = new IdentifyLimit()
  readonly sockets: FakeSocket[] = []
  readonly states: GatewayState[] = []
  readonly dispatches: GatewayDispatch[] = []
  /** What the die says. */
  chance = 0.5
  tokens = 0
  urls = 0
  readonly link: GatewayLink

  constructor(options: Partial<GatewayLinkOptions> = {}) {
    this.link = createGatewayLink(
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
        ...options,
      },
      {
        clock: this.clock,
        log: this.log,
        random: () => this.chance,
        identifies: this.identifies,
        dial: (url, _compress, listener) => {
          const socket = new FakeSocket(url, listener)
          this.sockets.push(socket)
          return socket
        },
      },
    )
  }

  /** The newest one. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (socket === undefined) throw new Error('nothing was dialed')
    return socket
  }

  async started(): Promise<FakeSocket> {
    this.link.start()
    await settled()
    return this.socket
  }

  /** Connected, with Hello said. */
  async greeted(): Promise<FakeSocket> {
    const socket = await this.started()
    socket.say(GATEWAY_OPCODES.HELLO.op, { heartbeat_interval: INTERVAL_MS })
    return socket
  }

  async live(): Promise<FakeSocket> {
    const socket = await this.greeted()
    this.ready(socket)
    return socket
  }

  ready(socket: FakeSocket, sessionId = 'session-1'): void {
    socket.dispatch('READY', 1, { session_id: sessionId, resume_gateway_url: 'wss://resume.example' })
  }

  /** Time goes by; answers of promises come in between. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    await settled()
  }

  /** Until the link dials again, however long it waits before. */
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
