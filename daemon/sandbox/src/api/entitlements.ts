/** Entitlements: those of subscriptions, derived from the seed, and test entitlements. */
import { type Entitlement, hasBegun, LIMITS } from '@sallyport/protocol'
import { ENTITLEMENTS_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import { SKU_TYPES, skusOf } from '../seed/shop.ts'
import type { StoredEntitlement, StoredSubscription } from '../store/guild-application-records.ts'
import { checkOwnApplication } from './access.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { pageOf } from './pages.ts'
import { subscriptionsOf } from './subscription-lifecycle.ts'
import { isoTime } from './wire-time.ts'

const ENTITLEMENT_TYPES = { purchase: 1, testModePurchase: 4, applicationSubscription: 8 } as const
const OWNED_BY_GUILD = 1

interface Named {
  readonly application_id: string
  readonly entitlement_id: string
}

const listEntitlements: Handler<'LIST_ENTITLEMENTS'> = (
  { application_id, user_id, guild_id, sku_ids, exclude_ended = false, exclude_deleted = true, only_active = false, ...page },
  operation,
) => {
  checkOwnApplication(operation, application_id)
  const skus = sku_ids?.split(',')
  const now = operation.platform.clock.now()
  const chosen = visibleEntitlements(operation).filter(
    (one) =>
      (user_id === undefined || one.user_id === user_id) &&
      (guild_id === undefined || one.guild_id === guild_id) &&
      (skus === undefined || skus.includes(one.sku_id)) &&
      !((exclude_deleted || only_active) && one.deleted === true) &&
      !(only_active && typeof one.starts_at === 'string' && Date.parse(one.starts_at) > now) &&
      !((exclude_ended || only_active) && typeof one.ends_at === 'string' && Date.parse(one.ends_at) <= now),
  )
  return pageOf(chosen, { limit: LIMITS.entitlementsPage.value, ...page })
}

const getEntitlement: Handler<'GET_ENTITLEMENT'> = (args, operation) => {
  checkOwnApplication(operation, args.application_id)
  const found = visibleEntitlements(operation).find(({ id }) => id === args.entitlement_id)
  if (found === undefined) throw new PlatformError('unknownEntitlement')
  return found
}

const consumeEntitlement: Handler<'CONSUME_ENTITLEMENT'> = (args, operation) => {
  const { store } = operation.platform
  const entitlement = testEntitlement(operation, args)
  const sku = skusOf(operation.platform.seed, args.application_id).find(({ id }) => id === entitlement.skuId)
  if (sku?.type !== SKU_TYPES.consumable) throw new PlatformError('invalidForm', { message: 'Only consumable SKUs can be consumed.' })
  store.commit([store.entitlements.put(entitlement.id, { ...entitlement, consumed: true })])
  return null
}

const createTestEntitlement: Handler<'CREATE_TEST_ENTITLEMENT'> = ({ application_id, sku_id, owner_id, owner_type }, operation) => {
  checkOwnApplication(operation, application_id)
  const { platform } = operation
  const { store, ids } = platform
  const sku = skusOf(platform.seed, application_id).find(({ id }) => id === sku_id)
  if (sku === undefined) throw new PlatformError('unknownSku')
  const isGuild = owner_type === OWNED_BY_GUILD
  if (isGuild && store.guilds.get(owner_id) === undefined) throw new PlatformError('unknownGuild')
  if (!isGuild && store.users.get(owner_id) === undefined) throw new PlatformError('unknownUser')
  if (store.entitlements.group(application_id).length >= ENTITLEMENTS_MAX)
    throw new PlatformError('invalidForm', { message: 'The application has too many test entitlements.' })
  const entitlement: StoredEntitlement = {
    id: ids.next(),
    applicationId: application_id,
    skuId: sku_id,
    userId: isGuild ? null : owner_id,
    guildId: isGuild ? owner_id : null,
    type: sku.type === SKU_TYPES.subscription ? subscriptionType(platform) : ENTITLEMENT_TYPES.testModePurchase,
    consumed: false,
    deleted: false,
  }
  store.commit([...rememberApplication(platform, application_id), store.entitlements.put(entitlement.id, entitlement)])
  return entitlementView(entitlement)
}

const deleteTestEntitlement: Handler<'DELETE_TEST_ENTITLEMENT'> = (args, operation) => {
  const { store } = operation.platform
  const entitlement = testEntitlement(operation, args)
  store.commit([store.entitlements.put(entitlement.id, { ...entitlement, deleted: true })])
  return null
}

/** An existing test entitlement; of the caller, if the caller is a user. */
function testEntitlement(operation: Operation, { application_id, entitlement_id }: Named): StoredEntitlement {
  checkOwnApplication(operation, application_id)
  const { platform, caller } = operation
  const found = platform.store.entitlements.get(entitlement_id)
  const isVisible = found?.applicationId === application_id && (caller.kind === 'bot' || found.userId === caller.id)
  if (found === undefined || !isVisible || found.deleted) throw new PlatformError('unknownEntitlement')
  return found
}

/** All entitlements for the bot; their own for users. */
function visibleEntitlements({ platform, caller }: Operation): Entitlement[] {
  const { applicationId } = caller
  const bought = subscriptionsOf(platform, applicationId).map((one) => subscriptionEntitlementView(platform, one))
  const all = [...bought, ...platform.store.entitlements.group(applicationId).map(entitlementView)]
  return caller.kind === 'bot' ? all : all.filter(({ user_id }) => user_id === caller.id)
}

/** The type of an entitlement of a subscription: a purchase since the migration. */
const subscriptionType = ({ clock }: Platform): number =>
  hasBegun('entitlement-migration', clock.now()) ? ENTITLEMENT_TYPES.purchase : ENTITLEMENT_TYPES.applicationSubscription

/** The wire form of a subscription's entitlement. */
export const subscriptionEntitlementView = (platform: Platform, one: StoredSubscription): Entitlement => ({
  id: one.entitlementId,
  sku_id: one.skuId,
  application_id: one.applicationId,
  user_id: one.userId,
  type: subscriptionType(platform),
  deleted: one.refunded,
  starts_at: isoTime(one.startedAt),
  // No end while the subscription is active, also when it will not be renewed.
  ends_at: one.endedAt === null ? null : isoTime(one.endedAt),
  consumed: false,
})

export const entitlementView = (one: StoredEntitlement): Entitlement => ({
  id: one.id,
  sku_id: one.skuId,
  application_id: one.applicationId,
  ...(one.userId === null ? {} : { user_id: one.userId }),
  ...(one.guildId === null ? {} : { guild_id: one.guildId }),
  type: one.type,
  deleted: one.deleted,
  // No end.
  starts_at: null,
  ends_at: null,
  consumed: one.consumed,
})

export const entitlementHandlers = {
  CONSUME_ENTITLEMENT: consumeEntitlement,
  CREATE_TEST_ENTITLEMENT: createTestEntitlement,
  DELETE_TEST_ENTITLEMENT: deleteTestEntitlement,
  GET_ENTITLEMENT: getEntitlement,
  LIST_ENTITLEMENTS: listEntitlements,
} satisfies Partial<Handlers>
