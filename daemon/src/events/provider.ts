/** Where events come from. A provider learns which events games subscribed to, and keeps no connection open without a subscription. */
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { Session } from '../sessions/session.ts'
import type { Route } from './routing.ts'
import type { EventSelector } from './subscription-registry.ts'

export type ProviderName = 'invites' | 'webhooks' | 'gateway' | 'desktop-client' | 'guild-status-poll'

export interface EventProvider {
  /** The name in the status of the bridge. */
  readonly name: ProviderName
  /** Its routes that are assigned to sessions; absent: it publishes everything that reaches it. */
  readonly routes?: readonly Route[]
  /** Called first, once. */
  start(): Promise<void>
  /**
   * All current subscriptions, also those that other providers serve. Called after every change of them, of a session's user or scopes, and of
   * what a route covers.
   */
  reconcile(selectors: readonly EventSelector[]): void
  /** A session subscribed to any event, also when other sessions have the same subscription. Called before the routes are asked to confirm it. */
  onSubscribe?(session: Session, event: EventSelector): void
  /** Whether it publishes the event to the session by a route that is not assigned. Absent: as the table of routes says. */
  publishes?(session: Session, event: string): boolean
  /** Ends all work; nothing is published afterwards. */
  stop(): Promise<void>
  health(): ProviderHealth
}
