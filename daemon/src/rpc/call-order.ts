/** Calls that wait for the schemas of their command. The calls of a session start in the order in which they came. */
import type { Session } from '../sessions/session.ts'

export class CallOrder {
  /** By session: resolves when its last waiting call has started. */
  readonly #started = new Map<Session, Promise<void>>()

  /** Whether a call of the session waits. */
  isWaiting(session: Session): boolean {
    return this.#started.size > 0 && this.#started.has(session)
  }

  /** Runs a call after the waiting ones of its session, and after `ready`, which is asked then. Rejects as they do. */
  async hold(session: Session, ready: () => Promise<void> | undefined, run: () => unknown): Promise<unknown> {
    const before = this.#started.get(session)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#started.set(session, promise)
    try {
      await before
      await ready()
      return run()
    } finally {
      if (this.#started.get(session) === promise) this.#started.delete(session)
      resolve()
    }
  }
}
