/** Entitlements and subscriptions, for the bot of their application and the user who has them. */
import { boughtView, entitlementView } from '../../api/entitlements.ts'
import { entitlementChange, seededSubscription } from '../../api/subscription-life.ts'
import { subscriptionView } from '../../api/subscriptions.ts'
import type { StoredEntitlement, StoredSubscription } from '../../store/belongings.ts'
import { isTheirs } from '../viewer.ts'
import { isSame, NOTHING, type Occurrence, type Tell, type Told } from './told.ts'

const toldTo =
  (applicationId: string, userId: string | undefined, told: readonly Told[]): Tell =>
  (viewer) =>
    isTheirs(viewer, applicationId, userId) ? told : NOTHING

export const ofEntitlement: Occurrence<StoredEntitlement> = ({ before, after }) => {
  if (after === undefined) return undefined
  const kind = before === undefined ? 'CREATE' : after.deleted ? 'DELETE' : 'UPDATE'
  return toldTo(after.applicationId, after.userId ?? undefined, [{ t: `ENTITLEMENT_${kind}`, d: entitlementView(after) }])
}

export const ofSubscription: Occurrence<StoredSubscription> = ({ before: stored, after }, { platform }) => {
  if (after === undefined) return undefined
  const before = stored ?? seededSubscription(platform, after)
  const kind = before === undefined ? 'CREATE' : after.refunded ? 'DELETE' : 'UPDATE'
  const entitlement = entitlementChange(platform, stored, after)
  const view = subscriptionView(after)
  return toldTo(after.applicationId, after.userId, [
    ...(kind === 'UPDATE' && before !== undefined && isSame(subscriptionView(before), view)
      ? NOTHING
      : [{ t: `SUBSCRIPTION_${kind}`, d: view }]),
    ...(entitlement === undefined ? NOTHING : [{ t: `ENTITLEMENT_${entitlement}`, d: boughtView(platform, after) }]),
  ])
}
