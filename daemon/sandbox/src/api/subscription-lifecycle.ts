/** The lifecycle of subscriptions: initial ones with their changes, and ones that started later. */
import { isInEffect } from '@sallyport/protocol'
import { SUBSCRIPTIONS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform, rememberApplication } from '../platform.ts'
import { subscriptionSkuOf, subscriptionsOf as seeded } from '../seed/shop.ts'
import type { StoredSubscription } from '../store/guild-application-records.ts'

const ACTIVE = 0
const INACTIVE = 1
const ENDING = 2

/** The initial subscriptions, derived from the seed. */
function seededSubscriptions(platform: Platform, applicationId: string): StoredSubscription[] {
  return seeded(platform.seed, applicationId, platform.clock.now()).flatMap(({ username, ...one }) => {
    const user = findUser(platform, username)
    return user === undefined ? [] : [{ ...one, userId: user.id }]
  })
}

/** All subscriptions of an application, including refunded ones. */
export function subscriptionsOf(platform: Platform, applicationId: string): StoredSubscription[] {
  const { subscriptions } = platform.store
  const first = seededSubscriptions(platform, applicationId)
  const known = new Set(first.map(({ id }) => id))
  const later = subscriptions.group(applicationId).filter(({ id }) => !known.has(id))
  return [...first.map((one) => subscriptions.get(one.id) ?? one), ...later]
}

/** The initial state of a subscription; undefined for one that started later. */
export const seededSubscription = (platform: Platform, { id, applicationId }: StoredSubscription): StoredSubscription | undefined =>
  seededSubscriptions(platform, applicationId).find((one) => one.id === id)

/**
 * The entitlement event of a subscription change (`stored`: the state before): at its start and end; no event
 * at renewals except the one that migrated it.
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
type SubscriptionStep = (typeof SUBSCRIPTION_STEPS)[number]

export interface StepContext {
  readonly now: number
  readonly renewalSkuIds: readonly string[] | undefined
}

const refused = (message: string): PlatformError => new PlatformError('invalidForm', { message })

/** The changes of an active subscription. Pure. */
const TRANSITIONS: Record<Exclude<SubscriptionStep, 'start'>, (one: StoredSubscription, context: StepContext) => StoredSubscription> = {
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
    // The first renewal during the migration reports the existing entitlement once.
    migratedAt: one.migratedAt ?? (isInEffect('entitlement-migration', now) ? now : null),
  }),
}

/** A month in the sandbox. */
const PERIOD_MS = 30 * 86_400_000

function newSubscription(platform: Platform, applicationId: string, userId: string): StoredSubscription {
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

interface SubscriptionChange {
  readonly applicationId: string
  readonly userId: string
  readonly step: SubscriptionStep
  readonly renewalSkuIds: readonly string[] | undefined
}

/** Applies a step to the user's subscription. Throws invalidForm for an impossible step. */
export function stepSubscription(
  platform: Platform,
  { applicationId, userId, step, renewalSkuIds }: SubscriptionChange,
): StoredSubscription {
  const { store, clock } = platform
  const active = subscriptionsOf(platform, applicationId).find((one) => one.userId === userId && one.status !== INACTIVE)
  if (step === 'start' && active !== undefined) throw refused('The user already has a subscription.')
  if (step === 'start' && store.subscriptions.group(applicationId).length >= SUBSCRIPTIONS_MAX)
    throw refused('The application has too many subscriptions.')
  const after =
    step === 'start'
      ? newSubscription(platform, applicationId, userId)
      : active && TRANSITIONS[step](active, { now: clock.now(), renewalSkuIds })
  if (after === undefined) throw refused('The user has no active subscription.')
  store.commit([...rememberApplication(platform, applicationId), store.subscriptions.put(after.id, after)])
  return after
}
