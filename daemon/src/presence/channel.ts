/** A channel that sends presence to the platform. Without a choice of the user, the first one that can show an owner is used. */
import type { SignalSource } from '@sallyport/core/signal'
import type { StoredActivity } from '@sallyport/protocol'
import type { ACCOUNT, Places } from './places.ts'
import type { PresenceOwner, Presence } from './sink.ts'

/** What a channel can show changed: for one user of an application, or for all its owners without a user. */
export interface ChannelChange {
  readonly applicationId: string
  readonly userId?: string | undefined
}

export interface PresenceChannel {
  readonly name: 'desktop-client' | 'gateway' | 'headless-session'
  /** The place that it is; absent: it reaches several, and looks at `places` itself. */
  readonly place?: typeof ACCOUNT
  /** Whether it can show this owner now, at one of these places. */
  canShow(owner: PresenceOwner, places: Places): boolean
  /** Whether it shows the owner under the owner's own name, so that no other channel does it too. Absent: always. */
  isOwn?(owner: PresenceOwner, places: Places): boolean
  /** Shows the presence of an owner; undefined clears it. Called again after a reconnect. Never throws. */
  show(owner: PresenceOwner, presence: Presence | undefined): void
  /** What the owner shows now via any channel; undefined: nothing. A channel that must connect first starts to connect. */
  prepare?(owner: PresenceOwner, presence: Presence | undefined): void
  /** The user chose other places for what the owner shows. Shows and clears at once what that changes within the channel. */
  placesChanged?(presence: Presence): void
  /** Ids of the places where it shows the owner now. Absent: its own. */
  shownOn?(owner: PresenceOwner): readonly string[]
  /** Paths of the fields of an activity that this way does not carry. Absent: it carries all. */
  notCarried?(stored: StoredActivity): readonly string[]
  /** `canShow` changed. */
  readonly changed: SignalSource<ChannelChange>
}
