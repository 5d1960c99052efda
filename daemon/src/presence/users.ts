/** For whom sessions show what they set, and when that may be somebody else. */
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/registry.ts'

/** A page has no process; pages of one origin stand together. A program whose process is not known stands alone, each connection of it. */
const processOf = ({ applicationId, channel: { id, peer } }: Session): string =>
  `${applicationId} ${peer.pid ?? peer.origin ?? `connection ${id}`}`

export class SessionUsers {
  readonly #registry: SessionRegistry
  readonly #known = new WeakMap<Session, string>()
  /** By process: on how many of its connections each user is signed in. */
  readonly #counts = new Map<string, Map<string, number>>()
  #onChange: (applicationId: string) => void = () => {}

  constructor(registry: SessionRegistry) {
    this.#registry = registry
    registry.onChange((caller) => this.#look(caller))
  }

  /** Who is told when what sessions of an application show may be another user's; most of what connections do changes nothing. */
  onChange(listener: (applicationId: string) => void): void {
    this.#onChange = listener
  }

  /**
   * The user who is signed in on it; else the only one who is on the other connections of its process, since some games show by one connection
   * and sign in on another. Any program can name any application: what another process shows is never told in somebody's name.
   */
  of(sessionId: number): string | undefined {
    const caller = this.#registry.find(sessionId)
    if (caller === undefined || caller.signedIn !== undefined) return caller?.signedIn?.userId
    // Of every SET_ACTIVITY this is asked.
    if (this.#counts.size === 0) return undefined
    const users = this.#counts.get(processOf(caller))
    return users?.size === 1 ? users.keys().next().value : undefined
  }

  #look(caller: Session): void {
    const isHere = this.#registry.find(caller.channel.id) === caller
    const before = this.#known.get(caller)
    const now = isHere ? caller.signedIn?.userId : undefined
    if (before === now) return
    if (before !== undefined) this.#count(caller, before, -1)
    if (now === undefined) this.#known.delete(caller)
    else {
      this.#known.set(caller, now)
      this.#count(caller, now, 1)
    }
    this.#onChange(caller.applicationId)
  }

  #count(caller: Session, userId: string, change: number): void {
    const key = processOf(caller)
    const users = this.#counts.get(key) ?? new Map<string, number>()
    const count = (users.get(userId) ?? 0) + change
    if (count > 0) users.set(userId, count)
    else users.delete(userId)
    if (users.size > 0) this.#counts.set(key, users)
    else this.#counts.delete(key)
  }
}
