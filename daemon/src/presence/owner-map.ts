/** A map by presence owner. An application without entries uses no memory. */
import type { PresenceOwner } from './sink.ts'

export class OwnerMap<T> {
  readonly #applications = new Map<string, Map<string | undefined, T>>()

  #size = 0

  get size(): number {
    return this.#size
  }

  get({ applicationId, userId }: PresenceOwner): T | undefined {
    return this.#applications.get(applicationId)?.get(userId)
  }

  set({ applicationId, userId }: PresenceOwner, value: T): void {
    const ofApplication = this.#applications.get(applicationId)
    if (ofApplication?.has(userId) !== true) this.#size++
    if (ofApplication === undefined) this.#applications.set(applicationId, new Map([[userId, value]]))
    else ofApplication.set(userId, value)
  }

  delete({ applicationId, userId }: PresenceOwner): void {
    const ofApplication = this.#applications.get(applicationId)
    if (ofApplication?.delete(userId) === true) this.#size--
    if (ofApplication?.size === 0) this.#applications.delete(applicationId)
  }

  /** The values of an application, in the order of insertion. */
  of(applicationId: string): readonly T[] {
    const ofApplication = this.#applications.get(applicationId)
    return ofApplication === undefined ? [] : [...ofApplication.values()]
  }

  all(): readonly T[] {
    return [...this.#applications.values()].flatMap((ofApplication) => [...ofApplication.values()])
  }
}
