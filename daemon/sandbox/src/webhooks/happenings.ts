/** What applications are told of, read off the changes of the state, so that no operation has to remember to tell. */
import type { WebhookEventType } from '@sallyport/protocol'
import { boughtView, entitlementView } from '../api/entitlements.ts'
import { lobbyMessageNews } from '../api/lobby-messages.ts'
import { entitlementChange } from '../api/subscription-life.ts'
import { userMessageNews } from '../api/user-messages.ts'
import { userView } from '../api/user-view.ts'
import type { Platform } from '../platform.ts'
import type { StoredEntitlement, StoredSubscription } from '../store/belongings.ts'
import { messageChange } from '../store/message-change.ts'
import type { StoredAuthorization, StoredMessage } from '../store/records.ts'
import { type Change, userOfApplication } from '../store/store.ts'
import type { StoredUserMessage } from '../store/user-messages.ts'

/** A user account took the application. */
const INSTALLED_BY_USER = 1

export interface Happening {
  readonly applicationId: string
  readonly type: WebhookEventType
  readonly data: unknown
}

interface Step<Stored> {
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  /** All that changed at once. */
  readonly all: readonly Change[]
}

type Tell<Stored> = (step: Step<Stored>, platform: Platform) => Happening | undefined

const ofAuthorization: Tell<StoredAuthorization> = ({ before, after, all }, platform) => {
  const one = after ?? before
  const user = platform.store.users.get(one?.userId ?? '')
  if (one === undefined || user === undefined) return undefined
  const { applicationId, userId } = one
  const about = { applicationId, data: { user: userView(user) } }
  if (after !== undefined) {
    // Provisional accounts and children of an application were allowed by nobody.
    if (before !== undefined || user.provisionalFor !== undefined || after.parentId !== undefined) return undefined
    const data = { ...about.data, integration_type: INSTALLED_BY_USER, scopes: after.scopes }
    return { applicationId, type: 'APPLICATION_AUTHORIZED', data }
  }
  const key = userOfApplication(applicationId, userId)
  const ended = all.filter(({ kind, after: left }) => kind === platform.store.authorizations.kind && left === undefined)
  const first = ended.find(({ before: gone }) => {
    const other = gone as StoredAuthorization | undefined
    return other?.applicationId === applicationId && other.userId === userId
  })
  // The last sign-in ends it, and all that end at once are one end.
  if (platform.store.authorizations.group(key).length > 0 || first?.id !== one.id) return undefined
  return { ...about, type: 'APPLICATION_DEAUTHORIZED' }
}

const ofEntitlement: Tell<StoredEntitlement> = ({ before, after }) => {
  if (after === undefined) return undefined
  const type = before === undefined ? 'ENTITLEMENT_CREATE' : after.deleted ? 'ENTITLEMENT_DELETE' : 'ENTITLEMENT_UPDATE'
  return { applicationId: after.applicationId, type, data: entitlementView(after) }
}

const ofSubscription: Tell<StoredSubscription> = ({ before, after }, platform) => {
  const kind = after && entitlementChange(platform, before, after)
  if (after === undefined || kind === undefined) return undefined
  return { applicationId: after.applicationId, type: `ENTITLEMENT_${kind}`, data: boughtView(platform, after) }
}

const ofLobbyMessage: Tell<StoredMessage> = (step, platform) => {
  const message = step.after ?? step.before
  const lobby = platform.store.lobbies.get(message?.lobbyId ?? '')
  // With the lobby go its messages, and nobody is told of each.
  if (message === undefined || lobby === undefined) return undefined
  const change = messageChange(platform.store.messages.kind, step)
  if (change === undefined) return undefined
  const { applicationId } = message
  return { applicationId, type: `LOBBY_MESSAGE_${change}`, data: lobbyMessageNews(platform, lobby, change, message) }
}

const ofUserMessage: Tell<StoredUserMessage> = (step, platform) => {
  const message = step.after ?? step.before
  const change = messageChange(platform.store.userMessages.kind, step)
  if (message === undefined || change === undefined) return undefined
  return { applicationId: message.applicationId, type: `GAME_DIRECT_MESSAGE_${change}`, data: userMessageNews(platform, message) }
}

/** The events that follow from changes that were made at once, in their order. */
export function happenings(changes: readonly Change[], platform: Platform): readonly Happening[] {
  const { authorizations, entitlements, messages, subscriptions, userMessages } = platform.store
  const tells: ReadonlyMap<string, Tell<never>> = new Map<string, Tell<never>>([
    [authorizations.kind, ofAuthorization],
    [entitlements.kind, ofEntitlement],
    [messages.kind, ofLobbyMessage],
    [subscriptions.kind, ofSubscription],
    [userMessages.kind, ofUserMessage],
  ])
  // Documents come back under the kind they were written with, hence with its type.
  return changes.flatMap(
    ({ kind, before, after }) => tells.get(kind)?.({ before: before as never, after: after as never, all: changes }, platform) ?? [],
  )
}
