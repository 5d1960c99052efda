/** Events about what the user owns and is subscribed to. */
import * as z from 'zod'
import { Entitlement } from '../records/entitlement.ts'
import { Subscription } from '../records/subscription.ts'
import { noArguments } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const entitlementCreate = defineEvent({
  name: 'ENTITLEMENT_CREATE',
  summary:
    'The user may use something more. A subscription that was migrated from October to November 2024 says it once at a renewal, which is nothing new.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ entitlement: Entitlement }),
  provenance: 'documented',
})

export const entitlementUpdate = defineEvent({
  name: 'ENTITLEMENT_UPDATE',
  summary: 'What the user may use changed: of a subscription that is over, ends_at is set.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ entitlement: Entitlement }),
  provenance: 'sallyport',
})

export const entitlementDelete = defineEvent({
  name: 'ENTITLEMENT_DELETE',
  summary: 'The user may no longer use something.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ entitlement: Entitlement }),
  provenance: 'documented',
})

export const subscriptionCreate = defineEvent({
  name: 'SUBSCRIPTION_CREATE',
  summary: 'A subscription of the user began to exist, active or not: what it lets the user do is what the entitlements say.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ subscription: Subscription }),
  provenance: 'sallyport',
})

export const subscriptionUpdate = defineEvent({
  name: 'SUBSCRIPTION_UPDATE',
  summary: 'A subscription of the user changed: renewed, changed for the next renewal, or ending.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ subscription: Subscription }),
  provenance: 'sallyport',
})

export const subscriptionDelete = defineEvent({
  name: 'SUBSCRIPTION_DELETE',
  summary: 'A subscription of the user exists no more.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ subscription: Subscription }),
  provenance: 'sallyport',
})
