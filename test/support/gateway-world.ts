/** The gateway source with everything real but the platform and its links: sessions that hear, and links that the test drives. */
import { expandScopes, LIMITS, type UserGuild } from '@sallyport/protocol'
import { Secret } from '@sallyport/core/secret'
import { BridgeError } from '@sallyport/core/errors'
import { Session, type SessionConnection } from '../../daemon/src/sessions/session.ts'
import { SessionRegistry } from '../../daemon/src/sessions/registry.ts'
import { noHistory } from '../../daemon/src/messages/history.ts'
import { Conversations } from '../../daemon/src/events/providers/gateway/conversations.ts'
import type { GatewayParty } from '../../daemon/src/platform/gateway/gateway.ts'
import { GuildStatuses } from '../../daemon/src/events/providers/gateway/guild-statuses.ts'
import type { PlatformSide } from '../../daemon/src/events/providers/gateway/platform-side.ts'
import { GatewaySource } from '../../daemon/src/events/providers/gateway/source.ts'
import { GuildStatusPoll } from '../../daemon/src/events/providers/poll/guild-status-poll.ts'
import { tellOnce } from '../../daemon/src/events/once.ts'
import { Sources } from '../../daemon/src/events/sources.ts'
import { ToldStatuses } from '../../daemon/src/events/told-statuses.ts'
import type { DesiredEvent } from '../../daemon/src/events/hub.ts'
import { SubscriptionHub } from '../../daemon/src/events/hub.ts'
import { FakeClock, settled } from './fake-clock.ts'
import { FakeGatewayLink } from './fake-gateway-link.ts'
import { RecordingLog } from './recording-log.ts'

export const APPLICATION = '1234567890'
export const ANN = '80351110224678912'
export const GUILD_SCOPES = ['identify', 'rpc', 'gateway.connect']
/** Two guilds as a connection of their member is told of them. */
export const HARBOUR = { id: '7', name: 'Harbour', icon: 'a1', approximate_presence_count: 2, channels: [] }
export const LIGHTHOUSE = { id: '8', name: 'Lighthouse', icon: null, approximate_presence_count: 5, channels: [] }
export const IDLE_MS = LIMITS.gatewayIdleMs.value

/** A session of a game that keeps what it hears. */
export class Listener {
  readonly caller: Session
  readonly #heard: { readonly name: string; readonly data: unknown }[] = []

  constructor(id: number, applicationId: string) {
    const channel: SessionConnection = {
      id,
      peer: { uid: 1000, pid: id, executable: '/games/one', file: '1:2', trust: 'kernel' },
      encoding: { name: 'json' },
      isOpen: true,
      encodeEvent: (name, data) => Buffer.from(JSON.stringify({ name, data })),
      deliver: (frame) => this.#heard.push(JSON.parse(frame.toString()) as { name: string; data: unknown }),
      close: () => {},
      proveSender: async () => true,
    }
    this.caller = new Session(channel, { applicationId, contract: '1.0' })
  }

  /** What came since the last look. */
  heard(): { readonly name: string; readonly data: unknown }[] {
    return this.#heard.splice(0)
  }
}

export async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await settled()
}

export class GatewayWorld {
  readonly clock = new FakeClock()
  readonly log = new RecordingLog()
  readonly hub = new SubscriptionHub<Session>()
  readonly registry = new SessionRegistry()
  readonly links: FakeGatewayLink[] = []
  /** Applications whose bot is known. */
  readonly bots = new Set<string>()
  /** Flags of every application. */
  flags = 0
  /** Who else is asked about guilds. */
  readonly otherwise: string[] = []
  /** The guilds of every user by HTTP; undefined: it does not answer. */
  guilds: UserGuild[] | undefined = []
  /** How often they were read. */
  reads = 0
  readonly activityMessages: unknown[] = []
  readonly kept: unknown[] = []
  presence: (party: GatewayParty) => object | undefined = () => undefined
  readonly source: GatewaySource
  readonly sources: Sources

