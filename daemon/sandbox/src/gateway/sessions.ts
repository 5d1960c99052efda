/** All gateway sessions: connected, or waiting for a resume. */
import { randomBytes } from 'node:crypto'
import type { Platform } from '../platform.ts'
import { GatewayCloseError, type Identified } from './identify.ts'
import { SESSION_RESUMABLE_MS, SESSIONS_WAITING_MAX } from './limits.ts'
import { presenceMapper } from './gateway-events/relationships.ts'
import { type EventMapper, isSame } from './gateway-events/event-mapper.ts'
import { ONLINE, type UserPresence, PresenceRegistry, shownPresence } from './presence-registry.ts'
import { GatewaySession } from './session.ts'
import type { GatewayCaller } from './viewer.ts'

type PresenceUpdate = NonNullable<Identified['presence']>

export class GatewaySessions {
  readonly #platform: Platform
  readonly #all = new Map<string, GatewaySession>()
  /** Sessions without a connection, the oldest first, each with the cancel of its timeout. */
  readonly #waiting = new Map<GatewaySession, () => void>()
  readonly presences = new PresenceRegistry()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  all(): readonly GatewaySession[] {
    return [...this.#all.values()]
  }

  start({ caller, intents, capabilities, shard, presence }: Identified): GatewaySession {
    const { clock } = this.#platform
    const id = randomBytes(16).toString('hex')
    const session = new GatewaySession({ id, caller, intents, capabilities, shard, clock })
    this.#all.set(id, session)
    this.#setPresence(session, presence === undefined ? ONLINE : shownPresence(presence, caller))
    this.#setJoinable(session, presence)
    return session
  }

  /** The session and its missed events; undefined when it cannot be resumed. Throws GatewayCloseError for an impossible sequence number. */
  resume(
    caller: GatewayCaller,
    sessionId: string,
    seq: number,
  ): { readonly session: GatewaySession; readonly missed: readonly string[] } | undefined {
    const session = this.#all.get(sessionId)
    if (session === undefined || session.caller.id !== caller.id || session.caller.applicationId !== caller.applicationId) return undefined
    const missed = seq < 0 || seq > session.seq ? undefined : session.missedSince(seq)
    if (missed === undefined) {
      this.end(session)
      if (seq > session.seq || seq < 0) throw new GatewayCloseError('INVALID_SEQ', 'Invalid seq.')
      return undefined
    }
    this.#waiting.get(session)?.()
    this.#waiting.delete(session)
    return { session, missed }
  }

  /** The session lost its connection: it waits for a resume. */
  release(session: GatewaySession): void {
    if (!this.#all.has(session.id) || this.#waiting.has(session)) return
    this.#waiting.set(
      session,
      this.#platform.clock.after(SESSION_RESUMABLE_MS, () => this.end(session)),
    )
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= SESSIONS_WAITING_MAX) break
      this.end(oldest)
    }
  }

  end(session: GatewaySession): void {
    this.#waiting.get(session)?.()
    this.#waiting.delete(session)
    if (!this.#all.delete(session.id)) return
    this.#setPresence(session, undefined)
    this.#setJoinable(session, undefined)
  }

  setPresence(session: GatewaySession, update: PresenceUpdate): void {
    this.#setPresence(session, shownPresence(update, session.caller))
    this.#setJoinable(session, update)
  }

  /** Sends each session its events. */
  dispatch(mapper: EventMapper): void {
    for (const session of this.#all.values()) for (const { t, d } of mapper(session)) session.dispatch(t, d)
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
    this.#all.clear()
  }

  /** Bots have no joinable activities. */
  #setJoinable({ id, caller }: GatewaySession, update: PresenceUpdate | undefined): void {
    if (caller.kind === 'user') this.#platform.shownActivities.set(id, caller.id, caller.applicationId, update?.activities ?? [])
  }

  #setPresence({ id, caller }: GatewaySession, presence: UserPresence | undefined): void {
    this.changePresence(caller.id, () => this.presences.set(caller.id, id, presence))
  }

  /** Sends the user's presence to those who see it, if the change made it another one. */
  changePresence(personId: string, change: () => void): void {
    const before = this.presences.of(personId)
    change()
    const after = this.presences.of(personId)
    if (!isSame(before, after)) this.dispatch(presenceMapper(this.#platform, personId, after))
  }
}
