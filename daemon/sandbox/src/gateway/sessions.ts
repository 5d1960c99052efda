/** All sessions: begun, resumed, waiting for their client for a while, and over. */
import { randomBytes } from 'node:crypto'
import type { Platform } from '../platform.ts'
import { Closed, type Identified } from './identify.ts'
import { SESSION_KEPT_MS, SESSIONS_WAITING_MAX } from './limits.ts'
import { ofPresence } from './occurrences/people.ts'
import type { Tell } from './occurrences/told.ts'
import { ONLINE, type Presence, Presences, shownPresence } from './presences.ts'
import { Session } from './session.ts'
import type { Party } from './viewer.ts'

type Given = NonNullable<Identified['presence']>

export class Sessions {
  readonly #platform: Platform
  readonly #all = new Map<string, Session>()
  /** The oldest first; each with what cancels its end. */
  readonly #waiting = new Map<Session, () => void>()
  readonly presences = new Presences()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  all(): readonly Session[] {
    return [...this.#all.values()]
  }

  begin({ party, intents, capabilities, shard, presence }: Identified): Session {
    const { clock } = this.#platform
    const id = randomBytes(16).toString('hex')
    const session = new Session({ id, party, intents, capabilities, shard, clock })
    this.#all.set(id, session)
    this.#setPresence(session, presence === undefined ? ONLINE : shownPresence(presence, party))
    this.#setJoinable(session, presence)
    return session
  }

  /** The session with what it missed; undefined when it cannot be resumed. Throws Closed for a number that it never gave. */
  resume(party: Party, sessionId: string, seq: number): { readonly session: Session; readonly missed: readonly string[] } | undefined {
    const session = this.#all.get(sessionId)
    if (session === undefined || session.party.id !== party.id || session.party.applicationId !== party.applicationId) return undefined
    const missed = seq < 0 || seq > session.seq ? undefined : session.missedSince(seq)
    if (missed === undefined) {
      this.end(session)
      if (seq > session.seq || seq < 0) throw new Closed('INVALID_SEQ', 'Invalid seq.')
      return undefined
    }
    this.#waiting.get(session)?.()
    this.#waiting.delete(session)
    return { session, missed }
  }

  /** Its connection is gone: it waits for a while for its client to come back. */
  release(session: Session): void {
    if (!this.#all.has(session.id) || this.#waiting.has(session)) return
    this.#waiting.set(
      session,
      this.#platform.clock.after(SESSION_KEPT_MS, () => this.end(session)),
    )
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= SESSIONS_WAITING_MAX) break
      this.end(oldest)
    }
  }

  end(session: Session): void {
    this.#waiting.get(session)?.()
    this.#waiting.delete(session)
    if (!this.#all.delete(session.id)) return
    this.#setPresence(session, undefined)
    this.#setJoinable(session, undefined)
  }

  setPresence(session: Session, given: Given): void {
    this.#setPresence(session, shownPresence(given, session.party))
    this.#setJoinable(session, given)
  }

  /** Tells each session what it is told of something that happened. */
  tell(happened: Tell): void {
    for (const session of this.#all.values()) for (const { t, d } of happened(session)) session.tell(t, d)
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel()
    this.#waiting.clear()
    this.#all.clear()
  }

  /** Bots play nothing that others join. */
  #setJoinable({ id, party }: Session, given: Given | undefined): void {
    if (party.kind === 'user') this.#platform.shown.set(id, party.id, party.applicationId, given?.activities ?? [])
  }

  #setPresence({ id, party }: Session, presence: Presence | undefined): void {
    const before = this.presences.of(party.id)
    this.presences.set(party.id, id, presence)
    const after = this.presences.of(party.id)
    if (JSON.stringify(before) !== JSON.stringify(after)) this.tell(ofPresence(this.#platform, party.id, after))
  }
}
