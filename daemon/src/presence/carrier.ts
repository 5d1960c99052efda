/** A way by which presence leaves this machine. Of those that can, the first shows it; the others show nothing. */
import type { Presence } from './sink.ts'

export interface PresenceCarrier {
  readonly name: 'desktop-client' | 'gateway' | 'headless-session'
  /** Whether it can show this application now. */
  canShow(applicationId: string): boolean
  /** The application shows this; undefined: nothing any more. Called again whenever a link came back. Never throws. */
  show(applicationId: string, presence: Presence | undefined): void
  /** The application shows something, or nothing any more, whoever carries it: one that must open a link first begins now. */
  expect?(applicationId: string, isShowing: boolean): void
  /** Who is told when `canShow` may answer differently for an application. */
  onChange(listener: (applicationId: string) => void): void
}
