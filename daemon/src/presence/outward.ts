/**
 * The way out of this machine: of the carriers that can show an application now the first one shows it, and the others show nothing.
 * It is looked at again whenever a carrier says that it can, or can no longer; what goes out then counts against the same budget.
 */
import type { PresenceCarrier } from './carrier.ts'
import type { Presence, PresenceSink } from './sink.ts'

interface Shown {
  readonly presence: Presence
  /** Undefined: none can show it now. */
  readonly carrier: PresenceCarrier | undefined
}

export class OutwardPresence implements PresenceSink {
  #carriers: readonly PresenceCarrier[] = []
  /** Has what an application shows sent once more, as the budget allows. */
  readonly #again: (applicationId: string) => void
  readonly #shown = new Map<string, Shown>()

  constructor(again: (applicationId: string) => void) {
    this.#again = again
  }

  /** The carriers there are, the one to prefer first. Called once, before anything is shown. */
  use(carriers: readonly PresenceCarrier[]): void {
    this.#carriers = carriers
    for (const carrier of carriers) carrier.onChange((applicationId) => this.#changed(applicationId, carrier))
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const before = this.#shown.get(applicationId)?.carrier
    const carrier = presence === undefined ? undefined : this.#carrierFor(applicationId)
    if (before !== carrier) before?.show(applicationId, undefined)
    if (presence === undefined) this.#shown.delete(applicationId)
    else this.#shown.set(applicationId, { presence, carrier })
    carrier?.show(applicationId, presence)
    for (const one of this.#carriers) one.expect?.(applicationId, presence !== undefined)
  }

  #carrierFor(applicationId: string): PresenceCarrier | undefined {
    return this.#carriers.find((carrier) => carrier.canShow(applicationId))
  }

  #changed(applicationId: string, changed: PresenceCarrier): void {
    const shown = this.#shown.get(applicationId)
    if (shown === undefined) return
    const next = this.#carrierFor(applicationId)
    if (next === undefined) {
      shown.carrier?.show(applicationId, undefined)
      this.#shown.set(applicationId, { presence: shown.presence, carrier: undefined })
    } else if (next !== shown.carrier || next === changed) this.#again(applicationId)
  }
}
