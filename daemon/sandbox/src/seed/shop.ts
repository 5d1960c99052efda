/** The SKUs and subscriptions of every application: pure functions of seed, application and time, so they are not stored. */
import { seededId } from '../snowflake.ts'
import type { StoredSubscription } from '../store/guild-application-records.ts'

export const SKU_TYPES = { durable: 2, consumable: 3, subscription: 5, subscriptionGroup: 6 } as const
/** Without this flag the SKU cannot be bought. */
export const AVAILABLE = 1 << 2
const USER_SUBSCRIPTION = 1 << 8

interface ShopSku {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly type: number
  readonly flags: number
}

/** An initial subscription; its user by name. */
type ShopSubscription = Omit<StoredSubscription, 'userId'> & { readonly username: string }

const GOODS = [
  { name: 'Crew Pass', slug: 'crew-pass', type: SKU_TYPES.subscriptionGroup, flags: AVAILABLE | USER_SUBSCRIPTION },
  { name: 'Crew Pass', slug: 'crew-pass', type: SKU_TYPES.subscription, flags: AVAILABLE | USER_SUBSCRIPTION },
  { name: 'Brass Lantern', slug: 'brass-lantern', type: SKU_TYPES.durable, flags: AVAILABLE },
  { name: 'Coil of Rope', slug: 'coil-of-rope', type: SKU_TYPES.consumable, flags: AVAILABLE },
  { name: 'Tallow Candle', slug: 'tallow-candle', type: SKU_TYPES.durable, flags: 0 },
] as const

export const skusOf = (seed: string, applicationId: string): readonly ShopSku[] =>
  GOODS.map((good) => ({ ...good, id: seededId(seed, `sku ${applicationId} ${good.slug} ${good.type}`) }))

/** The SKU of the subscriptions. */
export const subscriptionSkuOf = (seed: string, applicationId: string): string =>
  skusOf(seed, applicationId).find(({ type }) => type === SKU_TYPES.subscription)?.id ?? ''

/** One of each status. Periods are calendar months. */
const SUBSCRIBERS = [
  { username: 'ada', status: 0, monthsAgo: 0, isCanceled: false },
  { username: 'grace', status: 2, monthsAgo: 0, isCanceled: true },
  { username: 'linus', status: 1, monthsAgo: 2, isCanceled: true },
] as const

export function subscriptionsOf(seed: string, applicationId: string, now: number): readonly ShopSubscription[] {
  const skuId = subscriptionSkuOf(seed, applicationId)
  const today = new Date(now)
  const month = (offset: number): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset)
  return SUBSCRIBERS.map(({ username, status, monthsAgo, isCanceled }) => ({
    id: seededId(seed, `subscription ${applicationId} ${username}`),
    applicationId,
    username,
    skuId,
    entitlementId: seededId(seed, `entitlement ${applicationId} ${username}`),
    renewalSkuIds: status === 0 ? [skuId] : [],
    status,
    startedAt: month(-monthsAgo),
    periodStart: month(-monthsAgo),
    periodEnd: month(1 - monthsAgo),
    canceledAt: isCanceled ? month(-monthsAgo) : null,
    endedAt: status === 1 ? month(1 - monthsAgo) : null,
    migratedAt: null,
    refunded: false,
  }))
}
