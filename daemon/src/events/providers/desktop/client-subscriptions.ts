/** The subscriptions that each application needs at the client, computed from those of its sessions. Pure. */
import type { Session } from '../../../sessions/session.ts'
import type { EventSelector } from '../../subscription-registry.ts'
import { type ClientEventName, isClientEvent } from './client-events.ts'

/** A subscription at the client. */
export interface ClientSubscription {
  readonly key: string
  readonly name: ClientEventName
  readonly args: object
  /** The session whose token is used if the client requires one: the last signed-in subscriber. */
  readonly onBehalfOf: Session | undefined
}

export function clientSubscription(name: ClientEventName, args: object, session: Session): ClientSubscription {
  const given = Object.entries(args)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return {
    key: `${name} ${JSON.stringify(given)}`,
    name,
    args: Object.fromEntries(given),
    onBehalfOf: session.signedIn === undefined ? undefined : session,
  }
}

/** By application, then by key. */
export function subscriptionsByApplication(
  selectors: readonly EventSelector[],
  subscribersOf: (event: EventSelector) => readonly Session[],
  /** Whether the client brings the event to a session. */
  isAssigned: (name: ClientEventName, session: Session) => boolean,
): ReadonlyMap<string, ReadonlyMap<string, ClientSubscription>> {
  const byApplication = new Map<string, Map<string, ClientSubscription>>()
  for (const event of selectors) {
    const { name, args } = event
    if (!isClientEvent(name)) continue
    for (const session of subscribersOf(event)) {
      if (!isAssigned(name, session)) continue
      const subscriptions = byApplication.get(session.applicationId) ?? new Map<string, ClientSubscription>()
      const subscription = clientSubscription(name, args, session)
      byApplication.set(
        session.applicationId,
        subscriptions.set(subscription.key, {
          ...subscription,
          onBehalfOf: subscription.onBehalfOf ?? subscriptions.get(subscription.key)?.onBehalfOf,
        }),
      )
    }
  }
  return byApplication
}
