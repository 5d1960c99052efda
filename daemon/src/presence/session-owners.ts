/** Determines the user whose presence a session sets, and reports changes. */
import { Signal } from '@sallyport/core/signal'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'

/** The process of a session. Pages of one origin count as one process; each connection of an unknown process counts as its own. */
const processOf = ({ applicationId, connection: { id, peer } }: Session): string =>
  `${applicationId} ${peer.pid ?? peer.origin ?? `connection ${id}`}`

export class SessionOwners {
  readonly #registry: SessionRegistry
  readonly #userBySession = new WeakMap<Session, string>()
  /** By process: on how many of its connections each user is signed in. */
  readonly #counts = new Map<string, Map<string, number>>()
  /** The users of an application's sessions changed. */
  readonly changed = new Signal<{ readonly applicationId: string }>()

  constructor(registry: SessionRegistry, lifecycle: LifecycleEvents) {
    this.#registry = registry
    lifecycle.on('sessionChanged', (session) => this.#onSessionChange(session))
  }

  /**
   * The user signed in on the session. Otherwise the only user on the other connections of its process, because some games set presence on
   * one connection and sign in on another. Another process never counts, because any program can name any application.
   */
  of(sessionId: number): string | undefined {
    const session = this.#registry.find(sessionId)
    if (session === undefined || session.signedIn !== undefined) return session?.signedIn?.userId
    // Called on every SET_ACTIVITY.
    if (this.#counts.size === 0) return undefined
    const users = this.#counts.get(processOf(session))
    return users?.size === 1 ? users.keys().next().value : undefined
  }

  #onSessionChange(session: Session): void {
    const isConnected = this.#registry.find(session.connection.id) === session
    const before = this.#userBySession.get(session)
    const now = isConnected ? session.signedIn?.userId : undefined
    if (before === now) return
    if (before !== undefined) this.#count(session, before, -1)
    if (now === undefined) this.#userBySession.delete(session)
    else {
      this.#userBySession.set(session, now)
      this.#count(session, now, 1)
    }
    this.changed.emit(session)
  }

  #count(session: Session, userId: string, change: number): void {
    const key = processOf(session)
    const users = this.#counts.get(key) ?? new Map<string, number>()
    const count = (users.get(userId) ?? 0) + change
    if (count > 0) users.set(userId, count)
    else users.delete(userId)
    if (users.size > 0) this.#counts.set(key, users)
    else this.#counts.delete(key)
  }
}
