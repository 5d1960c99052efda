/** The daemon between a link and its ports: real router, gate, hub, presence and sessions; fakes only where the world begins. */
import type { UserGuild } from '@sallyport/protocol'
import { Accounts } from '../../daemon/src/auth/accounts/accounts.ts'
import { LocalUser } from '../../daemon/src/sessions/local-user.ts'
import { Accounting } from '../../daemon/src/accounting/accounting.ts'
import { UnverifiedRequests } from '../../daemon/src/accounting/unverified-requests.ts'
import { createDeviceSignIns } from '../../daemon/src/auth/oauth/device-sign-ins.ts'
import { createBotTokens } from '../../daemon/src/auth/tokens/bot-tokens.ts'
import { createMemoryCollection } from '../../daemon/src/auth/vault/memory.ts'
import type { BotToken } from '../../daemon/src/auth/vault/vault.ts'
import { RpcServer } from '../../daemon/src/rpc/server.ts'
import { json } from '../../daemon/src/ipc/codec/json.ts'
import { msgpackCodec } from '../../daemon/src/ipc/codec/msgpack.ts'
import { DEFAULT_HANDLERS, HANDLERS } from '../../daemon/src/rpc/handlers/index.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Secret } from '@sallyport/core/secret'
import type { Services } from '../../daemon/src/rpc/context.ts'
import type { Session } from '../../daemon/src/sessions/session.ts'
import { SessionRegistry } from '../../daemon/src/sessions/registry.ts'
import { accountDeps } from '../../daemon/src/sessions/revocation.ts'
import { Router } from '../../daemon/src/rpc/router.ts'
import { Grants } from '../../daemon/src/auth/grants/grants.ts'
import { PresenceArbiter } from '../../daemon/src/presence/arbiter.ts'
import { SessionOwners } from '../../daemon/src/presence/session-owners.ts'
import { createPresenceStore } from '../../daemon/src/presence/presence-store.ts'
import { GuildStatusPoll } from '../../daemon/src/events/providers/poll/guild-status-poll.ts'
import { joinSecretFetcher } from '../../daemon/src/social/join-secrets.ts'
import { joinableActivityOf } from '../../daemon/src/social/joinable.ts'
import { GameInvites } from '../../daemon/src/social/game-invites.ts'
import { playStateOf } from '../../daemon/src/social/play-state.ts'
import { createPublisher } from '../../daemon/src/events/publisher.ts'
import { LastGuildStatuses } from '../../daemon/src/events/last-guild-statuses.ts'
import { EventProviders } from '../../daemon/src/events/providers.ts'
import { SubscriptionRegistry } from '../../daemon/src/events/subscription-registry.ts'
import { type MessageHistory, noHistory } from '../../daemon/src/messages/history.ts'
import type { ChannelReceiver, PeerIdentity } from '../../daemon/src/ipc/transport/transport.ts'
import { openUpload } from '../../daemon/src/platform/api/open-upload.ts'
import { botIdentity } from '../../daemon/src/auth/tokens/bot-identity.ts'
import type { Forwarder } from '../../daemon/src/platform/api/forwarder-port.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeGateway } from './fake-gateway.ts'
import { FakeDesktopClient, FakeLaunches } from './fake-social.ts'
import { FakeAuthorizer, FakeConsent, FakeForwarder, FakeGrantStore, FakeTokenStore, FakeTokenEndpoint } from './fakes.ts'
import { frame, handshake, type Message, messages, OP } from './frames.ts'
import { MemoryChannel } from './memory-channel.ts'
import { RecordingLog } from './recording-log.ts'

export const DEFAULT_USER = {
  id: '1',
  username: 'player',
  discriminator: '0',
  avatar: null,
  global_name: 'Player',
  bot: false,
  flags: 0,
  premium_type: 0,
}

export interface TestBridgeOptions {
  readonly clock?: Clock
  readonly forwarder?: Forwarder
  readonly botToken?: Secret<string>
  readonly history?: MessageHistory
  readonly user?: typeof DEFAULT_USER
  readonly uid?: number
}

