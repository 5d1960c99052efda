/** What the operator should know before the platform says no: one warning for each matter and window, in the log and in the status. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'

export interface Warning {
  readonly kind: 'development_limit' | 'invalid_requests'
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** Warnings kept; there are a few matters for each application. */
const MOST = 256

export class Warnings {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #raised = new Map<string, Warning>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** `matter` names what it is about; it is said again only when the one before has ended. */
  raise(matter: string, warning: Warning): void {
    this.#forgetEnded()
    if (this.#raised.has(matter) || this.#raised.size >= MOST) return
    this.#raised.set(matter, warning)
    this.#log.warn('upstream.warning', { kind: warning.kind, message: warning.message })
  }

  /** Those that have not ended. */
  current(): readonly Warning[] {
    this.#forgetEnded()
    return [...this.#raised.values()]
  }

  #forgetEnded(): void {
    const now = this.#clock.now()
    for (const [matter, { endsAt }] of this.#raised) if (now >= endsAt) this.#raised.delete(matter)
  }
}
