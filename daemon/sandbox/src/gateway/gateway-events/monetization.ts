/** Events of entitlements and subscriptions, for the application's bot and their user. */
import { subscriptionEntitlementView, entitlementView } from '../../api/entitlements.ts'
import { entitlementChange, seededSubscription } from '../../api/subscription-lifecycle.ts'
import { subscriptionView } from '../../api/subscriptions.ts'
import type { StoredEntitlement, StoredSubscription } from '../../store/guild-application-records.ts'
import { belongsTo } from '../viewer.ts'
import { isSame, NO_EVENTS, type ChangeMapper, type EventMapper, type GatewayEvent } from './event-mapper.ts'

const eventsFor =
  (applicationId: string, userId: string | undefined, event: readonly GatewayEvent[]): EventMapper =>
  (viewer) =>
    belongsTo(viewer, applicationId, userId) ? event : NO_EVENTS

export const mapEntitlement: ChangeMapper<StoredEntitlement> = ({ before, after }) => {
  if (after === undefined) return undefined
  const kind = before === undefined ? 'CREATE' : after.deleted ? 'DELETE' : 'UPDATE'
  return eventsFor(after.applicationId, after.userId ?? undefined, [{ t: `ENTITLEMENT_${kind}`, d: entitlementView(after) }])
}

export const mapSubscription: ChangeMapper<StoredSubscription> = ({ before: stored, after }, { platform }) => {
  if (after === undefined) return undefined
  const before = stored ?? seededSubscription(platform, after)
  const kind = before === undefined ? 'CREATE' : after.refunded ? 'DELETE' : 'UPDATE'
  const entitlement = entitlementChange(platform, stored, after)
  const view = subscriptionView(after)
  return eventsFor(after.applicationId, after.userId, [
    ...(kind === 'UPDATE' && before !== undefined && isSame(subscriptionView(before), view)
      ? NO_EVENTS
      : [{ t: `SUBSCRIPTION_${kind}`, d: view }]),
    ...(entitlement === undefined ? NO_EVENTS : [{ t: `ENTITLEMENT_${entitlement}`, d: subscriptionEntitlementView(platform, after) }]),
  ])
}
