/** Mappings for entitlements and subscriptions, which only sessions of their owner receive. */
import type { Entitlement, EventName } from '@sallyport/protocol'
import { entitlementKey } from '../../../dedupe-keys.ts'
import { idOf } from '@sallyport/core/json-read'
import type { DispatchContext, MappedEvent, DispatchMapping } from './dispatch-mapping.ts'

/** The platform sends these without any intent. */
const NONE = 0

const entitlement =
  (event: EventName) =>
  ({ d, identity }: DispatchContext): MappedEvent | undefined => {
    const owner = idOf(d['user_id'])
    if (owner === undefined || d['application_id'] !== identity.applicationId) return undefined
    // The row of the event validates the data; the key uses only the fields that are present.
    return {
      owner,
      data: { entitlement: d },
      dedupeKey: (userId) => entitlementKey({ applicationId: identity.applicationId, userId }, event, d as Entitlement),
    }
  }

function subscription({ d }: DispatchContext): MappedEvent | undefined {
  const owner = idOf(d['user_id'])
  return owner === undefined ? undefined : { owner, data: { subscription: d } }
}

const mapping = (event: EventName, map: (context: DispatchContext) => MappedEvent | undefined): DispatchMapping => ({
  event,
  intents: NONE,
  from: { [event]: map },
})

export const MONETIZATION_MAPPINGS: readonly DispatchMapping[] = [
  mapping('ENTITLEMENT_CREATE', entitlement('ENTITLEMENT_CREATE')),
  mapping('ENTITLEMENT_UPDATE', entitlement('ENTITLEMENT_UPDATE')),
  mapping('ENTITLEMENT_DELETE', entitlement('ENTITLEMENT_DELETE')),
  mapping('SUBSCRIPTION_CREATE', subscription),
  mapping('SUBSCRIPTION_UPDATE', subscription),
  mapping('SUBSCRIPTION_DELETE', subscription),
]
