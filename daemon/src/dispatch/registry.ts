/** Everybody who is connected and has said hello. */
import type { Caller } from './caller.ts'

export class CallerRegistry {
  readonly #callers = new Set<Caller>()
  readonly #byApplication = new Map<string, Set<Caller>>()
  readonly #listeners: ((caller: Caller) => void)[] = []

  /** Who is told when a connection came or went, or somebody signed in or out on it. */
  onChange(listener: (caller: Caller) => void): void {
    this.#listeners.push(listener)
  }

  add(caller: Caller): void {
    this.#callers.add(caller)
    const others = this.#byApplication.get(caller.applicationId)
    if (others === undefined) this.#byApplication.set(caller.applicationId, new Set([caller]))
    else others.add(caller)
    caller.onStanding = () => this.#tell(caller)
    this.#tell(caller)
  }

  remove(caller: Caller): void {
    this.#callers.delete(caller)
    const others = this.#byApplication.get(caller.applicationId)
    others?.delete(caller)
    if (others?.size === 0) this.#byApplication.delete(caller.applicationId)
    caller.onStanding = () => {}
    this.#tell(caller)
  }

  all(): readonly Caller[] {
    return [...this.#callers]
  }

  /** Connections of this application, the newest last. */
  of(applicationId: string): readonly Caller[] {
    return [...(this.#byApplication.get(applicationId) ?? [])]
  }

  /** Connections that speak for this user of this application. */
  signedInAs(applicationId: string, userId: string): readonly Caller[] {
    return this.of(applicationId).filter((caller) => caller.signedIn?.userId === userId)
  }

  #tell(caller: Caller): void {
    for (const listener of this.#listeners) listener(caller)
  }
}
