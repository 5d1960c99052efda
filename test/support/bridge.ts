/** The openers of the daemon with fakes of what lies outside, and games that connect to it in memory. */
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import { createBotTokens } from '#daemon/src/auth/tokens/bot-tokens.ts'
import { createMemoryCollection } from '#test/support/memory-vault.ts'
import type { BotToken } from '#daemon/src/auth/vault/vault.ts'
import type { Clients } from '#daemon/src/app/client-parts.ts'
import { openEvents } from '#daemon/src/app/events.ts'
import type { Host } from '#daemon/src/app/host.ts'
import { openPresence } from '#daemon/src/app/presence.ts'
import { openRpc } from '#daemon/src/app/rpc.ts'
import { openSessions } from '#daemon/src/app/sessions.ts'
import type { Clock } from '@sallyport/core/clock'
import { Signal } from '@sallyport/core/signal'
import type { Secret } from '@sallyport/core/secret'
import { TurnQueue } from '@sallyport/core/turn-queue'
import type { Session } from '#daemon/src/sessions/session.ts'
import type { ConsentPrompt } from '#daemon/src/auth/consent/consent-prompts.ts'
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import type { MessageHistory } from '#daemon/src/events/messages/history.ts'
import { noHistory } from '#test/support/no-history.ts'
import type { ChannelReceiver, PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { Meter } from '#daemon/src/operator/metrics/meter.ts'
import { AuthorizationPages } from '#daemon/src/operator/authorization-pages.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import { botIdentity } from '#daemon/src/auth/tokens/bot-identity.ts'
import type { Forwarder } from '#daemon/src/platform/api/forwarder-port.ts'
import { keyedCallsForTest } from './keyed-calls.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeGateway } from './fake-gateway.ts'
import { FakeUserRequests } from './fake-user-requests.ts'
import { FakeDesktopClient, FakeLaunches } from './fake-social.ts'
import { FakeAuthorizer, FakeConsent, FakeForwarder, FakeGrantStore, FakeTokenStore, FakeTokenEndpoint } from './fakes.ts'
import { frame, handshake, type Message, messages, OP } from './frames.ts'
import { MemoryChannel } from './memory-channel.ts'
import { RecordingLog } from './recording-log.ts'

// The bridge loads it for the first operator, which takes more turns than an answer may.
await import('#daemon/src/rpc/traces.ts')

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
  readonly strictArguments?: boolean
}

const PROFILE = {
  name: 'test',
  baseUrl: 'https://example.test/api/v10',
  cdnHost: 'cdn.example.test',
  activityProxyHost: 'activities.example.test',
  removedConnections: { a: ['riotgames', 'leagueoflegends'], b: ['provider-b'] },
}

