/** The gateway: its connections and sessions, the events it sends for changes of the state, and its faults. */
import { GATEWAY_CLOSE_CODES, GATEWAY_VERSION } from '@sallyport/protocol'
import type { WebSocket } from 'ws'
import type { Platform } from '../platform.ts'
import type { StoredAuthorization } from '../store/records.ts'
import type { Change } from '../store/store.ts'
import { matches, type CallerMatch } from './gateway-faults.ts'
import { ChosenStatuses } from './chosen-statuses.ts'
import { GatewayConnection } from './connection.ts'
import { GatewayCloseError } from './identify.ts'
import type { EventMapper } from './gateway-events/event-mapper.ts'
import { gatewayEvents } from './gateway-events/gateway-events.ts'
import type { RequestContext } from './requests/requests.ts'
import { HeadlessPresences } from './headless-presences.ts'
import { GatewaySessions } from './sessions.ts'
import { COMPRESSIONS, type Compression, openClientSocket } from './client-socket.ts'

/** The close error of an unsupported address; undefined for a supported one. */
function addressError(query: URLSearchParams): GatewayCloseError | undefined {
  if (query.get('v') !== String(GATEWAY_VERSION)) return new GatewayCloseError('INVALID_API_VERSION', 'Invalid API version.')
  if (query.get('encoding') !== 'json') return new GatewayCloseError('DECODE_ERROR', 'The encoding must be json.')
  return undefined
}

const compressionOf = (query: URLSearchParams): Compression => COMPRESSIONS.find((one) => one === query.get('compress')) ?? 'none'

export class Gateway {
  readonly #platform: Platform
  readonly #sessions: GatewaySessions
  readonly #headless: HeadlessPresences
  readonly #statuses: ChosenStatuses
  readonly #requests: RequestContext
  readonly #connections = new Set<GatewayConnection>()

  constructor(platform: Platform) {
    this.#platform = platform
    this.#sessions = new GatewaySessions(platform)
    this.#headless = new HeadlessPresences(platform, this.#sessions)
    this.#statuses = new ChosenStatuses(platform, this.#sessions)
    this.#requests = { platform, sessions: this.#sessions, presences: this.#sessions.presences, allMembersRequestedAt: new Map() }
  }

  /** Serves a websocket that was opened with this query. */
  accept(socket: WebSocket, query: URLSearchParams): void {
    // The close event follows a broken connection and handles it.
    socket.on('error', () => {})
    const error = addressError(query)
    if (error !== undefined) return socket.close(error.code, error.message)
    const connection = new GatewayConnection({
      platform: this.#platform,
      sessions: this.#sessions,
      requests: this.#requests,
      ...this.#platform.gatewayControls,
      onSessionMoved: (session) => this.#connectionOf(session)?.sessionMoved(),
      socket: openClientSocket(socket, compressionOf(query)),
    })
    this.#connections.add(connection)
    socket.on('message', (data: Buffer) => connection.receive(data.toString('utf8')))
    socket.once('close', (code) => {
      this.#connections.delete(connection)
      connection.socketClosed(code)
    })
  }

  /** Sends the events of the changes to all sessions. Closes the sessions of revoked sign-ins. */
  applyChanges(changes: readonly Change[]): void {
    const { store, log } = this.#platform
    try {
      this.#headless.apply(changes)
      this.#statuses.apply(changes)
      if (this.#sessions.all().length === 0) return
      for (const events of gatewayEvents(changes, { platform: this.#platform, presences: this.#sessions.presences }))
        this.#sessions.dispatch(events)
    } catch (failure) {
      // The change is already committed. A failed event must not undo it.
      log.error('sandbox-gateway-failed', { error: failure instanceof Error ? failure.stack : String(failure) })
    }
    for (const { kind, before, after } of changes)
      if (kind === store.authorizations.kind && before !== undefined && after === undefined) this.#signOut(before as StoredAuthorization)
  }

  /** The matching connections. A match without fields includes connections without a session. */
  connections(match: CallerMatch): readonly GatewayConnection[] {
    const isAny = match.applicationId === undefined && match.userId === undefined
    return [...this.#connections].filter(({ session }) => (session === undefined ? isAny : matches(match, session.caller)))
  }

  /** Sends a made-up event to all matching sessions, also to those without a connection. Returns the number of connected ones. */
  dispatch(match: CallerMatch, t: string, d: unknown): number {
    const matching = this.#sessions.all().filter(({ caller }) => matches(match, caller))
    for (const session of matching) session.dispatch(t, d)
    return matching.filter(({ isConnected }) => isConnected).length
  }

  /** Sends an event that no change of the state causes to all sessions that receive it. */
  publish(events: EventMapper): void {
    this.#sessions.dispatch(events)
  }

  /** The part of the state report about the gateway; without secrets. */
  report() {
    return {
      connections: this.#connections.size,
      heartbeat_interval: this.#platform.gatewayControls.faults.heartbeatInterval,
      sessions: this.#sessions.all().map(({ caller, intents, capabilities, shard, seq, bufferedEvents, isConnected, startedAt }) => {
        const { status, activities } = this.#sessions.presences.of(caller.id)
        return {
          kind: caller.kind,
          application_id: caller.applicationId,
          user_id: caller.kind === 'user' ? caller.id : undefined,
          intents,
          capabilities,
          shard: [shard.id, shard.count],
          connected: isConnected,
          seq,
          kept_events: bufferedEvents,
          begun_at: new Date(startedAt).toISOString(),
          presence: { status, activities: activities.map(({ type, name }) => ({ type, name: typeof name === 'string' ? name : '' })) },
        }
      }),
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.terminate()
    this.#headless.close()
    this.#sessions.close()
  }

  #connectionOf(session: object): GatewayConnection | undefined {
    return [...this.#connections].find((connection) => connection.session === session)
  }

  #signOut({ id }: StoredAuthorization): void {
    for (const session of this.#sessions.all()) {
      if (session.caller.kind !== 'user' || session.caller.authorizationId !== id) continue
      this.#connectionOf(session)?.close(GATEWAY_CLOSE_CODES.AUTHENTICATION_FAILED.code, 'Authentication failed.')
      this.#sessions.end(session)
    }
  }
}
