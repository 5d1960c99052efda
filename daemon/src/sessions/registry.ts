/** Registry of the sessions: connected games that completed the handshake. Emits `sessionChanged`. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { LifecycleEvents } from './lifecycle.ts'
import type { Session } from './session.ts'

const NONE: readonly Session[] = []

export class SessionRegistry {
  /** By the id of their connection. */
  readonly #sessions = new Map<number, Session>()
  readonly #byApplication = new Map<string, Set<Session>>()
  /** Signed-in sessions by application: few of all, and most lookups are for them. */
  readonly #signedIn = new Map<string, Set<Session>>()
  readonly #lifecycle: LifecycleEvents

  constructor(lifecycle: LifecycleEvents) {
    this.#lifecycle = lifecycle
  }

  add(session: Session): void {
    this.#sessions.set(session.connection.id, session)
    put(this.#byApplication, session)
    this.#changed(session)
  }

  /** Every session calls it after a sign-in or sign-out; one that is not connected changes nothing. */
  readonly signInChanged = (session: Session): void => {
    if (this.find(session.connection.id) === session) this.#changed(session)
  }

  remove(session: Session): void {
    this.#sessions.delete(session.connection.id)
    take(this.#byApplication, session)
    this.#changed(session)
  }

  get size(): number {
    return this.#sessions.size
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()]
  }

  /** Undefined when it is no longer connected. */
  find(connectionId: number): Session | undefined {
    return this.#sessions.get(connectionId)
  }

  /** Sessions of this application, the newest last. */
  of(applicationId: string): readonly Session[] {
    return listed(this.#byApplication, applicationId)
  }

  /** Signed-in sessions of this application, the newest sign-in last. */
  signedIn(applicationId: string): readonly Session[] {
    return listed(this.#signedIn, applicationId)
  }

  /** Sessions signed in to this account. */
  signedInAs({ applicationId, userId }: AccountKey): readonly Session[] {
    return this.signedIn(applicationId).filter((session) => session.signedIn?.userId === userId)
  }

  #changed(session: Session): void {
    if (session.signedIn !== undefined && this.find(session.connection.id) === session) put(this.#signedIn, session)
    else take(this.#signedIn, session)
    this.#lifecycle.emit('sessionChanged', session)
  }
}

/** Called for each connection, and most applications have no signed-in session. */
function listed(index: ReadonlyMap<string, ReadonlySet<Session>>, applicationId: string): readonly Session[] {
  const sessions = index.get(applicationId)
  return sessions === undefined ? NONE : [...sessions]
}

function put(index: Map<string, Set<Session>>, session: Session): void {
  const sessions = index.get(session.applicationId)
  if (sessions === undefined) index.set(session.applicationId, new Set([session]))
  else sessions.add(session)
}

function take(index: Map<string, Set<Session>>, session: Session): void {
  const sessions = index.get(session.applicationId)
  sessions?.delete(session)
  if (sessions?.size === 0) index.delete(session.applicationId)
}
