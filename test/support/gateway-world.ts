/** The real gateway provider with a fake platform: sessions that record their events, and connections that the test controls. */
import { BUDGETS } from '@sallyport/core/budgets'
import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import { expandScopes, type UserGuild } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { BridgeError } from '@sallyport/core/errors'
import { Session, type SessionConnection, type SignInListener } from '#daemon/src/sessions/session.ts'
import { SessionRegistry } from '#daemon/src/sessions/registry.ts'
import { noHistory } from '#test/support/no-history.ts'
import { DirectMessageSync } from '#daemon/src/events/providers/gateway/direct-message-sync.ts'
import { GuildStatuses } from '#daemon/src/events/providers/gateway/guild-statuses.ts'
import type { GatewayCredentials } from '#daemon/src/events/providers/gateway/credentials.ts'
import { DesiredPresence } from '#daemon/src/events/providers/gateway/desired-presence.ts'
import { GatewayProvider } from '#daemon/src/events/providers/gateway/provider.ts'
import { GuildStatusPoll } from '#daemon/src/events/providers/poll/guild-status-poll.ts'
import { createPublisher } from '#daemon/src/events/publisher.ts'
import { EventProviders } from '#daemon/src/events/providers.ts'
import { EventRouting } from '#daemon/src/events/routing.ts'
import type { EventSelector } from '#daemon/src/events/subscription-registry.ts'
import { SubscriptionRegistry } from '#daemon/src/events/subscription-registry.ts'
import { FakeClock, settled } from './fake-clock.ts'
import { FakeGatewayConnection } from './fake-gateway-connection.ts'
import { RecordingLog } from './recording-log.ts'

export const APPLICATION = '1234567890'
export const ANN = '80351110224678912'
export const GUILD_SCOPES = ['identify', 'rpc', 'gateway.connect']
/** Two guilds in the form of GUILD_CREATE. */
export const HARBOUR = { id: '7', name: 'Harbour', icon: 'a1', approximate_presence_count: 2, channels: [] }
export const LIGHTHOUSE = { id: '8', name: 'Lighthouse', icon: null, approximate_presence_count: 5, channels: [] }
export const IDLE_MS = BUDGETS.gatewayIdleMs.value

/** A session of a game that records its events. */
export class Listener {
  readonly session: Session
  readonly #received: { readonly name: string; readonly data: unknown }[] = []

  constructor(id: number, applicationId: string, onSignIn?: SignInListener) {
    const channel: SessionConnection = {
      id,
      peer: { uid: 1000, pid: id, executable: '/games/one', file: '1:2', trust: 'kernel' },
      encoding: { name: 'json' },
      maxPayloadBytes: 65_528,
      isOpen: true,
      encodeEvent: (name, data) => Buffer.from(JSON.stringify({ name, data })),
      deliver: (frame) => this.#received.push(JSON.parse(frame.toString()) as { name: string; data: unknown }),
      close: () => {},
      proveSender: async () => true,
    }
    this.session = new Session(channel, { applicationId, contract: '1.0' }, onSignIn)
  }

  /** The events since the last call. */
  received(): { readonly name: string; readonly data: unknown }[] {
    return this.#received.splice(0)
  }
}

export async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await settled()
}

export class GatewayWorld {
  readonly clock = new FakeClock()
  readonly log = new RecordingLog()
  readonly hub = new SubscriptionRegistry<Session>()
  readonly lifecycle = new LifecycleEvents()
  readonly registry = new SessionRegistry(this.lifecycle)
  readonly connections: FakeGatewayConnection[] = []
  /** Applications with a stored bot token. */
  readonly bots = new Set<string>()
  /** Flags of every application. */
  flags = 0
  /** How often they were read. */
  flagReads = 0
  /** The guilds of every user via HTTP; undefined: the platform does not respond. */
  guilds: UserGuild[] | undefined = []
  /** How often they were read. */
  reads = 0
  readonly activityMessages: unknown[] = []
  readonly history: unknown[] = []
  readonly desiredPresence = new DesiredPresence()
  readonly routing = new EventRouting()
  readonly provider: GatewayProvider
  readonly providers: EventProviders