  constructor(isObfuscated = false) {
    const { clock, log, hub, registry } = this
    const tell = tellOnce({ hub, clock })
    const statusesTold = new ToldStatuses()
    const imageOrigin = 'https://cdn.example.test'
    const poll = new GuildStatusPoll({
      hub,
      clock,
      log,
      told: statusesTold,
      imageOrigin,
      random: () => 0.5,
      isToldElsewhere: (caller) => this.source.tellsGuildsTo(caller),
      read: async () => {
        this.reads++
        if (this.guilds === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', 'It does not answer.')
        return this.guilds
      },
    })
    const platform: PlatformSide = {
      hasBot: async (applicationId) => this.bots.has(applicationId),
      token: async (party, holder) => {
        if (party.kind === 'user' && holder === undefined) throw new BridgeError('INVALID_TOKEN', 'Nobody is signed in.')
        return new Secret(party.kind === 'bot' ? 'bot-token' : `Bearer ${holder?.signedIn.accessToken.reveal()}`)
      },
      url: async () => 'wss://gateway.example.test',
      flags: async () => this.flags,
    }
    this.source = new GatewaySource({
      hub,
      clock,
      log,
      tell,
      platform,
      sessions: () => registry.all(),
      statuses: new GuildStatuses({ hub, tell, told: statusesTold, imageOrigin }),
      conversations: new Conversations({
        log,
        history: {
          ...noHistory,
          told: async (...told) => void this.kept.push(told),
          takenBack: async (...taken) => void this.kept.push(taken),
        },
        onActivityMessage: (message, account) => this.activityMessages.push({ message, account }),
      }),
      imageOrigin,
      compress: 'none',
      isObfuscated,
      openLink: async (options, applicationId) => {
        const link = new FakeGatewayLink(options, applicationId)
        this.links.push(link)
        return link
      },
      presenceOf: (party) => this.presence(party),
      onConnection: () => {},
      otherwise: {
        welcome: (caller, event) => {
          this.otherwise.push(`${caller.channel.id} ${event.name}`)
          return poll.welcome(caller, event)
        },
        reconsider: () => poll.apply(),
      },
    })
    registry.onChange((caller) => this.source.sessionChanged(caller))
    this.sources = new Sources(hub, [this.source, poll])
    void this.sources.start()
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
    const listener = new Listener(++this.#count, applicationId)
    this.registry.add(listener.caller)
    this.signIn(listener, userId, scopes)
    return listener
  }

  signIn({ caller }: Listener, userId: string, scopes: readonly string[] = GUILD_SCOPES): void {
    const accessToken = new Secret(`token-of-${userId}`)
    const signedIn = {
      userId,
      username: 'ann',
      applicationName: 'Game',
      accessToken,
      isManaged: false,
      expiresAt: Number.POSITIVE_INFINITY,
    }
    caller.signIn(signedIn, ['rpc.authenticated', ...expandScopes(scopes)])
    this.hub.scopesChanged(caller)
  }

  /** As SUBSCRIBE does; rejects with what it would be refused with. */
  async want({ caller }: Listener, name: string, args: object = {}): Promise<void> {
    const event: DesiredEvent = { name, args }
    this.hub.subscribe(caller, event)
    const welcomed = this.sources.welcome(caller, event)
    welcomed?.catch(() => this.hub.unsubscribe(caller, event))
    await turns()
    if (welcomed !== undefined && (this.links.at(-1)?.state.name === 'live' || this.links.length === 0)) await welcomed
    await turns()
  }

  leave({ caller }: Listener): void {
    this.registry.remove(caller)
    this.hub.drop(caller)
  }

  /** The link that was opened last. */
  get link(): FakeGatewayLink {
    const link = this.links.at(-1)
    if (link === undefined) throw new Error('no link was opened')
    return link
  }
  get open(): FakeGatewayLink[] {
    return this.links.filter(({ isStarted, isStopped }) => isStarted && !isStopped)
  }

  /** A session that wants these, whose user's connection is live and in both guilds; what came until then is left out. */
  async listening(...names: readonly string[]): Promise<Listener> {
    const game = this.session()
    for (const name of names) await this.want(game, name)
    this.link.ready(HARBOUR, LIGHTHOUSE)
    await turns()
    game.heard()
    return game
  }
}
