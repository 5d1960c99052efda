/**
 * The way out of this machine: of the carriers that can show a player now the first one shows them, and the others show nothing.
 * It is looked at again whenever a carrier says that it can, or can no longer; what goes out then counts against the same budget.
 */
import { ByPlayer } from './by-player.ts'
import type { PresenceCarrier } from './carrier.ts'
import type { Player, Presence, PresenceSink } from './sink.ts'

interface Shown {
  readonly presence: Presence
  /** Undefined: none can show it now. */
  readonly carrier: PresenceCarrier | undefined
}

export class OutwardPresence implements PresenceSink {
  #carriers: readonly PresenceCarrier[] = []
  /** Has what a player shows sent once more, as the budget allows. */
  readonly #again: (player: Player) => void
  readonly #shown = new ByPlayer<Shown>()

  constructor(again: (player: Player) => void) {
    this.#again = again
  }

  /** The carriers there are, the one to prefer first. Called once, before anything is shown. */
  use(carriers: readonly PresenceCarrier[]): void {
    this.#carriers = carriers
    for (const carrier of carriers) {
      carrier.onChange((applicationId, userId) => {
        for (const shown of this.#shown.of(applicationId))
          if (userId === undefined || userId === shown.presence.userId) this.#changed(shown, carrier)
      })
    }
  }

  show(player: Player, presence: Presence | undefined): void {
    const before = this.#shown.get(player)?.carrier
    const carrier = presence === undefined ? undefined : this.#carrierFor(player)
    if (before !== carrier) before?.show(player, undefined)
    if (presence === undefined) this.#shown.delete(player)
    else this.#shown.set(player, { presence, carrier })
    carrier?.show(player, presence)
    for (const one of this.#carriers) one.expect?.(player, presence !== undefined)
  }

  #carrierFor(player: Player): PresenceCarrier | undefined {
    return this.#carriers.find((carrier) => carrier.canShow(player))
  }

  #changed({ presence, carrier }: Shown, changed: PresenceCarrier): void {
    const next = this.#carrierFor(presence)
    if (next === undefined) {
      this.#shown.set(presence, { presence, carrier: undefined })
      carrier?.show(presence, undefined)
    } else if (next !== carrier || next === changed) this.#again(presence)
  }
}
