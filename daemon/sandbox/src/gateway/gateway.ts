/** The gateway: its connections and sessions, what they are told of changes of the state, and what goes wrong with them on demand. */
import { GATEWAY_CLOSE_CODES, GATEWAY_VERSION } from '@sallyport/protocol'
import type { WebSocket } from 'ws'
import type { Platform } from '../platform.ts'
import type { StoredAuthorization } from '../store/records.ts'
import type { Change } from '../store/store.ts'
import { fits, type Match } from './breaks.ts'
import { Connection } from './connection.ts'
import { Closed } from './identify.ts'
import { occurrences } from './occurrences/occurrences.ts'
import type { RequestContext } from './requests/requests.ts'
import { Sessions } from './sessions.ts'
import { COMPRESSIONS, type Compression, peerOf } from './stream.ts'

/** Why an address cannot be served; undefined when it can. */
function misaddressed(query: URLSearchParams): Closed | undefined {
  if (query.get('v') !== String(GATEWAY_VERSION)) return new Closed('INVALID_API_VERSION', 'Invalid API version.')
  if (query.get('encoding') !== 'json') return new Closed('DECODE_ERROR', 'Only the encoding json is spoken here.')
  return undefined
}

const compressionOf = (query: URLSearchParams): Compression => COMPRESSIONS.find((one) => one === query.get('compress')) ?? 'none'

export class Gateway {
  readonly #platform: Platform
  readonly #sessions: Sessions
  readonly #requests: RequestContext
  readonly #connections = new Set<Connection>()

  constructor(platform: Platform) {
    this.#platform = platform
    this.#sessions = new Sessions(platform)
    this.#requests = { platform, sessions: this.#sessions, presences: this.#sessions.presences, askedForAll: new Map() }
  }

  /** Serves a websocket that was opened with this query. */
  accept(socket: WebSocket, query: URLSearchParams): void {
    // A peer that breaks off in the middle of a word is gone, which is told by the event that follows.
    socket.on('error', () => {})
    const wrong = misaddressed(query)
    if (wrong !== undefined) return socket.close(wrong.code, wrong.message)
    const connection = new Connection({
      platform: this.#platform,
      sessions: this.#sessions,
      requests: this.#requests,
      ...this.#platform.gatewayUse,
      replaced: (session) => this.#connectionOf(session)?.lose(),
      peer: peerOf(socket, compressionOf(query)),
    })
    this.#connections.add(connection)
    socket.on('message', (data: Buffer) => connection.receive(data.toString('utf8')))
    socket.once('close', (code) => {
      this.#connections.delete(connection)
      connection.gone(code)
    })
  }

  /** Tells all sessions of what changed, and ends those whose sign-in is over. */
  follow(changes: readonly Change[]): void {
    if (this.#sessions.all().length === 0) return
    const { store, log } = this.#platform
    try {
      for (const happened of occurrences(changes, { platform: this.#platform, presences: this.#sessions.presences }))
        this.#sessions.tell(happened)
    } catch (failure) {
      // What was asked for is done; that nobody hears of it must not undo it.
      log.error('sandbox-gateway-failed', { error: failure instanceof Error ? failure.stack : String(failure) })
    }
    for (const { kind, before, after } of changes)
      if (kind === store.authorizations.kind && before !== undefined && after === undefined) this.#signOut(before as StoredAuthorization)
  }

  /** The connections that fit; for an order about nobody in particular also those that have not said whose they are. */
  connections(match: Match): readonly Connection[] {
    const isAny = match.applicationId === undefined && match.userId === undefined
    return [...this.#connections].filter(({ session }) => (session === undefined ? isAny : fits(match, session.party)))
  }

  /** Makes an event up for all sessions that fit, also those that wait for their clients. Gives how many are connected. */
  dispatch(match: Match, t: string, d: unknown): number {
    const meant = this.#sessions.all().filter(({ party }) => fits(match, party))
    for (const session of meant) session.tell(t, d)
    return meant.filter(({ isConnected }) => isConnected).length
  }

  /** For the state report: nothing that could be used in a session's stead. */
  report() {
    return {
      connections: this.#connections.size,
      heartbeat_interval: this.#platform.gatewayUse.breaks.heartbeatInterval,
      sessions: this.#sessions.all().map(({ party, intents, capabilities, shard, seq, kept, isConnected, begunAt }) => {
        const { status, activities } = this.#sessions.presences.of(party.id)
        return {
          kind: party.kind,
          application_id: party.applicationId,
          user_id: party.kind === 'user' ? party.id : undefined,
          intents,
          capabilities,
          shard: [shard.id, shard.count],
          connected: isConnected,
          seq,
          kept_events: kept,
          begun_at: new Date(begunAt).toISOString(),
          presence: { status, activities: activities.map(({ type, name }) => ({ type, name: typeof name === 'string' ? name : '' })) },
        }
      }),
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.drop()
    this.#sessions.close()
  }

  #connectionOf(session: object): Connection | undefined {
    return [...this.#connections].find((connection) => connection.session === session)
  }

  #signOut({ id }: StoredAuthorization): void {
    for (const session of this.#sessions.all()) {
      if (session.party.kind !== 'user' || session.party.authorizationId !== id) continue
      this.#connectionOf(session)?.close(GATEWAY_CLOSE_CODES.AUTHENTICATION_FAILED.code, 'Authentication failed.')
      this.#sessions.end(session)
    }
  }
}
