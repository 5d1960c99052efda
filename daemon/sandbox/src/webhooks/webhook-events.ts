/** Derives webhook events from changes of the state, so that no operation has to send them. */
import type { WebhookEventType } from '@sallyport/protocol'
import { subscriptionEntitlementView, entitlementView } from '../api/entitlements.ts'
import { lobbyMessageEventData } from '../api/lobby-messages.ts'
import { entitlementChange } from '../api/subscription-lifecycle.ts'
import { userMessageEventData } from '../api/user-messages.ts'
import { userView } from '../api/user-view.ts'
import type { Platform } from '../platform.ts'
import type { StoredEntitlement, StoredSubscription } from '../store/guild-application-records.ts'
import { messageChange } from '../store/message-change.ts'
import type { StoredAuthorization, StoredMessage } from '../store/records.ts'
import { type Change, applicationUserKey } from '../store/store.ts'
import type { StoredUserMessage } from '../store/user-messages.ts'

/** The user installed the application. */
const INSTALLED_BY_USER = 1

export interface WebhookEvent {
  readonly applicationId: string
  readonly type: WebhookEventType
  readonly data: unknown
}

interface DocumentChange<Stored> {
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  /** All changes of the commit. */
  readonly all: readonly Change[]
}

type WebhookEventMapper<Stored> = (step: DocumentChange<Stored>, platform: Platform) => WebhookEvent | undefined

const mapAuthorization: WebhookEventMapper<StoredAuthorization> = ({ before, after, all }, platform) => {
  const one = after ?? before
  const user = platform.store.users.get(one?.userId ?? '')
  if (one === undefined || user === undefined) return undefined
  const { applicationId, userId } = one
  const about = { applicationId, data: { user: userView(platform, user) } }
  if (after !== undefined) {
    // Users do not authorize provisional accounts and child applications.
    if (before !== undefined || user.provisionalFor !== undefined || after.parentId !== undefined) return undefined
    const data = { ...about.data, integration_type: INSTALLED_BY_USER, scopes: after.scopes }
    return { applicationId, type: 'APPLICATION_AUTHORIZED', data }
  }
  const key = applicationUserKey(applicationId, userId)
  const ended = all.filter(({ kind, after: left }) => kind === platform.store.authorizations.kind && left === undefined)
  const first = ended.find(({ before: gone }) => {
    const other = gone as StoredAuthorization | undefined
    return other?.applicationId === applicationId && other.userId === userId
  })
  // Deauthorized when the last sign-in ends; several that end in one commit send one event.
  if (platform.store.authorizations.group(key).length > 0 || first?.id !== one.id) return undefined
  return { ...about, type: 'APPLICATION_DEAUTHORIZED' }
}

/** Creations only: the platform reports later changes of an entitlement by its gateway. */
const mapEntitlement: WebhookEventMapper<StoredEntitlement> = ({ before, after }) =>
  after === undefined || before !== undefined
    ? undefined
    : { applicationId: after.applicationId, type: 'ENTITLEMENT_CREATE', data: entitlementView(after) }

const mapSubscription: WebhookEventMapper<StoredSubscription> = ({ before, after }, platform) => {
  const kind = after && entitlementChange(platform, before, after)
  if (after === undefined || kind !== 'CREATE') return undefined
  return { applicationId: after.applicationId, type: 'ENTITLEMENT_CREATE', data: subscriptionEntitlementView(platform, after) }
}

const mapLobbyMessage: WebhookEventMapper<StoredMessage> = (step, platform) => {
  const message = step.after ?? step.before
  const lobby = platform.store.lobbies.get(message?.lobbyId ?? '')
  // Deleting a lobby deletes its messages without an event for each.
  if (message === undefined || lobby === undefined) return undefined
  const change = messageChange(platform.store.messages.kind, step)
  if (change === undefined) return undefined
  const { applicationId } = message
  return { applicationId, type: `LOBBY_MESSAGE_${change}`, data: lobbyMessageEventData(platform, lobby, change, message) }
}

const mapUserMessage: WebhookEventMapper<StoredUserMessage> = (step, platform) => {
  const message = step.after ?? step.before
  const change = messageChange(platform.store.userMessages.kind, step)
  if (message === undefined || change === undefined) return undefined
  return { applicationId: message.applicationId, type: `GAME_DIRECT_MESSAGE_${change}`, data: userMessageEventData(platform, message) }
}

/** The events of changes that one commit made, in order. */
export function webhookEvents(changes: readonly Change[], platform: Platform): readonly WebhookEvent[] {
  const { authorizations, entitlements, messages, subscriptions, userMessages } = platform.store
  const mappers: ReadonlyMap<string, WebhookEventMapper<never>> = new Map<string, WebhookEventMapper<never>>([
    [authorizations.kind, mapAuthorization],
    [entitlements.kind, mapEntitlement],
    [messages.kind, mapLobbyMessage],
    [subscriptions.kind, mapSubscription],
    [userMessages.kind, mapUserMessage],
  ])
  // A document has the type of its kind.
  return changes.flatMap(
    ({ kind, before, after }) => mappers.get(kind)?.({ before: before as never, after: after as never, all: changes }, platform) ?? [],
  )
}
