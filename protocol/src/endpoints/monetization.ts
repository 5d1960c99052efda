/** Endpoints for SKUs, subscriptions and entitlements. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Entitlement, Sku } from '../records/entitlement.ts'
import { Subscription } from '../records/subscription.ts'
import { idList } from '../schema/id-list.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const listSkus = defineEndpoint({
  name: 'LIST_SKUS',
  summary: 'Get the SKUs of the application. A subscription has two SKUs: itself and its group.',
  method: 'GET',
  path: '/applications/{application_id}/skus',
  params: () => ({ application_id: Snowflake() }),
  response: () => z.array(Sku()),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [20012],
  provenance: 'documented',
})

export const listSkuSubscriptions = defineEndpoint({
  name: 'LIST_SKU_SUBSCRIPTIONS',
  summary: 'Get the subscriptions of a user that contain a SKU; without user_id, those of the signed-in user. A bot must pass user_id.',
  method: 'GET',
  path: '/skus/{sku_id}/subscriptions',
  params: () => ({ sku_id: Snowflake() }),
  query: () => ({
    before: Snowflake().optional(),
    after: Snowflake().optional(),
    limit: wholeNumber(1, LIMITS.subscriptionsPage.value).optional().meta({ description: 'Default: 50.' }),
    user_id: Snowflake().optional(),
  }),
  response: () => z.array(Subscription()),
  auth: 'user-or-bot',
  botFor: { otherUser: 'user_id' },
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10027, 50035],
  provenance: 'documented',
})

export const getSkuSubscription = defineEndpoint({
  name: 'GET_SKU_SUBSCRIPTION',
  summary: 'Get a subscription to a SKU.',
  method: 'GET',
  path: '/skus/{sku_id}/subscriptions/{subscription_id}',
  params: () => ({ sku_id: Snowflake(), subscription_id: Snowflake() }),
  query: () => ({ user_id: Snowflake().optional() }),
  response: Subscription,
  auth: 'user-or-bot',
  botFor: { otherUser: 'user_id' },
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10027],
  provenance: 'documented',
})

const entitlement = once(() => ({ application_id: Snowflake(), entitlement_id: Snowflake() }))

export const listEntitlements = defineEndpoint({
  name: 'LIST_ENTITLEMENTS',
  summary: 'Get the entitlements for the application, including ended ones.',
  method: 'GET',
  path: '/applications/{application_id}/entitlements',
  params: () => ({ application_id: Snowflake() }),
  query: () => ({
    user_id: Snowflake().optional(),
    sku_ids: idList(LIMITS.entitlementsPage.value).optional(),
    guild_id: Snowflake().optional(),
    before: Snowflake().optional(),
    after: Snowflake().optional(),
    limit: wholeNumber(1, LIMITS.entitlementsPage.value).optional().meta({ description: 'Default: 100.' }),
    exclude_ended: z.boolean().optional().meta({ description: 'Default: false.' }),
    exclude_deleted: z.boolean().optional().meta({ description: 'Default: true.' }),
    only_active: z.boolean().optional().meta({ description: 'Only those that are in force now. Default: false.' }),
  }),
  response: () => z.array(Entitlement()),
  auth: 'user-or-bot',
  botFor: { otherUser: 'user_id', guildOwner: 'guild_id' },
  requires: anyOf('applications.entitlements'),
  idempotency: 'safe',
  platformErrors: [20012, 50026],
  provenance: 'documented',
})

export const getCurrentUserApplicationEntitlements = defineEndpoint({
  name: 'GET_CURRENT_USER_APPLICATION_ENTITLEMENTS',
  summary: 'Get the active entitlements of the user for the application.',
  method: 'GET',
  path: '/users/@me/applications/{application_id}/entitlements',
  params: () => ({ application_id: Snowflake() }),
  query: () => ({
    sku_ids: idList(LIMITS.entitlementsPage.value).optional(),
    exclude_consumed: z.boolean().optional().meta({ description: 'Default: true.' }),
  }),
  response: () => z.array(Entitlement()),
  auth: 'user',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [20012],
  provenance: 'api-description',
})

export const getEntitlement = defineEndpoint({
  name: 'GET_ENTITLEMENT',
  summary: 'Get an entitlement.',
  method: 'GET',
  path: '/applications/{application_id}/entitlements/{entitlement_id}',
  params: entitlement,
  response: Entitlement,
  auth: 'user-or-bot',
  requires: anyOf('applications.entitlements'),
  idempotency: 'safe',
  platformErrors: [10029, 20012, 50026],
  provenance: 'documented',
})

export const consumeEntitlement = defineEndpoint({
  name: 'CONSUME_ENTITLEMENT',
  summary: 'Mark a one-time purchase as consumed.',
  destructive: true,
  method: 'POST',
  path: '/applications/{application_id}/entitlements/{entitlement_id}/consume',
  params: entitlement,
  response: () => z.null(),
  success: [204],
  auth: 'user-or-bot',
  requires: anyOf('applications.entitlements'),
  idempotency: 'natural',
  platformErrors: [10029, 20012, 50026, 50035],
  provenance: 'documented',
})

export const createTestEntitlement = defineEndpoint({
  name: 'CREATE_TEST_ENTITLEMENT',
  summary: 'Create a test entitlement for a user (owner_type 2) or a guild (1) without payment.',
  method: 'POST',
  path: '/applications/{application_id}/entitlements',
  params: () => ({ application_id: Snowflake() }),
  body: () => ({ sku_id: Snowflake(), owner_id: Snowflake(), owner_type: z.literal([1, 2]).meta({ description: '1 guild, 2 user' }) }),
  response: Entitlement,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [10004, 10013, 10027, 20012, 50035],
  provenance: 'documented',
})

export const deleteTestEntitlement = defineEndpoint({
  name: 'DELETE_TEST_ENTITLEMENT',
  summary: 'Delete a test entitlement. Test entitlements belong to the bot, so its token is used if the bridge has it.',
  method: 'DELETE',
  path: '/applications/{application_id}/entitlements/{entitlement_id}',
  params: entitlement,
  response: () => z.null(),
  success: [204],
  auth: 'user-or-bot',
  botFor: { isPreferred: true },
  requires: anyOf('applications.entitlements'),
  idempotency: 'natural',
  platformErrors: [10029, 20012, 50026],
  provenance: 'documented',
})
