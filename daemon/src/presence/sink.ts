/** Receivers of presence. */
import type { SignalSource } from '@sallyport/core/signal'
import type { StoredActivity } from '@sallyport/protocol'

/** The owner of a presence: a user of an application. */
export interface PresenceOwner {
  readonly applicationId: string
  /** Undefined: the user of this machine, because no user signed in. */
  readonly userId: string | undefined
}

/** The current presence of an owner. */
export interface Presence extends PresenceOwner {
  /** Session that set it. */
  readonly sessionId: number
  /** Process id as the game sent it: a label, not a proof. */
  readonly claimedPid: number | undefined
  readonly stored: StoredActivity
  /** When it was set, in ms since the epoch. */
  readonly since: number
}

export interface PresenceSink {
  /** Shows the presence of an owner; undefined clears it. */
  show(owner: PresenceOwner, presence: Presence | undefined): void
  /** The sink needs the presence of an owner again. */
  readonly resend?: SignalSource<PresenceOwner>
}
