/** Where presence goes. */
import type { StoredActivity } from '@sallyport/protocol'

/** What an application shows now. */
export interface Presence {
  readonly applicationId: string
  /** Session that set it. */
  readonly sessionId: number
  /** Process id as the game said it: a label, not a proof. */
  readonly claimedPid: number | undefined
  readonly stored: StoredActivity
  /** When it was set, in ms since the epoch. */
  readonly since: number
}

export interface PresenceSink {
  /** The application shows this; undefined: it shows nothing any more. */
  show(applicationId: string, presence: Presence | undefined): void
}
