/** Endpoints about what an application sells: SKUs, subscriptions and entitlements. */
import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { Entitlement, Sku } from '../records/entitlement.ts'
import { Subscription } from '../records/subscription.ts'
import { idList } from '../schema/id-list.ts'
import { Snowflake, wholeNumber } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const listSkus = defineEndpoint({
  name: 'LIST_SKUS',
  summary: 'What the application sells. A subscription stands there twice: itself, and the group around it.',
  method: 'GET',
  path: '/applications/{application_id}/skus',
  params: { application_id: Snowflake },
  response: z.array(Sku),
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [20012],
  provenance: 'documented',
})

export const listSkuSubscriptions = defineEndpoint({
  name: 'LIST_SKU_SUBSCRIPTIONS',
  summary: 'Subscriptions that contain a SKU. A user sees their own; a bot names the user.',
  method: 'GET',
  path: '/skus/{sku_id}/subscriptions',
  params: { sku_id: Snowflake },
  query: {
    before: Snowflake.optional(),
    after: Snowflake.optional(),
    limit: wholeNumber(1, LIMITS.subscriptionsPage.value).optional().meta({ description: '50 when absent.' }),
    user_id: Snowflake.optional(),
  },
  response: z.array(Subscription),
  auth: 'user-or-bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10027, 50035],
  provenance: 'documented',
})

export const getSkuSubscription = defineEndpoint({
  name: 'GET_SKU_SUBSCRIPTION',
  summary: 'One subscription to a SKU.',
  method: 'GET',
  path: '/skus/{sku_id}/subscriptions/{subscription_id}',
  params: { sku_id: Snowflake, subscription_id: Snowflake },
  query: { user_id: Snowflake.optional() },
  response: Subscription,
  auth: 'user-or-bot',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [10027],
  provenance: 'documented',
})

const entitlement = { application_id: Snowflake, entitlement_id: Snowflake }

export const listEntitlements = defineEndpoint({
  name: 'LIST_ENTITLEMENTS',
  summary: 'Entitlements for the application, also those that ended. GET_ENTITLEMENTS asks the desktop client instead.',
  method: 'GET',
  path: '/applications/{application_id}/entitlements',
  params: { application_id: Snowflake },
  query: {
    user_id: Snowflake.optional(),
    sku_ids: idList(LIMITS.entitlementsPage.value).optional(),
    guild_id: Snowflake.optional(),
    before: Snowflake.optional(),
    after: Snowflake.optional(),
    limit: wholeNumber(1, LIMITS.entitlementsPage.value).optional().meta({ description: '100 when absent.' }),
    exclude_ended: z.boolean().optional().meta({ description: 'false when absent.' }),
    exclude_deleted: z.boolean().optional().meta({ description: 'true when absent.' }),
  },
  response: z.array(Entitlement),
  auth: 'user-or-bot',
  requires: anyOf('applications.entitlements'),
  idempotency: 'safe',
  platformErrors: [20012, 50026],
  provenance: 'documented',
})

export const getEntitlement = defineEndpoint({
  name: 'GET_ENTITLEMENT',
  summary: 'One entitlement.',
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
  summary: 'Mark a one-time purchase as used up.',
  destructive: true,
  method: 'POST',
  path: '/applications/{application_id}/entitlements/{entitlement_id}/consume',
  params: entitlement,
  response: z.null(),
  success: [204],
  auth: 'user-or-bot',
  requires: anyOf('applications.entitlements'),
  idempotency: 'natural',
  platformErrors: [10029, 20012, 50026, 50035],
  provenance: 'documented',
})

export const createTestEntitlement = defineEndpoint({
  name: 'CREATE_TEST_ENTITLEMENT',
  summary: 'Let a user (owner_type 2) or a guild (1) have a SKU without paying, to test what follows.',
  method: 'POST',
  path: '/applications/{application_id}/entitlements',
  params: { application_id: Snowflake },
  body: { sku_id: Snowflake, owner_id: Snowflake, owner_type: z.literal([1, 2]).meta({ description: '1 guild, 2 user' }) },
  response: Entitlement,
  auth: 'bot',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [10004, 10013, 10027, 20012, 50035],
  provenance: 'documented',
})

export const deleteTestEntitlement = defineEndpoint({
  name: 'DELETE_TEST_ENTITLEMENT',
  summary: 'Take a test entitlement away again.',
  method: 'DELETE',
  path: '/applications/{application_id}/entitlements/{entitlement_id}',
  params: entitlement,
  response: z.null(),
  success: [204],
  auth: 'user-or-bot',
  requires: anyOf('applications.entitlements'),
  idempotency: 'natural',
  platformErrors: [10029, 20012, 50026],
  provenance: 'documented',
})
