/** The gateway provider: opens connections for the sessions that subscribed to events of the gateway. */
import type { AccountKey } from '@sallyport/core/account-key'
import { BUDGETS } from '@sallyport/core/budgets'
import { Signal } from '@sallyport/core/signal'
import { GATEWAY_CAPABILITIES } from '@sallyport/protocol'
import { missingBotToken } from '../../../auth/credentials.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { EventSelector, SubscriptionRegistry } from '../../subscription-registry.ts'
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { EventProvider } from '../../provider.ts'
import { isRetained } from '../../retained-values.ts'
import type { Confirmation, EventRouting, Route } from '../../routing.ts'
import type { Publish } from '../../outgoing-event.ts'
import { AwaitedRelationships } from './awaited-relationships.ts'
import { GatewayRequests } from './requests.ts'
import { BotLookup } from './bot-lookup.ts'
import type { ManagedConnection } from './managed-connection.ts'
import type { DirectMessageSync } from './direct-message-sync.ts'
import { DispatchHandler } from './dispatch-handler.ts'
import type { GatewayConnection, GatewayConnectionOptions, GatewayIdentity, GatewayState } from '../../../platform/gateway/gateway.ts'
import type { DesiredPresence } from './desired-presence.ts'
import type { GuildStatuses } from './guild-statuses.ts'
import {
  type BotAvailability,
  botIdentity,
  identityKey,
  userDemand,
  userIdentity,
  botDemand,
  computeDemand,
  type ConnectionDemand,
  type SessionSubscription,
} from './demand.ts'
import type { GatewayCredentials } from './credentials.ts'
import { ConnectionPool } from './pool.ts'
import { privilegedPart } from './privileged-intents.ts'
import { EVENT_INTENTS } from './dispatch-mappings/dispatch-mappings.ts'

export interface GatewayProviderDeps {
  readonly hub: Pick<SubscriptionRegistry<Session>, 'entries'>
  readonly clock: Clock
  readonly log: Logger
  readonly publish: Publish
  readonly signedInAs: (account: AccountKey) => readonly Session[]
  readonly credentials: GatewayCredentials
  readonly statuses: GuildStatuses
  readonly directMessages: DirectMessageSync
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly compress: GatewayConnectionOptions['compress']
  /** Hidden channels come obfuscated instead of not at all. */
  readonly isObfuscated: boolean
  readonly openConnection: (options: GatewayConnectionOptions, identity: string) => Promise<GatewayConnection>
  readonly desiredPresence: Pick<DesiredPresence, 'of'>
  readonly routing: EventRouting
}

/**
 * How long the response to a subscription waits for a connection that opens: what happens before it is open does not come. For a retained event,
 * the next route is asked then.
 */
const CONFIRM_TIMEOUT_MS = 1000

export class GatewayProvider implements EventProvider {
  readonly name = 'gateway'
  readonly requests: GatewayRequests
  readonly #deps: GatewayProviderDeps
  readonly #bots: BotLookup
  readonly #pool: ConnectionPool
  readonly #dispatches: DispatchHandler
  readonly #awaited: AwaitedRelationships
  /** Demand that does not come from subscriptions. */
  readonly #demands = new Set<ConnectionDemand>()
  /** The last user of each session. */
  readonly #userOf = new WeakMap<Session, string>()
  /** Sessions whose user or scopes changed since the last update, so that they may receive other events now. */
  readonly #reauthenticated = new Set<Session>()
  #isRunning = false
  /** A connection became ready or unusable, so that presence may have to move. */
  readonly connectionChanged = new Signal<GatewayIdentity>()

  readonly routes: readonly Route[] = [
    {
      name: 'bot',
      covers: ({ applicationId, signedIn }) => signedIn !== undefined && this.#botAvailability(applicationId) === 'usable',
      // While the bot is looked up, it may be there.
      serves: ({ applicationId, signedIn }) =>
        signedIn !== undefined && this.#isRunning && ['usable', undefined].includes(this.#botAvailability(applicationId)),
    },
    {
      name: 'user',
      covers: (session, event) => this.#coversForUser(session, event),
      confirm: (session, event) => this.#confirm(session, event),
    },
  ]

