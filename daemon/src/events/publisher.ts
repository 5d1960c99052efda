/** Publishes the events of providers to games. The same event from several providers reaches a session once. */
import type { Clock } from '@sallyport/core/clock'
import type { Session } from '../sessions/session.ts'
import type { SubscriptionRegistry } from './subscription-registry.ts'
import { isUpdate } from './dedupe-keys.ts'
import { ExpiringMap } from '@sallyport/core/expiring-map'
import type { Publish } from './outgoing-event.ts'

interface PublisherDeps {
  readonly hub: Pick<SubscriptionRegistry<Session>, 'publish'>
  readonly clock: Clock
}

/** How often each origin published one dedupe key to a session. */
type DeliveryCounts = Map<string, number>

/** A session that had not subscribed when the first provider published the event still gets it from the next provider. */
export function createPublisher({ hub, clock }: PublisherDeps): Publish {
  const deliveries = new ExpiringMap<WeakMap<Session, DeliveryCounts>>(clock)
  return (event) => {
    const { name, args, data, isRecipient } = event
    if (event.dedupeKey === undefined) return hub.publish({ name, args }, data, isRecipient)
    const { dedupeKey, origin } = event
    const known = deliveries.get([dedupeKey])
    const delivered = known ?? new WeakMap<Session, DeliveryCounts>()
    const count = hub.publish(
      { name, args },
      data,
      (session) => isRecipient(session) && isFirstDelivery(delivered, session, origin, isUpdate(name)),
    )
    if (known === undefined && count > 0) deliveries.set([dedupeKey], delivered)
    return count
  }
}

/**
 * Whether no other origin has published the event to the session this often. Two origins that publish the first pin of a message count once; the
 * second pin counts again. An event that is not an update counts once, however often it is published.
 */
function isFirstDelivery(delivered: WeakMap<Session, DeliveryCounts>, session: Session, origin: string, canRepeat: boolean): boolean {
  const counts: DeliveryCounts = delivered.get(session) ?? new Map()
  const times = canRepeat ? (counts.get(origin) ?? 0) + 1 : 1
  const isFirst = [...counts.values()].every((others) => others < times)
  delivered.set(session, counts.set(origin, times))
  return isFirst
}
