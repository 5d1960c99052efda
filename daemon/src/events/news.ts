/** By what the same news to the same user is known, whichever source brings it: its name, what it is about, and of a change what it changed to. */
import type { Entitlement, EventName } from '@sallyport/protocol'

interface Message {
  readonly id: string
  readonly content?: string | undefined
  readonly edited_timestamp?: string | null | undefined
}

/** Of something that is there before and after, and so may happen to it again. */
export const isChange = (name: EventName): boolean => name.endsWith('_UPDATE')

const newsKey = (applicationId: string, userId: string, name: EventName, id: string, version: readonly unknown[]): string =>
  JSON.stringify([applicationId, userId, name, id, ...(isChange(name) ? version : [])])

/** Of a message of a lobby or a direct one. Not every sender says when it was edited. */
export const messageNews = (applicationId: string, userId: string, name: EventName, { id, content, edited_timestamp }: Message): string =>
  newsKey(applicationId, userId, name, id, [edited_timestamp ?? content])

export const entitlementNews = (applicationId: string, userId: string, name: EventName, entitlement: Entitlement): string => {
  const { id, starts_at, ends_at, consumed, deleted } = entitlement
  return newsKey(applicationId, userId, name, id, [starts_at ?? null, ends_at ?? null, consumed ?? false, deleted ?? false])
}
