/** Everybody who is connected and has said hello. */
import type { Session } from './session.ts'

export class SessionRegistry {
  /** By the id of their channel. */
  readonly #callers = new Map<number, Session>()
  readonly #byApplication = new Map<string, Set<Session>>()
  /** Of those, the ones with a user: few of a crowd, and the ones that most questions are about. */
  readonly #signedIn = new Map<string, Set<Session>>()
  readonly #listeners: ((caller: Session) => void)[] = []

  /** Who is told when a connection came or went, or somebody signed in or out on it. */
  onChange(listener: (caller: Session) => void): void {
    this.#listeners.push(listener)
  }

  add(caller: Session): void {
    this.#callers.set(caller.channel.id, caller)
    put(this.#byApplication, caller)
    caller.onAuthChange = () => this.#changed(caller)
    this.#changed(caller)
  }

  remove(caller: Session): void {
    this.#callers.delete(caller.channel.id)
    take(this.#byApplication, caller)
    caller.onAuthChange = () => {}
    this.#changed(caller)
  }

  all(): readonly Session[] {
    return [...this.#callers.values()]
  }

  /** Undefined for one that is not connected any more. */
  find(channelId: number): Session | undefined {
    return this.#callers.get(channelId)
  }

  /** Connections of this application, the newest last. */
  of(applicationId: string): readonly Session[] {
    return [...(this.#byApplication.get(applicationId) ?? [])]
  }

  /** Connections of this application on which somebody is signed in, the newest sign-in last. */
  signedIn(applicationId: string): readonly Session[] {
    return [...(this.#signedIn.get(applicationId) ?? [])]
  }

  /** Connections that speak for this user of this application. */
  signedInAs(applicationId: string, userId: string): readonly Session[] {
    return this.signedIn(applicationId).filter((caller) => caller.signedIn?.userId === userId)
  }

  #changed(caller: Session): void {
    if (caller.signedIn !== undefined && this.find(caller.channel.id) === caller) put(this.#signedIn, caller)
    else take(this.#signedIn, caller)
    for (const listener of this.#listeners) listener(caller)
  }
}

function put(index: Map<string, Set<Session>>, caller: Session): void {
  const others = index.get(caller.applicationId)
  if (others === undefined) index.set(caller.applicationId, new Set([caller]))
  else others.add(caller)
}

function take(index: Map<string, Set<Session>>, caller: Session): void {
  const others = index.get(caller.applicationId)
  others?.delete(caller)
  if (others?.size === 0) index.delete(caller.applicationId)
}
