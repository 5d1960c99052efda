/** Events about entitlements and subscriptions of the user. */
import * as z from 'zod'
import { Entitlement } from '../records/entitlement.ts'
import { Subscription } from '../records/subscription.ts'
import { noArguments } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const entitlementCreate = defineEvent({
  name: 'ENTITLEMENT_CREATE',
  summary:
    'The user received an entitlement. A subscription that was migrated in October 2024 also sends it at its first renewal, without a new entitlement.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ entitlement: Entitlement() }),
  provenance: 'documented',
})

export const entitlementUpdate = defineEvent({
  name: 'ENTITLEMENT_UPDATE',
  summary: 'An entitlement of the user changed; ends_at is set if its subscription ended.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ entitlement: Entitlement() }),
  provenance: 'sallyport',
})

export const entitlementDelete = defineEvent({
  name: 'ENTITLEMENT_DELETE',
  summary: 'The user lost an entitlement.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ entitlement: Entitlement() }),
  provenance: 'documented',
})

export const subscriptionCreate = defineEvent({
  name: 'SUBSCRIPTION_CREATE',
  summary: 'A subscription of the user was created, active or not. Use the entitlements to check what the user can access.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ subscription: Subscription() }),
  provenance: 'sallyport',
})

export const subscriptionUpdate = defineEvent({
  name: 'SUBSCRIPTION_UPDATE',
  summary: 'A subscription of the user was renewed, changed for the next renewal, or cancelled.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ subscription: Subscription() }),
  provenance: 'sallyport',
})

export const subscriptionDelete = defineEvent({
  name: 'SUBSCRIPTION_DELETE',
  summary: 'A subscription of the user was deleted.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: () => z.looseObject({ subscription: Subscription() }),
  provenance: 'sallyport',
})
