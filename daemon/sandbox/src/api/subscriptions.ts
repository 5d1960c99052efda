/** SKUs of applications, and subscriptions to them. */
import type { Subscription } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { skusOf } from '../seed/shop.ts'
import type { StoredSubscription } from '../store/guild-application-records.ts'
import { checkOwnApplication } from './access.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { pageOf } from './pages.ts'
import { subscriptionsOf } from './subscription-lifecycle.ts'
import { isoTime } from './wire-time.ts'

const PAGE_DEFAULT = 50

const listSkus: Handler<'LIST_SKUS'> = ({ application_id }, operation) => {
  checkOwnApplication(operation, application_id)
  return skusOf(operation.platform.seed, application_id).map((sku) => ({ ...sku, application_id }))
}

const listSkuSubscriptions: Handler<'LIST_SKU_SUBSCRIPTIONS'> = ({ sku_id, user_id, ...page }, operation) => {
  const userId = subscriber(operation, user_id)
  if (userId === undefined) {
    const message = 'Bots must name a user.'
    throw new PlatformError('invalidForm', { errors: { user_id: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message }] } } })
  }
  return pageOf(
    subscriptionsTo(operation, sku_id).filter((one) => one.user_id === userId),
    { limit: PAGE_DEFAULT, ...page },
  )
}

const getSkuSubscription: Handler<'GET_SKU_SUBSCRIPTION'> = ({ sku_id, subscription_id, user_id }, operation) => {
  const userId = subscriber(operation, user_id)
  const found = subscriptionsTo(operation, sku_id).find(({ id }) => id === subscription_id)
  if (found === undefined || (userId !== undefined && found.user_id !== userId)) throw new PlatformError('unknownSku')
  return found
}

/** The user of the requested subscriptions; users always see only their own. */
const subscriber = ({ caller }: Operation, userId: string | undefined): string | undefined => (caller.kind === 'user' ? caller.id : userId)

function subscriptionsTo(operation: Operation, skuId: string): Subscription[] {
  const { platform, caller } = operation
  if (!skusOf(platform.seed, caller.applicationId).some(({ id }) => id === skuId)) throw new PlatformError('unknownSku')
  return subscriptionsOf(platform, caller.applicationId)
    .filter((one) => one.skuId === skuId && !one.refunded)
    .map(subscriptionView)
}

export const subscriptionView = (one: StoredSubscription): Subscription => ({
  id: one.id,
  user_id: one.userId,
  sku_ids: [one.skuId],
  entitlement_ids: [one.entitlementId],
  renewal_sku_ids: [...one.renewalSkuIds],
  current_period_start: isoTime(one.periodStart),
  current_period_end: isoTime(one.periodEnd),
  status: one.status,
  canceled_at: one.canceledAt === null ? null : isoTime(one.canceledAt),
})

export const subscriptionHandlers = {
  GET_SKU_SUBSCRIPTION: getSkuSubscription,
  LIST_SKUS: listSkus,
  LIST_SKU_SUBSCRIPTIONS: listSkuSubscriptions,
} satisfies Partial<Handlers>
