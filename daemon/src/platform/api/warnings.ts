/** Warnings before the platform rejects calls: one per key and window, in the log and in the status. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import { Signal } from '@sallyport/core/signal'

export interface Warning {
  readonly kind: 'development_limit' | 'invalid_requests'
  readonly message: string
  /** The application that it concerns; undefined: all. */
  readonly applicationId?: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** Maximum stored warnings; each application has a few keys. */
const MAX_WARNINGS = 256

export class Warnings {
  /** A warning was raised. */
  readonly changed = new Signal()
  readonly #clock: Clock
  readonly #log: Logger
  readonly #raised = new Map<string, Warning>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Raises a warning for a key, unless the previous one for that key is still active. */
  raise(key: string, warning: Warning): void {
    this.#forgetEnded()
    if (this.#raised.has(key) || this.#raised.size >= MAX_WARNINGS) return
    this.#raised.set(key, warning)
    this.#log.warn('platform-warning', { kind: warning.kind, message: warning.message })
    this.changed.emit()
  }

  /** The active warnings. */
  current(): readonly Warning[] {
    this.#forgetEnded()
    return [...this.#raised.values()]
  }

  #forgetEnded(): void {
    const now = this.#clock.now()
    for (const [key, { endsAt }] of this.#raised) if (now >= endsAt) this.#raised.delete(key)
  }
}
