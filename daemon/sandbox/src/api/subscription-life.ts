/** Subscriptions as they stand: those of the seed, with what became of them since, and those begun later; and how they go on. */
import { holdsOn } from '@sallyport/protocol'
import { SUBSCRIPTIONS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'
import { subscriptionSkuOf, subscriptionsOf as seeded } from '../seed/shop.ts'
import type { StoredSubscription } from '../store/belongings.ts'

const ACTIVE = 0
const INACTIVE = 1
const ENDING = 2

/** As the seed has them. */
function seededSubscriptions(platform: Platform, applicationId: string): StoredSubscription[] {
  return seeded(platform.seed, applicationId, platform.clock.now()).flatMap(({ username, ...one }) => {
    const user = findUser(platform, username)
    return user === undefined ? [] : [{ ...one, userId: user.id }]
  })
}

/** All of an application, those paid back included. */
export function subscriptionsOf(platform: Platform, applicationId: string): StoredSubscription[] {
  const { subscriptions } = platform.store
  const first = seededSubscriptions(platform, applicationId)
  const known = new Set(first.map(({ id }) => id))
  const later = subscriptions.group(applicationId).filter(({ id }) => !known.has(id))
  return [...first.map((one) => subscriptions.get(one.id) ?? one), ...later]
}

/** What it was before anything changed it; undefined for one that was begun later. */
export const seededSubscription = (platform: Platform, { id, applicationId }: StoredSubscription): StoredSubscription | undefined =>
  seededSubscriptions(platform, applicationId).find((one) => one.id === id)

/**
 * What a change of a subscription (`stored`: as it was stored before) is for its entitlement: its beginning and its end, and nothing at
 * renewals but the one that migrated it.
 */
export function entitlementChange(
  platform: Platform,
  stored: StoredSubscription | undefined,
  after: StoredSubscription,
): 'CREATE' | 'UPDATE' | 'DELETE' | undefined {
  const before = stored ?? seededSubscription(platform, after)
  if (before === undefined) return 'CREATE'
  if (after.refunded) return 'DELETE'
  if (before.endedAt !== after.endedAt) return 'UPDATE'
  return before.migratedAt === after.migratedAt ? undefined : 'CREATE'
}

export const SUBSCRIPTION_STEPS = ['start', 'cancel', 'renew', 'change', 'end', 'refund'] as const
export type SubscriptionStep = (typeof SUBSCRIPTION_STEPS)[number]

export interface Turn {
  readonly now: number
  readonly renewalSkuIds: readonly string[] | undefined
}

const refused = (message: string): PlatformError => new PlatformError('invalidForm', { message })

/** What becomes of a subscription that goes on. Pure. */
const TURNS: Record<Exclude<SubscriptionStep, 'start'>, (one: StoredSubscription, turn: Turn) => StoredSubscription> = {
  cancel: (one, { now }) => ({ ...one, status: ENDING, canceledAt: now, renewalSkuIds: [] }),
  change: (one, { renewalSkuIds }) => ({ ...one, renewalSkuIds: renewalSkuIds ?? one.renewalSkuIds }),
  end: (one, { now }) => ({ ...one, status: INACTIVE, endedAt: now, periodEnd: now, renewalSkuIds: [] }),
  refund: (one, { now }) => ({ ...one, status: INACTIVE, endedAt: now, refunded: true, renewalSkuIds: [] }),
  renew: (one, { now, renewalSkuIds }) => ({
    ...one,
    status: ACTIVE,
    canceledAt: null,
    periodStart: one.periodEnd,
    periodEnd: one.periodEnd + (one.periodEnd - one.periodStart),
    renewalSkuIds: renewalSkuIds ?? [one.skuId],
    // The first renewal in those days says once that the entitlement is there, which it was before.
    migratedAt: one.migratedAt ?? (holdsOn('entitlement-migration', now) ? now : null),
  }),
}

/** A month, as far as a sandbox cares. */
const PERIOD_MS = 30 * 86_400_000

function begun(platform: Platform, applicationId: string, userId: string): StoredSubscription {
  const { ids, seed, clock } = platform
  const now = clock.now()
  const skuId = subscriptionSkuOf(seed, applicationId)
  return {
    id: ids.next(),
    applicationId,
    userId,
    skuId,
    entitlementId: ids.next(),
    renewalSkuIds: [skuId],
    status: ACTIVE,
    startedAt: now,
    periodStart: now,
    periodEnd: now + PERIOD_MS,
    canceledAt: null,
    endedAt: null,
    migratedAt: null,
    refunded: false,
  }
}

export interface SubscriptionChange {
  readonly applicationId: string
  readonly userId: string
  readonly step: SubscriptionStep
  readonly renewalSkuIds: readonly string[] | undefined
}

/** Lets the user's subscription take a step. Throws invalidForm for one that it cannot take. */
export function stepSubscription(
  platform: Platform,
  { applicationId, userId, step, renewalSkuIds }: SubscriptionChange,
): StoredSubscription {
  const { store, clock } = platform
  const goesOn = subscriptionsOf(platform, applicationId).find((one) => one.userId === userId && one.status !== INACTIVE)
  if (step === 'start' && goesOn !== undefined) throw refused('The user is subscribed already.')
  if (step === 'start' && store.subscriptions.group(applicationId).length >= SUBSCRIPTIONS_MAX)
    throw refused('The application has too many subscriptions.')
  const after =
    step === 'start' ? begun(platform, applicationId, userId) : goesOn && TURNS[step](goesOn, { now: clock.now(), renewalSkuIds })
  if (after === undefined) throw refused('The user has no subscription that goes on.')
  store.commit([...rememberApplication(platform, applicationId), store.subscriptions.put(after.id, after)])
  return after
}
