/** Shows the activities of headless sessions in the presence of their users, until they end or expire. */
import { headlessActivityView } from '../api/headless-sessions.ts'
import { HEADLESS_SESSION_MS } from '../constants.ts'
import type { Platform } from '../platform.ts'
import type { StoredHeadlessSession } from '../store/admin-records.ts'
import type { Change } from '../store/store.ts'
import { headlessSessions } from '../social/joinable-sessions.ts'
import type { GatewaySessions } from './sessions.ts'

export class HeadlessPresences {
  readonly #platform: Platform
  readonly #sessions: GatewaySessions
  /** Cancels of the expiries, by session. */
  readonly #expiries = new Map<string, () => void>()

  /** Shows the sessions of a data file too. */
  constructor(platform: Platform, sessions: GatewaySessions) {
    this.#platform = platform
    this.#sessions = sessions
    for (const session of headlessSessions(platform)) this.#show(session)
  }

  apply(changes: readonly Change[]): void {
    const { kind } = this.#platform.store.headlessSessions
    for (const change of changes) {
      if (change.kind !== kind) continue
      // A document has the type of its kind.
      if (change.after !== undefined) this.#show(change.after as StoredHeadlessSession)
      else if (change.before !== undefined) this.#hide(change.before as StoredHeadlessSession)
    }
  }

  close(): void {
    for (const cancel of this.#expiries.values()) cancel()
    this.#expiries.clear()
  }

  #show(session: StoredHeadlessSession): void {
    const { id, userId, changedAt } = session
    const { clock } = this.#platform
    this.#expiries.get(id)?.()
    const left = changedAt + HEADLESS_SESSION_MS - clock.now()
    this.#expiries.set(
      id,
      clock.after(left, () => this.#hide(session)),
    )
    this.#sessions.changePresence(userId, () => this.#sessions.presences.setHeadless(userId, id, headlessActivityView(session)))
  }

  #hide({ id, userId }: StoredHeadlessSession): void {
    this.#expiries.get(id)?.()
    this.#expiries.delete(id)
    this.#sessions.changePresence(userId, () => this.#sessions.presences.setHeadless(userId, id, undefined))
  }
}
