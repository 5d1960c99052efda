/** What games are told of what their user owns and is subscribed to: only the owner's own sessions, since what others own is not theirs to know. */
import type { Entitlement, EventName } from '@sallyport/protocol'
import { entitlementNews } from '../../../news.ts'
import { idOf } from '../../../../platform/gateway/reading.ts'
import type { GatewayNews, Told, TellingRow } from './telling-row.ts'

/** Sent without any intent. */
const NONE = 0

const entitlement =
  (event: EventName) =>
  ({ d, party }: GatewayNews): Told | undefined => {
    const owner = idOf(d['user_id'])
    if (owner === undefined || d['application_id'] !== party.applicationId) return undefined
    // The row of the event checks what is told; the key only needs what is there.
    return { owner, data: { entitlement: d }, key: (userId) => entitlementNews(party.applicationId, userId, event, d as Entitlement) }
  }

function subscription({ d }: GatewayNews): Told | undefined {
  const owner = idOf(d['user_id'])
  return owner === undefined ? undefined : { owner, data: { subscription: d } }
}

const row = (event: EventName, told: (news: GatewayNews) => Told | undefined): TellingRow => ({
  event,
  by: 'application',
  intents: NONE,
  from: { [event]: told },
})

export const OWNED_TELLINGS: readonly TellingRow[] = [
  row('ENTITLEMENT_CREATE', entitlement('ENTITLEMENT_CREATE')),
  row('ENTITLEMENT_UPDATE', entitlement('ENTITLEMENT_UPDATE')),
  row('ENTITLEMENT_DELETE', entitlement('ENTITLEMENT_DELETE')),
  row('SUBSCRIPTION_CREATE', subscription),
  row('SUBSCRIPTION_UPDATE', subscription),
  row('SUBSCRIPTION_DELETE', subscription),
]
