/** A source of events as a port: it learns what is wanted, never who fails to listen, and holds nothing open while nobody wants anything. */
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Session } from '../sessions/session.ts'
import type { DesiredEvent } from './hub.ts'

export type SourceName = 'joins' | 'webhooks' | 'gateway' | 'desktop-client' | 'guild-status-poll'

export interface Source {
  /** As the status of the bridge names it. */
  readonly name: SourceName
  /** Begins to work; nothing else is called before. */
  start(): Promise<void>
  /** All that somebody wants now, of this source or not; called after every change, of a session's user and scopes too. */
  apply(desired: readonly DesiredEvent[]): void
  /** A session just subscribed, to this event or another, be it that others did before; whoever answers it. */
  subscribed?(caller: Session, event: DesiredEvent): void
  /**
   * That session waits for its answer, and this source is named in ANSWERED_BY. Resolves when it may be answered, and tells it how things stand
   * a turn later; undefined when that is not for this source to say. Rejects with BridgeError when the event cannot come.
   */
  welcome?(caller: Session, event: DesiredEvent): Promise<void> | undefined
  /** Ends all work; nothing is told any more. */
  stop(): Promise<void>
  health(): SourceHealth
}
