/** The bridge's own "Link account" action, for the dashboard and the command line. The desktop client has a button for it. */
import type { Session } from '../sessions/session.ts'
import type { SubscriptionRegistry } from './subscription-registry.ts'

export const LINK_EVENT = { name: 'AUTHORIZE_REQUEST', args: {} } as const

/** Sends AUTHORIZE_REQUEST to the subscribed sessions of an application. Returns how many received it. */
export const requestAccountLink = (hub: SubscriptionRegistry<Session>, applicationId: string): number =>
  hub.publish(LINK_EVENT, null, (session) => session.applicationId === applicationId)
