/** Shows the status that users chose in their presence. */
import type { Platform } from '../platform.ts'
import type { StoredUser } from '../store/records.ts'
import type { Change } from '../store/store.ts'
import type { GatewaySessions } from './sessions.ts'

export class ChosenStatuses {
  readonly #platform: Platform
  readonly #sessions: GatewaySessions

  /** Shows those of a data file too. */
  constructor(platform: Platform, sessions: GatewaySessions) {
    this.#platform = platform
    this.#sessions = sessions
    for (const user of platform.store.users.all()) this.#show(user)
  }

  apply(changes: readonly Change[]): void {
    // A document has the type of its kind.
    for (const { kind, after } of changes)
      if (kind === this.#platform.store.users.kind && after !== undefined) this.#show(after as StoredUser)
  }

  #show({ id, onlineStatus }: StoredUser): void {
    if (onlineStatus !== undefined) this.#sessions.changePresence(id, () => this.#sessions.presences.setChosen(id, onlineStatus))
  }
}
