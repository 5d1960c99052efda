/** Events about what the user owns. */
import * as z from 'zod'
import { Entitlement } from '../records/entitlement.ts'
import { noArguments } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const entitlementCreate = defineEvent({
  name: 'ENTITLEMENT_CREATE',
  summary: 'The user may use something more.',
  delivery: 'subscription',
  requires: anyOf('rpc.authenticated', 'rpc.local'),
  args: noArguments,
  data: z.looseObject({ entitlement: Entitlement }),
  provenance: 'documented',
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