  constructor(isObfuscated = false) {
    const { clock, log, hub, registry, routing, desiredPresence } = this
    const publish = createPublisher({ hub, clock })
    const imageOrigin = 'https://cdn.example.test'
    const poll = new GuildStatusPoll({
      hub,
      clock,
      log,
      routing,
      imageOrigin,
      random: () => 0.5,
      api: {
        asSession: async () => {
          this.reads++
          if (this.guilds === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'No response.')
          return this.guilds
        },
      },
    })
    const platform: GatewayCredentials = {
      hasBot: async (applicationId) => this.bots.has(applicationId),
      token: async (identity, source) => {
        if (identity.kind === 'user' && source === undefined) throw new BridgeError('INVALID_TOKEN', 'No user is signed in.')
        return new Secret(identity.kind === 'bot' ? 'bot-token' : `Bearer ${source?.signedIn.accessToken.reveal()}`)
      },
      url: async () => 'wss://gateway.example.test',
      flags: async () => {
        this.flagReads++
        return this.flags
      },
    }
    this.provider = new GatewayProvider({
      hub,
      clock,
      log,
      publish,
      credentials: platform,
      signedInAs: (account) => registry.signedInAs(account),
      statuses: new GuildStatuses({ hub, imageOrigin }),
      directMessages: new DirectMessageSync({
        log,
        history: {
          ...noHistory,
          onMessage: async (...args) => void this.history.push(args),
          onMessageDeleted: async (...taken) => void this.history.push(taken),
        },
        onActivityMessage: (message, account) => this.activityMessages.push({ message, account }),
      }),
      imageOrigin,
      compress: 'none',
      isObfuscated,
      openConnection: async (options, applicationId) => {
        const connection = new FakeGatewayConnection(options, applicationId)
        this.connections.push(connection)
        return connection
      },
      desiredPresence,
      routing,
    })
    this.lifecycle.on('sessionChanged', (session) => this.provider.sessionChanged(session))
    this.providers = new EventProviders({ hub, routing, providers: [this.provider, poll] })
    void this.providers.start()
  }

  #count = 0
  /** A session that is signed in, unless there is no user. */
  session({
    userId = ANN,
    scopes = GUILD_SCOPES,
    applicationId = APPLICATION,
  }: {
    userId?: string
    scopes?: readonly string[]
    applicationId?: string
  } = {}): Listener {
    const listener = new Listener(++this.#count, applicationId, this.registry.signInChanged)
    this.registry.add(listener.session)
    this.signIn(listener, userId, scopes)
    return listener
  }

  signIn({ session }: Listener, userId: string, scopes: readonly string[] = GUILD_SCOPES): void {
    const accessToken = new Secret(`token-of-${userId}`)
    const signedIn = {
      userId,
      username: 'ann',
      applicationName: 'Game',
      accessToken,
      isManaged: false,
      expiresAt: Number.POSITIVE_INFINITY,
    }
    session.signIn(signedIn, ['rpc.authenticated', ...expandScopes(scopes)])
    this.hub.scopesChanged(session)
  }

  /** Subscribes like SUBSCRIBE. Rejects with its error. */
  async subscribe({ session }: Listener, name: string, args: object = {}): Promise<void> {
    const event: EventSelector = { name, args }
    this.hub.subscribe(session, event)
    const confirmed = this.providers.confirm(session, event)
    confirmed?.catch(() => this.hub.unsubscribe(session, event))
    await turns()
    if (confirmed !== undefined && (this.connections.at(-1)?.state.name === 'live' || this.connections.length === 0)) await confirmed
    await turns()
  }

  leave({ session }: Listener): void {
    this.registry.remove(session)
    this.hub.removeSubscriber(session)
  }

  /** The last opened connection. */
  get connection(): FakeGatewayConnection {
    const connection = this.connections.at(-1)
    if (connection === undefined) throw new Error('no connection was opened')
    return connection
  }
  get open(): FakeGatewayConnection[] {
    return this.connections.filter(({ isStarted, isStopped }) => isStarted && !isStopped)
  }

  /** A session with these subscriptions, whose connection is live and in both guilds; earlier events are dropped. */
  async subscribed(...names: readonly string[]): Promise<Listener> {
    const game = this.session()
    for (const name of names) await this.subscribe(game, name)
    this.connection.ready(HARBOUR, LIGHTHOUSE)
    await turns()
    game.received()
    return game
  }
}