  constructor(deps: GatewayProviderDeps) {
    const { clock, log, routing, credentials, compress, openConnection, desiredPresence } = deps
    this.#deps = deps
    this.requests = new GatewayRequests(clock)
    this.#bots = new BotLookup({
      clock,
      hasBot: (applicationId) => credentials.hasBot(applicationId),
      onFound: () => routing.changed.emit(),
    })
    this.#dispatches = new DispatchHandler({
      ...deps,
      requests: this.requests,
      onReady: (identity) => this.connectionChanged.emit(identity),
    })
    this.#awaited = new AwaitedRelationships({
      ...deps,
      read: async (session, stop) =>
        this.mayConnect(session) ? this.withUser(session, stop, async ({ users }) => users.relationships()) : undefined,
    })
    this.#pool = new ConnectionPool({
      clock,
      log,
      credentials,
      compress,
      openConnection,
      desiredPresence,
      capabilities: deps.isObfuscated ? GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION : 0,
      handler: {
        onDispatch: (connection, dispatch, guild) => this.#dispatches.handle(connection, dispatch, guild),
        onState: (connection) => this.#onState(connection),
        onRoom: () => routing.changed.emit(),
        onClosed: (connection) => this.requests.rejectAll(connection),
      },
    })
  }

  async start(): Promise<void> {
    this.#isRunning = true
  }

  reconcile(): void {
    this.#updateConnections()
  }

  /** Another session with the same subscription does not mean that this session has a connection. */
  onSubscribe(session: Session, event: EventSelector): void {
    if (!this.#isRunning) return
    this.#awaited.subscribed(session, event.name)
    const demand = computeDemand([{ session, event }], this.#botAvailability, [])
    this.#pool.openForUser(demand)
    if (![...demand].every(([key, one]) => this.#pool.satisfies(key, one))) this.#deps.routing.changed.emit()
  }

  /** Whether a connection for this user is open or can be opened. */
  canServe(identity: GatewayIdentity): boolean {
    return this.#isRunning && this.#pool.of(identity)?.isUsable !== false
  }

  /** The gateway session that carries the presence of an identity. */
  sessionOf(identity: GatewayIdentity): string | undefined {
    return this.#pool.of(identity)?.sessionId
  }

  /** The state of each connection. */
  states(): readonly GatewayState['name'][] {
    return this.#pool.all().map(({ state }) => state.name)
  }

  health(): ProviderHealth {
    const all = this.#pool.all()
    const count = all.reduce((sum, connection) => sum + connection.ignored, this.#dispatches.ignored)
    const ignored = count === 0 ? {} : { ignored: count }
    if (all.length === 0) return { state: 'idle', ...ignored }
    const failing = all.find(({ state }) => state.name === 'ended' || (state.name === 'waiting' && state.reason !== undefined))
    const affected = failing ?? all.find(({ problem }) => problem !== undefined)
    const reason = affected?.problem === undefined ? {} : { reason: `${describe(affected.identity)}: ${affected.problem}` }
    return { state: failing === undefined ? 'active' : 'failing', ...reason, ...ignored }
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#demands.clear()
    await this.#pool.stop()
  }

  /** A session opened or closed, or its user signed in or out. Closes the connection of a user without signed-in sessions. */
  sessionChanged(session: Session): void {
    const { applicationId, signedIn } = session
    const before = this.#userOf.get(session)
    // It has no connection of its own, before or now.
    if (before === undefined && signedIn === undefined) return
    const now = signedIn?.userId
    if (now === undefined) this.#userOf.delete(session)
    else {
      this.#userOf.set(session, now)
      this.#reauthenticated.add(session)
      this.#awaited.signedIn(session)
    }
    if (before !== undefined && before !== now) this.#closeUnused({ applicationId, userId: before })
    this.#deps.routing.changed.emit()
  }

  #closeUnused(account: AccountKey): void {
    if (this.#deps.signedInAs(account).length === 0) this.closeAccount(account)
  }

  /** The account is no longer used here. */
  closeAccount({ applicationId, userId }: AccountKey): void {
    void this.#pool.close(identityKey({ kind: 'user', applicationId, userId }))
  }

  /** The bot token of an application was stored or deleted. Closes the connection with the old token. */
  botChanged(applicationId: string): void {
    void this.#pool.close(identityKey(botIdentity(applicationId)))
    this.#bots.invalidate(applicationId)
  }

  /** Keeps a connection open for another purpose than events, until the returned function is called. */
  acquire(demand: ConnectionDemand): () => void {
    this.#demands.add(demand)
    this.#updateConnections()
    return () => {
      if (this.#demands.delete(demand)) this.#deps.routing.changed.emit()
    }
  }

  /** Sends via the connection of an identity if it is live. Failures are logged. */
  send(identity: GatewayIdentity, op: number, d: unknown): void {
    const connection = this.#pool.of(identity)
    if (connection?.state.name !== 'live') return
    connection.send(op, d).catch((err: unknown) => this.#deps.log.info('gateway-not-sent', { op, err }))
  }

  /** Runs `work` with the live connection of an application's bot. Rejects with INVALID_PERMISSIONS when no token is stored. */
  async withBot<T>(applicationId: string, intents: number, stop: CancelSignal, work: (bot: ManagedConnection) => Promise<T>): Promise<T> {
    if (!(await this.#deps.credentials.hasBot(applicationId))) throw missingBotToken(applicationId)
    const release = this.acquire(botDemand(applicationId, intents))
    try {
      const bot = this.#pool.of(botIdentity(applicationId))
      if (bot === undefined)
        throw new BridgeError('SERVICE_UNAVAILABLE', 'The bridge has reached its limit of gateway connections; try again.')
      if (privilegedPart(intents) !== 0) await bot.checkIntents()
      await bot.whenLive(stop)
      return await work(bot)
    } finally {
      release()
    }
  }

  /** Whether a connection of the session's user is open, or the session may open one. */
  mayConnect(session: Session): boolean {
    return this.openFor(session) !== undefined || userIdentity(session) !== undefined
  }

  /** The usable connection of the session's user, also when another session opened it. */
  openFor(session: Session): ManagedConnection | undefined {
    const connection = this.#connectionOf(session)
    return connection?.isUsable === true ? connection : undefined
  }

  hasBot(applicationId: string): Promise<boolean> {
    return this.#deps.credentials.hasBot(applicationId)
  }

  /** Runs `work` with the live connection of the session's user, for which `mayConnect` holds. */
  async withUser<T>(session: Session, stop: CancelSignal, work: (connection: ManagedConnection) => Promise<T>): Promise<T> {
    const releases = userDemand(session).map((demand) => this.acquire(demand))
    try {
      const connection = this.#connectionOf(session)
      if (connection === undefined)
        throw new BridgeError('SERVICE_UNAVAILABLE', 'The bridge has reached its limit of gateway connections; try again.')
      await connection.whenLive(stop)
      return await work(connection)
    } finally {
      for (const release of releases) release()
    }
  }

  #onState(connection: ManagedConnection): void {
    if (!connection.isUsable) {
      this.requests.rejectAll(connection)
      this.connectionChanged.emit(connection.identity)
    }
    this.#deps.routing.changed.emit()
  }

  #updateConnections(): void {
    if (!this.#isRunning) return
    this.#pool.reconcile(computeDemand(this.#subscriptions(), this.#botAvailability, this.#demands))
    for (const session of this.#reauthenticated) {
      const connection = this.#connectionOf(session)
      if (connection !== undefined) this.#deps.statuses.publishTo(connection, session)
    }
    this.#reauthenticated.clear()
  }

  *#subscriptions(): Iterable<SessionSubscription> {
    for (const { event, subscribers } of this.#deps.hub.entries())
      if (EVENT_INTENTS.has(event.name)) for (const session of subscribers) yield { session, event }
  }

  readonly #botAvailability: BotAvailability = (applicationId) => {
    const hasBot = this.#bots.hasToken(applicationId)
    if (hasBot === undefined) return undefined
    if (!hasBot) return 'none'
    const bot = this.#pool.of(botIdentity(applicationId))
    // A resumed gateway session delivers the missed events, so no other connection may publish them.
    return bot === undefined || (bot.isUsable && !bot.isOfflineFor(BUDGETS.gatewayResumableMs.value)) ? 'usable' : 'unusable'
  }

  /** The connection of the session's user, also when another session opened it. */
  #connectionOf({ applicationId, signedIn }: Session): ManagedConnection | undefined {
    return signedIn === undefined ? undefined : this.#pool.of({ kind: 'user', applicationId, userId: signedIn.userId })
  }

  /** The current value of a retained event is in the cache of an open connection only. */
  #coversForUser(session: Session, event: string): boolean {
    const connection = this.#connectionOf(session)
    if (isRetained(event)) return connection?.hasGuilds === true
    return connection === undefined ? this.#isRunning && userIdentity(session) !== undefined : connection.isUsable
  }

  #confirm(session: Session, event: EventSelector): Promise<Confirmation> | undefined {
    const connection = this.#connectionOf(session)
    if (connection === undefined) return undefined
    if (isRetained(event.name)) return this.#confirmState(connection, session, event)
    return connection.whenOpened(CONFIRM_TIMEOUT_MS)?.then(() => 'confirmed')
  }

  async #confirmState(connection: ManagedConnection, session: Session, event: EventSelector): Promise<Confirmation> {
    await connection.whenLoaded(CONFIRM_TIMEOUT_MS)
    if (!this.#coversForUser(session, event.name)) return 'declined'
    this.#deps.statuses.confirm(connection, event)
    return 'confirmed'
  }
}

const describe = (identity: GatewayIdentity): string =>
  identity.kind === 'bot'
    ? `The bot of application ${identity.applicationId}`
    : `User ${identity.userId} of application ${identity.applicationId}`
