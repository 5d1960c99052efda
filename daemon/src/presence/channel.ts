/** A channel that sends presence to the platform. The first channel that can show an owner is used. */
import type { SignalSource } from '@sallyport/core/signal'
import type { PresenceOwner, Presence } from './sink.ts'

/** What a channel can show changed: for one user of an application, or for all its owners without a user. */
export interface ChannelChange {
  readonly applicationId: string
  readonly userId?: string | undefined
}

export interface PresenceChannel {
  readonly name: 'desktop-client' | 'gateway' | 'headless-session'
  /** Whether it can show this owner now. */
  canShow(owner: PresenceOwner): boolean
  /** Shows the presence of an owner; undefined clears it. Called again after a reconnect. Never throws. */
  show(owner: PresenceOwner, presence: Presence | undefined): void
  /** The owner shows something or nothing, via any channel. A channel that must connect first starts to connect. */
  prepare?(owner: PresenceOwner, isShowing: boolean): void
  /** `canShow` changed. */
  readonly changed: SignalSource<ChannelChange>
}
