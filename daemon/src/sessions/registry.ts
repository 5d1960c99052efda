/** Everybody who is connected and has said hello. */
import type { Caller } from './session.ts'

export class CallerRegistry {
  /** By the id of their channel. */
  readonly #callers = new Map<number, Caller>()
  readonly #byApplication = new Map<string, Set<Caller>>()
  /** Of those, the ones with a user: few of a crowd, and the ones that most questions are about. */
  readonly #signedIn = new Map<string, Set<Caller>>()
  readonly #listeners: ((caller: Caller) => void)[] = []

  /** Who is told when a connection came or went, or somebody signed in or out on it. */
  onChange(listener: (caller: Caller) => void): void {
    this.#listeners.push(listener)
  }

  add(caller: Caller): void {
    this.#callers.set(caller.channel.id, caller)
    put(this.#byApplication, caller)
    caller.onStanding = () => this.#changed(caller)
    this.#changed(caller)
  }

  remove(caller: Caller): void {
    this.#callers.delete(caller.channel.id)
    take(this.#byApplication, caller)
    caller.onStanding = () => {}
    this.#changed(caller)
  }

  all(): readonly Caller[] {
    return [...this.#callers.values()]
  }

  /** Undefined for one that is not connected any more. */
  find(channelId: number): Caller | undefined {
    return this.#callers.get(channelId)
  }

  /** Connections of this application, the newest last. */
  of(applicationId: string): readonly Caller[] {
    return [...(this.#byApplication.get(applicationId) ?? [])]
  }

  /** Connections of this application on which somebody is signed in, the newest sign-in last. */
  signedIn(applicationId: string): readonly Caller[] {
    return [...(this.#signedIn.get(applicationId) ?? [])]
  }

  /** Connections that speak for this user of this application. */
  signedInAs(applicationId: string, userId: string): readonly Caller[] {
    return this.signedIn(applicationId).filter((caller) => caller.signedIn?.userId === userId)
  }

  #changed(caller: Caller): void {
    if (caller.signedIn !== undefined && this.find(caller.channel.id) === caller) put(this.#signedIn, caller)
    else take(this.#signedIn, caller)
    for (const listener of this.#listeners) listener(caller)
  }
}

function put(index: Map<string, Set<Caller>>, caller: Caller): void {
  const others = index.get(caller.applicationId)
  if (others === undefined) index.set(caller.applicationId, new Set([caller]))
  else others.add(caller)
}

function take(index: Map<string, Set<Caller>>, caller: Caller): void {
  const others = index.get(caller.applicationId)
  others?.delete(caller)
  if (others?.size === 0) index.delete(caller.applicationId)
}
