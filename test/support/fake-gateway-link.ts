/** A gateway link that does what the test says, and keeps what it was told to do. */
import type { GatewayLink, GatewayLinkOptions, GatewayState } from '../../daemon/src/platform/gateway/gateway.ts'

export class FakeGatewayLink implements GatewayLink {
  ignored = 0
  state: GatewayState = { name: 'waiting' }
  readonly options: GatewayLinkOptions
  readonly party: string
  readonly sent: { readonly op: number; readonly d: unknown }[] = []
  isStarted = false
  isStopped = false
  /** What `send` fails with. */
  failure: Error | undefined
  #seq = 0

  constructor(options: GatewayLinkOptions, party: string) {
    this.options = options
    this.party = party
  }

  start(): void {
    this.isStarted = true
    this.become({ name: 'connecting' })
  }

  async stop(): Promise<void> {
    this.isStopped = true
  }

  async send(op: number, d: unknown): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.sent.push({ op, d })
  }

  become(state: GatewayState): void {
    this.state = state
    this.options.onState(state)
  }

  dispatch(t: string, d: unknown = {}): void {
    this.options.onDispatch({ t, s: ++this.#seq, d })
  }

  /** A new session, in which these guilds come. */
  ready(...guilds: readonly object[]): void {
    this.dispatch('READY', { session_id: 's', guilds: guilds.map((guild) => ({ id: (guild as { id: string }).id, unavailable: true })) })
    this.become({ name: 'live' })
    for (const guild of guilds) this.dispatch('GUILD_CREATE', guild)
  }

  resumed(): void {
    this.dispatch('RESUMED')
    this.become({ name: 'live' })
  }
}
