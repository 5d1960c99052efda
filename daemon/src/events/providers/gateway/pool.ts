/** The open connections, demand per identity. Each stays open for a short while after its last use, so that a game restart needs no new gateway session. */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { type ConnectionHandler, ManagedConnection } from './managed-connection.ts'
import type { GatewayConnection, GatewayConnectionOptions, GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import type { DesiredPresence } from './desired-presence.ts'
import { type TokenSource, identityKey, type ConnectionDemand } from './demand.ts'
import type { GatewayCredentials } from './credentials.ts'

interface PoolDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly credentials: GatewayCredentials
  readonly capabilities: number
  readonly compress: GatewayConnectionOptions['compress']
  readonly openConnection: (options: GatewayConnectionOptions, identity: string) => Promise<GatewayConnection>
  readonly desiredPresence: Pick<DesiredPresence, 'of'>
  readonly handler: PoolHandler
}

interface PoolHandler extends ConnectionHandler {
  /** An unused connection closed, or one after another could not be created: sessions may get other routes or connections. */
  onRoom(): void
  /** The connection is closed, so its pending requests get no response. */
  onClosed(connection: ManagedConnection): void
}

interface PoolEntry {
  readonly connection: ManagedConnection
  tokenSources: readonly TokenSource[]
  /** Sign-ins that it was opened for. A new one reopens an ended connection. */
  readonly triedSignIns: WeakSet<object>
}

export class ConnectionPool {
  readonly #deps: PoolDeps
  readonly #entries = new Map<string, PoolEntry>()
  /** The limit entry a needed connection from being created. */
  #isAtCapacity = false

  constructor(deps: PoolDeps) {
    this.#deps = deps
  }

  of(identity: GatewayIdentity): ManagedConnection | undefined {
    return this.#entries.get(identityKey(identity))?.connection
  }

  all(): readonly ManagedConnection[] {
    return [...this.#entries.values()].map(({ connection }) => connection)
  }

  /** Whether the open connection satisfies this demand. */
  satisfies(key: string, { intents }: ConnectionDemand): boolean {
    return this.#entries.get(key)?.connection.satisfies(intents) === true
  }

  /** Opens the connections in demand, and schedules the close of all others. */
  reconcile(demands: ReadonlyMap<string, ConnectionDemand>): void {
    for (const [key, { connection }] of this.#entries) if (!demands.has(key)) connection.scheduleClose(() => void this.close(key))
    for (const [key, demand] of demands) this.#open(key, demand)
  }

  /** Opens the connection of a user if there is none. Its other sessions are added by `reconcile`. */
  openForUser(demands: ReadonlyMap<string, ConnectionDemand>): void {
    for (const [key, demand] of demands) if (demand.identity.kind === 'user' && !this.#entries.has(key)) this.#open(key, demand)
  }

  /** Closes at once and deletes all state. */
  async close(key: string): Promise<void> {
    const connection = this.#entries.get(key)?.connection
    if (connection === undefined) return
    this.#entries.delete(key)
    if (this.#isAtCapacity || connection.isIdle) this.#deps.handler.onRoom()
    this.#isAtCapacity = false
    await connection.stop()
    this.#deps.handler.onClosed(connection)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((key) => this.close(key)))
  }

  #open(key: string, { identity, intents, tokenSources }: ConnectionDemand): void {
    const entry = this.#entries.get(key) ?? this.#create(key, identity)
    if (entry === undefined) return
    const isNew = tokenSources.some(({ signedIn }) => !entry.triedSignIns.has(signedIn))
    if (tokenSources.length > 0) entry.tokenSources = tokenSources
    for (const { signedIn } of tokenSources) entry.triedSignIns.add(signedIn)
    if (isNew) entry.connection.retry()
    entry.connection.require(intents)
  }

  /** Closes an idle connection if the limit is reached. Returns whether there is capacity. */
  #evictIdle(): boolean {
    if (this.#entries.size < BUDGETS.gatewayConnections.value) return true
    const [idle] = [...this.#entries].find(([, { connection }]) => connection.isIdle) ?? []
    if (idle !== undefined) void this.close(idle)
    return idle !== undefined
  }

  #create(key: string, identity: GatewayIdentity): PoolEntry | undefined {
    const { credentials, desiredPresence, openConnection, ...rest } = this.#deps
    if (!this.#evictIdle()) {
      if (!this.#isAtCapacity) this.#deps.log.warn('gateway-connections-full', { application: identity.applicationId })
      this.#isAtCapacity = true
      return undefined
    }
    const connection = new ManagedConnection(identity, {
      ...rest,
      log: this.#deps.log.child({ application: identity.applicationId, identity: identity.kind }),
      token: () => credentials.token(identity, preferredTokenSource(entry.tokenSources)),
      url: () => credentials.url(identity),
      flags: () => credentials.flags(identity.applicationId),
      presence: () => desiredPresence.of(identity),
      openConnection: (options) => openConnection(options, key),
    })
    const entry: PoolEntry = { connection, tokenSources: [], triedSignIns: new WeakSet() }
    this.#entries.set(key, entry)
    return entry
  }
}

/** Prefers a token that the bridge stores, because it is refreshed; a token of a game is not. */
const preferredTokenSource = (tokenSources: readonly TokenSource[]): TokenSource | undefined =>
  tokenSources.find(({ signedIn }) => signedIn.isManaged) ?? tokenSources.at(-1)
