/** A gateway connection that the test controls, and that records what it sends. */
import type { GatewayConnection, GatewayConnectionOptions, GatewayState } from '#daemon/src/platform/gateway/gateway.ts'

export class FakeGatewayConnection implements GatewayConnection {
  ignored = 0
  state: GatewayState = { name: 'waiting' }
  readonly options: GatewayConnectionOptions
  readonly identity: string
  readonly sent: { readonly op: number; readonly d: unknown }[] = []
  isStarted = false
  isStopped = false
  /** The error of `send`. */
  failure: Error | undefined
  #seq = 0

  constructor(options: GatewayConnectionOptions, identity: string) {
    this.options = options
    this.identity = identity
  }

  start(): void {
    this.isStarted = true
    this.setState({ name: 'connecting' })
  }

  async stop(): Promise<void> {
    this.isStopped = true
  }

  async send(op: number, d: unknown): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.sent.push({ op, d })
  }

  setState(state: GatewayState): void {
    this.state = state
    this.options.onState(state)
  }

  dispatch(t: string, d: unknown = {}): void {
    this.options.onDispatch({ t, s: ++this.#seq, d })
  }

  /** Starts a new gateway session with these guilds. */
  ready(...guilds: readonly object[]): void {
    this.dispatch('READY', { session_id: 's', guilds: guilds.map((guild) => ({ id: (guild as { id: string }).id, unavailable: true })) })
    this.setState({ name: 'live' })
    for (const guild of guilds) this.dispatch('GUILD_CREATE', guild)
  }

  resumed(): void {
    this.dispatch('RESUMED')
    this.setState({ name: 'live' })
  }
}
