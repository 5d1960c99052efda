/** A way by which presence leaves this machine. Of those that can, the first shows it; the others show nothing. */
import type { Player, Presence } from './sink.ts'

export interface PresenceCarrier {
  readonly name: 'desktop-client' | 'gateway' | 'headless-session'
  /** Whether it can show this player now. */
  canShow(player: Player): boolean
  /** The player shows this; undefined: nothing any more. Called again whenever a link came back. Never throws. */
  show(player: Player, presence: Presence | undefined): void
  /** The player shows something, or nothing any more, whoever carries it: one that must open a link first begins now. */
  expect?(player: Player, isShowing: boolean): void
  /** Who is told when `canShow` may answer differently, for one user of an application, or for all players of it when none is named. */
  onChange(listener: (applicationId: string, userId?: string) => void): void
}
