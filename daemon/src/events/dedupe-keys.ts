/** Keys that are equal for the same event to the same user, whichever provider publishes it: event name, object id and, for an update, its version. */
import type { AccountKey } from '@sallyport/core/account-key'
import type { Entitlement, EventName } from '@sallyport/protocol'

interface Message {
  readonly id: string
  readonly content?: string | undefined
  readonly edited_timestamp?: string | null | undefined
}

/** Whether the event can occur more than once for the same object. */
export const isUpdate = (name: EventName): boolean => name.endsWith('_UPDATE')

const dedupeKey = ({ applicationId, userId }: AccountKey, name: EventName, id: string, version: readonly unknown[]): string =>
  JSON.stringify([applicationId, userId, name, id, ...(isUpdate(name) ? version : [])])

/** The key of a lobby message or a direct message. Not every provider sends `edited_timestamp`. */
export const messageKey = (account: AccountKey, name: EventName, { id, content, edited_timestamp }: Message): string =>
  dedupeKey(account, name, id, [edited_timestamp ?? content])

export const entitlementKey = (account: AccountKey, name: EventName, entitlement: Entitlement): string => {
  const { id, starts_at, ends_at, consumed, deleted } = entitlement
  return dedupeKey(account, name, id, [starts_at ?? null, ends_at ?? null, consumed ?? false, deleted ?? false])
}
