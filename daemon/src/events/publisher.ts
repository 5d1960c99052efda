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

/** How often one origin published one dedupe key to each session. */
interface OriginCounts {
  readonly origin: string
  readonly times: WeakMap<Session, number>
}

/** By origin, mostly one: an event is kept for minutes, and a map for each session of it would be most of the memory of an active bridge. */
type Delivered = OriginCounts[]

/** A session that had not subscribed when the first provider published the event still gets it from the next provider. */
export function createPublisher({ hub, clock }: PublisherDeps): Publish {
  const deliveries = new ExpiringMap<Delivered>(clock)
  return (event) => {
    const { name, args, data, isRecipient } = event
    const brought = { name, args, origin: 'origin' in event ? event.origin : undefined }
    if (event.dedupeKey === undefined) return hub.publish(brought, data, isRecipient)
    const { dedupeKey, origin } = event
    const known = deliveries.get([dedupeKey])
    // Not empty, because V8 gives an empty array that grows room for sixteen more.
    const delivered: Delivered = known ?? [{ origin, times: new WeakMap() }]
    const count = hub.publish(
      brought,
      data,
      (session) => isRecipient(session) && (isFirstDelivery(delivered, session, origin, isUpdate(name)) || 'copy'),
    )
    if (known === undefined && count > 0) deliveries.set([dedupeKey], delivered)
    return count
  }
}

/**
 * Whether no other origin has published the event to the session this often. Two origins that publish the first pin of a message count once; the
 * second pin counts again. An event that is not an update counts once, however often it is published.
 */
function isFirstDelivery(delivered: Delivered, session: Session, origin: string, canRepeat: boolean): boolean {
  const own = countsOf(delivered, origin)
  const times = canRepeat ? (own.get(session) ?? 0) + 1 : 1
  const isFirst = delivered.every((others) => (others.times.get(session) ?? 0) < times)
  own.set(session, times)
  return isFirst
}

function countsOf(delivered: Delivered, origin: string): WeakMap<Session, number> {
  const known = delivered.find((one) => one.origin === origin)
  if (known !== undefined) return known.times
  const times = new WeakMap<Session, number>()
  delivered.push({ origin, times })
  return times
}
