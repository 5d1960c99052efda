/** Everybody who is connected and has said hello. */
import type { Caller } from './caller.ts'

export class CallerRegistry {
  readonly #callers = new Set<Caller>()

  add(caller: Caller): void {
    this.#callers.add(caller)
  }

  remove(caller: Caller): void {
    this.#callers.delete(caller)
  }

  all(): readonly Caller[] {
    return [...this.#callers]
  }

  /** Connections that speak for this user of this application. */
  signedInAs(applicationId: string, userId: string): readonly Caller[] {
    return this.all().filter((caller) => caller.applicationId === applicationId && caller.signedIn?.userId === userId)
  }
}