export function testBridge({
  clock = new FakeClock(),
  forwarder,
  botToken,
  history = noHistory,
  user = DEFAULT_USER,
  uid,
}: TestBridgeOptions = {}) {
  const log = new RecordingLog()
  const accounting = new Accounting(clock)
  const registry = new SessionRegistry()
  const hub = new SubscriptionRegistry<Session>()
  const shown = createPresenceStore()
  const users = new SessionOwners(registry)
  const presence = new PresenceArbiter({ clock, sinks: [shown], userOf: (sessionId) => users.of(sessionId) })
  users.onChange((applicationId) => presence.usersChanged(applicationId))
  const account = new LocalUser(user, (now) => hub.publish({ name: 'CURRENT_USER_UPDATE', args: {} }, now))
  const platform = new FakeForwarder()
  const authorizer = new FakeAuthorizer()
  const tokenEndpoint = new FakeTokenEndpoint()
  const tokenStore = new FakeTokenStore()
  const grantStore = new FakeGrantStore()
  let grantCount = 0
  const grants = new Grants({ platform: 'test', store: grantStore, clock, newId: () => `grant${++grantCount}` })
  tokenStore.onDeleted = (applicationId, userId) => grants.deleteAccount(applicationId, userId)
  const consent = new FakeConsent()
  const accounts = new Accounts(
    accountDeps(() => ({ registry, tokenStore, history, joins, log })),
    log,
  )
  /** Sessions that another source tells how guilds stand. */
  const toldElsewhere = new Set<Session>()
  const poll = new GuildStatusPoll({
    hub,
    lastStatuses: new LastGuildStatuses(),
    isCoveredElsewhere: (caller) => toldElsewhere.has(caller),
    clock,
    log,
    random: () => 0.5,
    imageOrigin: 'https://cdn.example.test',
    read: async (caller) =>
      router.route(caller, { cmd: 'GET_CURRENT_USER_GUILDS', args: { with_counts: true }, evt: undefined, nonce: null }) as Promise<
        UserGuild[]
      >,
  })
  const desktopClient = new FakeDesktopClient()
  const gateway = new FakeGateway(botToken !== undefined)
  /** The session of the platform that shows each account's activity, by `application user`. */
  const shownSessions = new Map<string, string>()
  const launches = new FakeLaunches()
  const joinable = joinableActivityOf(presence)
  const joins = new GameInvites({
    clock,
    log,
    publish: createPublisher({ hub, clock }),
    isLinked: ({ applicationId, userId }) => desktopClient.isConnected(applicationId, userId),
    joinableActivity: joinable,
    fetchSecret: joinSecretFetcher({ registry, tokenStore, forwarder: forwarder ?? platform, clock, uid }),
    playState: playStateOf(registry, (sessionId) => users.of(sessionId)),
    launch: (applicationId) => launches.launch(applicationId),
  })
  const sources = new EventProviders(hub, [joins, poll])
  const bots = createMemoryCollection<BotToken>()
  /** What processes with access to the data folder left. */
  const proofs = new Set<string>()
  const services: Services = {
    clock,
    log,
    authorizer,
    devices: createDeviceSignIns({ tokenEndpoint, clock, charge: (program) => accounting.charge('deviceSignIns', program) }),
    unverifiedRequests: new UnverifiedRequests({ clock, window: accounting.window('strangerRequests') }),
    rejectedRequests: accounting.window('refusedRequests'),
    tokenEndpoint,
    tokenStore,
    grants,
    // As if each path held one content.
    contents: { of: async ({ executable }) => executable },
    consentPrompts: consent,
    forwarder: forwarder ?? platform,
    openUpload,
    messageHistory: history,
    platform: {
      activityProxyHost: 'activities.example.test',
      removedConnections: { a: ['riotgames', 'leagueoflegends'], b: ['provider-b'] },
    },
    subscriptions: hub,
    eventProviders: sources,
    presence,
    desktopClient,
    botRequests: gateway,
    social: {
      gameInvites: joins,
      launcher: launches,
      joinableActivity: joinable,
      sessionOf: ({ applicationId, userId }) => shownSessions.get(`${applicationId} ${userId}`),
    },
    localUser: account,
    botTokens: createBotTokens({
      platform: 'test',
      collection: bots,
      configuredToken: botToken,
      identify: botIdentity(forwarder ?? platform),
      onChange: () => {},
    }),
    redeemOperatorProof: (proof) => proofs.delete(proof),
    status: (caller) => ({
      version: '0.0.0',
      contract: '1.0',
      platform: 'test',
      uptime_s: 1,
      pid: 2,
      ipc: [],
      connections: registry.all().length,
      sessions: (caller === undefined ? registry.all() : [caller]).map(({ applicationId, pid, signedIn }) => ({
        application_id: applicationId,
        ...(pid === undefined ? {} : { pid }),
        authenticated: signedIn !== undefined,
      })),
      presences: presence.current().length,
    }),
    accounts,
    async revokeAccount(applicationId, userId, reason, cause = 'revoked_by_user') {
      await accounts.apply(applicationId, userId, cause, reason)
    },
  }
  const router = new Router(services, HANDLERS, DEFAULT_HANDLERS)
  void sources.start()
  const bridge = new RpcServer({
    clock,
    // Tests read what was told when the call that told it is back.
    scheduleEndOfTurn: (work) => work(),
    log,
    codecs: { json, msgpack: msgpackCodec() },
    router,
    sessions: registry,
    subscriptions: hub,
    presence,
    localUser: account,
    accounting,
    grants,
    readyConfig: { cdn_host: 'cdn.example.test', api_endpoint: '//example.test/api' },
    version: '0.0.0',
    uid,
  })
  return {
    bridge,
    accounting,
    clock,
    log,
    registry,
    hub,
    sources,
    presence,
    shown,
    account,
    accounts,
    platform,
    authorizer,
    tokenEndpoint,
    tokenStore,
    grants,
    grantStore,
    consent,
    bots,
    proofs,
    desktopClient,
    gateway,
    toldElsewhere,
    shownSessions,
    launches,
    joins,
    services,
  }
}

