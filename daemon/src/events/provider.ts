/** Where events come from. A provider learns which events games subscribed to, and keeps no connection open without a subscription. */
import type { ProviderHealth } from '@sallyport/core/provider-health'
import type { Session } from '../sessions/session.ts'
import type { EventSelector } from './subscription-registry.ts'

export type ProviderName = 'joins' | 'webhooks' | 'gateway' | 'desktop-client' | 'guild-status-poll'

export interface EventProvider {
  /** The name in the status of the bridge. */
  readonly name: ProviderName
  /** Called first, once. */
  start(): Promise<void>
  /** All current subscriptions, also those that other providers serve. Called after every change of them, and of a session's user or scopes. */
  reconcile(selectors: readonly EventSelector[]): void
  /** A session subscribed to any event, also when other sessions have the same subscription. */
  onSubscribe?(session: Session, event: EventSelector): void
  /**
   * Confirms a subscription for which the session awaits the response; only for providers in CONFIRMED_BY. Resolves when the response may be sent,
   * and publishes the current state a turn later. Returns undefined when another provider decides. Rejects with BridgeError when the event
   * cannot come.
   */
  confirm?(session: Session, event: EventSelector): Promise<void> | undefined
  /** Ends all work; nothing is published afterwards. */
  stop(): Promise<void>
  health(): ProviderHealth
}
