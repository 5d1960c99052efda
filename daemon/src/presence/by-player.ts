/** What is kept of each player. An application of which nothing is kept costs no memory. */
import type { Player } from './sink.ts'

export class ByPlayer<T> {
  readonly #applications = new Map<string, Map<string | undefined, T>>()

  get({ applicationId, userId }: Player): T | undefined {
    return this.#applications.get(applicationId)?.get(userId)
  }

  set({ applicationId, userId }: Player, value: T): void {
    const ofApplication = this.#applications.get(applicationId)
    if (ofApplication === undefined) this.#applications.set(applicationId, new Map([[userId, value]]))
    else ofApplication.set(userId, value)
  }

  delete({ applicationId, userId }: Player): void {
    const ofApplication = this.#applications.get(applicationId)
    ofApplication?.delete(userId)
    if (ofApplication?.size === 0) this.#applications.delete(applicationId)
  }

  /** Of the players of an application, in the order in which they came. */
  of(applicationId: string): readonly T[] {
    return [...(this.#applications.get(applicationId)?.values() ?? [])]
  }

  all(): readonly T[] {
    return [...this.#applications.values()].flatMap((ofApplication) => [...ofApplication.values()])
  }
}