export type TestBridge = ReturnType<typeof testBridge>

/** A program that can be known again. */
export const KNOWN_PROGRAM: PeerIdentity = { trust: 'directory', kind: 'native', executable: '/games/game', file: '1:2:3:4:5' }

/** A game on a memory link. Answers come back as messages; the link itself stays in reach. */
export class Game {
  readonly link: MemoryChannel
  readonly receiver: ChannelReceiver
  #lastNonce = 0

  constructor({ bridge }: TestBridge, peer: PeerIdentity = KNOWN_PROGRAM) {
    this.link = new MemoryChannel(peer)
    this.receiver = bridge.openConnection(this.link)
  }

  /** Says hello and drops READY. */
  static greeted(of: TestBridge, hello: object = {}, peer?: PeerIdentity): Game {
    const game = new Game(of, peer)
    game.send(handshake(hello))
    game.link.take()
    return game
  }

  send(bytes: Buffer): void {
    this.receiver.onBytes(bytes)
  }

  /** One call, whose answer must be there at once. */
  call(cmd: string, args?: unknown, evt?: unknown): Message {
    this.begin(cmd, args, evt)
    return this.#only()
  }

  /** One call, whose answer may take a turn of the event loop. */
  async ask(cmd: string, args?: unknown, evt?: unknown): Promise<Message> {
    this.begin(cmd, args, evt)
    for (let turn = 0; turn < 50 && this.link.writes.length === 0; turn++) await new Promise((resolve) => setImmediate(resolve))
    return this.#only()
  }

  /** Sends a call and gives its nonce. */
  begin(cmd: string, args?: unknown, evt?: unknown): string {
    const nonce = `nonce-${++this.#lastNonce}`
    this.send(frame(OP.FRAME, { cmd, nonce, args, evt }))
    return nonce
  }

  /** The messages that came since the last look. */
  heard(): Message[] {
    return messages(this.link.take())
  }

  #only(): Message {
    const heard = this.heard()
    const [answer] = heard
    if (heard.length !== 1 || answer === undefined)
      throw new Error(`${heard.length} messages instead of one answer: ${JSON.stringify(heard)}`)
    if (answer.nonce !== `nonce-${this.#lastNonce}`) throw new Error(`the answer has the nonce ${answer.nonce}`)
    return answer
  }
}
