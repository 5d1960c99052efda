/** Where presence goes. */
import type { StoredActivity } from '@sallyport/protocol'

/** Who shows something: a user of an application. */
export interface Player {
  readonly applicationId: string
  /** Undefined: whoever uses this machine, since nobody signed in. */
  readonly userId: string | undefined
}

/** What a player shows now. */
export interface Presence extends Player {
  /** Session that set it. */
  readonly sessionId: number
  /** Process id as the game said it: a label, not a proof. */
  readonly claimedPid: number | undefined
  readonly stored: StoredActivity
  /** When it was set, in ms since the epoch. */
  readonly since: number
}

export interface PresenceSink {
  /** The player shows this; undefined: nothing any more. */
  show(player: Player, presence: Presence | undefined): void
}