/** The daemon over fakes of what lies outside. */
export function testBridge({
  clock = new FakeClock(),
  forwarder: realForwarder,
  botToken,
  history = noHistory,
  user = DEFAULT_USER,
  uid,
  strictArguments = false,
}: TestBridgeOptions = {}) {
  const log = new RecordingLog()
  const uploadFolder = join(tmpdir(), `sallyport-uploads-${randomUUID()}`)
  const accounting = new Accounting(clock)
  const lifecycle = new LifecycleEvents()
  const platform = new FakeForwarder()
  const forwarder = realForwarder ?? platform
  const authorizer = new FakeAuthorizer()
  const tokenEndpoint = new FakeTokenEndpoint()
  const tokenStore = new FakeTokenStore()
  tokenStore.onDeleted = (account) => lifecycle.emit('tokensDeleted', account)
  const grantStore = new FakeGrantStore()
  let grantCount = 0
  const grants = new Grants({ platform: 'test', store: grantStore, clock, newId: () => `grant${++grantCount}` })
  const consent = new FakeConsent()
  const bots = createMemoryCollection<BotToken>()
  const botTokens = createBotTokens({
    platform: 'test',
    collection: bots,
    configuredToken: botToken,
    identify: botIdentity(forwarder),
    onChange: (applicationId) => lifecycle.emit('botTokenChanged', { applicationId }),
  })
  const desktopClient = new FakeDesktopClient()
  const gateway = new FakeGateway(botToken !== undefined)
  const userRequests = new FakeUserRequests()
  /** Sessions that a gateway connection serves. */
  const onGateway = new Set<Session>()
  /** The session of the platform that shows each account's activity, by `application user`. */
  const shownSessions = new Map<string, string>()
  const launches = new FakeLaunches()
  /** How often the HTTP client was loaded before a request. */
  const http = { prepared: 0 }
  /** What an operator switched, and the prompts that it sees. */
  const operated = { isPaused: false, stops: 0, prompts: [] as ConsentPrompt[], answers: [] as unknown[], changed: new Signal() }
  /** Proofs that processes with access to the data folder left. */
  const proofs = new Set<string>()
  const pages = new AuthorizationPages()
  const warnings = new Warnings(clock, log)
  const host: Host = {
    clock,
    log,
    meter: new Meter(clock),
    random: () => 0.5,
    uid,
    version: '0.0.0',
    // Tests read what was delivered when the call that delivered it returns.
    scheduleEndOfTurn: (work) => work(),
    turns: new TurnQueue(clock, setImmediate),
    quiet: { start: () => {}, touch: () => {} },
    // As if each path held one content.
    contents: { of: async ({ executable }) => executable },
  }
  const publicNames = new Map<string, string>()
  const pictures = new Map<string, { type: string; bytes: Uint8Array }>()
  const applications = {
    of: () => ({ name: undefined, icon: undefined }),
    imageOf: () => undefined,
    nameOf: (id: string) => publicNames.get(id),
    download: async (url: string) => pictures.get(url),
    changed: new Signal(),
  }
  const api = { applications, strictArguments, forwarder, tokenEndpoint, prepareHttp: () => void http.prepared++, warnings }
  const openKeyedCalls = () => keyedCallsForTest(clock)
  const stores = { tokenStore, botTokens, grants, history, openKeyedCalls, areChoicesLost: () => false }
  const sessions = openSessions({ host, profile: PROFILE, lifecycle, accounting, api, stores, consent, user, uploadFolder })
  const events = openEvents({ host, accounting, profile: PROFILE, sessions })
  events.routing.register([{ name: 'user', covers: (session) => onGateway.has(session) }])
  const clients: Clients = {
    providers: [],
    channels: [],
    desktopClient,
    roster: undefined,
    botRequests: gateway,
    userRequests,
    webhooks: undefined,
    gatewayStates: () => [],
    sessionOf: ({ applicationId, userId }) => shownSessions.get(`${applicationId} ${userId}`),
  }
  const presence = openPresence({ host, sessions, grants, events, clients, launcher: launches, pages: [], isPaused: false })
  const { calls, server, providers, deps } = openRpc({
    host,
    profile: PROFILE,
    accounting,
    api,
    stores,
    signIn: {
      authorizer,
      consent,
      prompts: {
        pending: () => operated.prompts,
        answer: (id, isAllowed) => operated.answers.push({ id, isAllowed }) > 0 && operated.prompts.some((prompt) => prompt.id === id),
        changed: operated.changed,
      },
      pages,
    },
    launcher: launches,
    outside: {
      ready: {},
      addresses: () => [],
      startedAt: clock.elapsed() - 1000,
      sandboxOrigin: undefined,
      findings: undefined,
      localPeers: {},
      tcpPeers: { areKnown: true },
      feed: undefined,
      health: { problems: () => [], changed: new Signal() },
      redeemProof: (proof) => proofs.delete(proof),
      rememberPresencePaused(isPaused) {
        operated.isPaused = isPaused
      },
      requestStop: () => void operated.stops++,
    },
    sessions,
    events,
    clients,
    presence,
  })
  void providers.start()
  return {
    ...sessions,
    hub: events.hub,
    routing: events.routing,
    bridge: server,
    calls,
    meter: host.meter,
    accounting,
    clock,
    log,
    lifecycle,
    providers,
    presence: presence.arbiter,
    presenceStore: presence.store,
    account: sessions.localUser,
    platform,
    publicNames,
    pictures,
    authorizer,
    tokenEndpoint,
    tokenStore,
    grants,
    grantStore,
    consent,
    bots,
    proofs,
    operated,
    desktopClient,
    gateway,
    userRequests,
    onGateway,
    shownSessions,
    launches,
    http,
    invites: presence.invites,
    pages,
    warnings,
    uploadFolder,
    handlerDeps: deps,
    removedConnections: PROFILE.removedConnections,
  }
}

export type TestBridge = ReturnType<typeof testBridge>

/** A program that can be known again. */
export const KNOWN_PROGRAM: PeerIdentity = { trust: 'directory', kind: 'native', executable: '/games/game', file: '1:2:3:4:5' }

/** A game on a memory channel. Responses come back as messages; the channel itself stays in reach. */
export class Game {
  readonly channel: MemoryChannel
  readonly receiver: ChannelReceiver
  #lastNonce = 0

  constructor({ bridge }: TestBridge, peer: PeerIdentity = KNOWN_PROGRAM) {
    this.channel = new MemoryChannel(peer)
    this.receiver = bridge.openStream(this.channel)
  }

  /** Completes the handshake with these fields, and drops READY. */
  static connected(of: TestBridge, fields: object = {}, peer?: PeerIdentity): Game {
    const game = new Game(of, peer)
    game.send(handshake(fields))
    game.channel.take()
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

  /** One call, whose answer may take a turn of the event loop. `more`: other members of its frame. */
  async ask(cmd: string, args?: unknown, evt?: unknown, more?: object): Promise<Message> {
    this.begin(cmd, args, evt, more)
    for (let turn = 0; turn < 50 && this.channel.writes.length === 0; turn++) await new Promise((resolve) => setImmediate(resolve))
    return this.#only()
  }

  /** Sends a call and gives its nonce. */
  begin(cmd: string, args?: unknown, evt?: unknown, more?: object): string {
    const nonce = `nonce-${++this.#lastNonce}`
    this.send(frame(OP.FRAME, { cmd, nonce, args, evt, ...more }))
    return nonce
  }

  /** The messages that came since the last look. */
  received(): Message[] {
    return messages(this.channel.take())
  }

  #only(): Message {
    const received = this.received()
    const [answer] = received
    if (received.length !== 1 || answer === undefined)
      throw new Error(`${received.length} messages instead of one answer: ${JSON.stringify(received)}`)
    if (answer.nonce !== `nonce-${this.#lastNonce}`) throw new Error(`the answer has the nonce ${answer.nonce}`)
    return answer
  }
}
