/** The handlers of webhook events, by type. A type without a handler is known and ignored. */
import type { AccountKey } from '@sallyport/core/account-key'
import {
  type Entitlement,
  EVENTS,
  type Interaction,
  isEventName,
  type SubscribableEventName,
  satisfies,
  type UserMessage,
  type WebhookEventData,
  type WebhookEventType,
} from '@sallyport/protocol'
import type { Accounts } from '../../../auth/accounts/accounts.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Conversation, MessageHistory } from '../../messages/history.ts'
import type { Session } from '../../../sessions/session.ts'
import type { SubscriptionRegistry } from '../../subscription-registry.ts'
import { entitlementKey, messageKey } from '../../dedupe-keys.ts'
import { userFrom } from '../gateway/cache/user-cache.ts'
import type { Publish } from '../../outgoing-event.ts'
import type { WebhookEvent } from '../../../platform/webhook/delivery-handler.ts'

export interface EventHandlerDeps {
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'apply'>
  readonly publish: Publish
  readonly hub: Pick<SubscriptionRegistry<Session>, 'subscribersOf'>
  /** Whether the user of a session may read a lobby. Never rejects. */
  readonly canReadLobby: (session: Session, lobbyId: string) => Promise<boolean>
  /** Whether the user authorized the application here after `at`, in ms since the epoch. */
  readonly authorizedAfter: (account: AccountKey, at: number) => boolean
  readonly history: Pick<MessageHistory, 'onMessage' | 'onMessageDeleted' | 'invalidate'>
}

const ORIGIN = 'webhooks'

interface EventContext {
  readonly applicationId: string
  readonly at: number | undefined
}

interface HandlerTools extends EventHandlerDeps {
  readonly serialize: (work: () => Promise<void>) => Promise<void>
}

type EventHandler<Type extends WebhookEventType> = (data: WebhookEventData<Type>, context: EventContext, deps: HandlerTools) => unknown

/** Whether a session is signed in to this account. */
const isSignedInAs =
  ({ applicationId, userId }: AccountKey) =>
  (session: Session): boolean =>
    session.applicationId === applicationId && session.signedIn?.userId === userId

/** Publishes an entitlement only to its owner; entitlements of guilds are not published. */
const notifyOwner =
  (name: 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_UPDATE' | 'ENTITLEMENT_DELETE') =>
  (entitlement: Entitlement, { applicationId }: EventContext, { publish }: EventHandlerDeps): void => {
    const { user_id: owner, application_id } = entitlement
    if (owner == null || application_id !== applicationId) return
    const account = { applicationId, userId: owner }
    const dedupeKey = entitlementKey(account, name, entitlement)
    publish({ name, args: {}, data: { entitlement }, isRecipient: isSignedInAs(account), dedupeKey, origin: ORIGIN })
  }

/** Publishes an installation to the user who made it. The user's private fields are left out. */
const notifyInstaller: EventHandler<'APPLICATION_AUTHORIZED'> = ({ user: given, ...installation }, { applicationId }, { publish }) => {
  const user = userFrom(given)
  if (user === undefined) return
  publish({
    name: 'APPLICATION_AUTHORIZED',
    args: {},
    data: { ...installation, user },
    isRecipient: isSignedInAs({ applicationId, userId: user.id }),
    dedupeKey: undefined,
  })
}

/** Publishes an enrollment to the user who made it. With a quest, it is also the status of that enrollment. */
const notifyEnrolled: EventHandler<'QUEST_USER_ENROLLMENT'> = ({ user, ...enrollment }, { applicationId }, { publish }) => {
  const userId = enrollment.user_id ?? user?.id
  if (userId === undefined) return
  const toUser = { args: {}, isRecipient: isSignedInAs({ applicationId, userId }), dedupeKey: undefined }
  publish({ ...toUser, name: 'QUEST_USER_ENROLLMENT', data: { ...enrollment, user_id: userId } })
  const { quest_id, enrolled_at = null } = enrollment
  if (quest_id !== undefined)
    publish({ ...toUser, name: 'QUEST_ENROLLMENT_STATUS_UPDATE', data: { quest_id, is_enrolled: true, enrolled_at } })
}

type LobbyMessageType = 'LOBBY_MESSAGE_CREATE' | 'LOBBY_MESSAGE_UPDATE' | 'LOBBY_MESSAGE_DELETE'

/** One session of each user of the application who subscribed to this lobby by id. */
function subscribersByUser(
  hub: EventHandlerDeps['hub'],
  name: SubscribableEventName,
  lobby_id: string,
  applicationId: string,
): Map<string, Session> {
  const subscribers = hub.subscribersOf({ name, args: { lobby_id } })
  return new Map(
    subscribers.flatMap((session) => {
      const isIncluded = session.applicationId === applicationId && satisfies(EVENTS[name].requires, session.scopes)
      return isIncluded && session.signedIn !== undefined ? [[session.signedIn.userId, session]] : []
    }),
  )
}

/**
 * The platform sends the messages of all lobbies of the application. So the access of each user who subscribed to the lobby by id is checked, and
 * then every subscribed session of that user gets the message.
 */
const notifyLobbyReaders =
  (name: LobbyMessageType) =>
  async (message: WebhookEventData<LobbyMessageType>, { applicationId }: EventContext, deps: EventHandlerDeps): Promise<void> => {
    const { lobby_id } = message
    const publishToUser = async ([userId, reader]: readonly [string, Session]): Promise<void> => {
      if (!(await deps.canReadLobby(reader, lobby_id))) return
      const account = { applicationId, userId }
      const dedupeKey = messageKey(account, name, message)
      deps.publish({ name, args: { lobby_id }, data: message, isRecipient: isSignedInAs(account), dedupeKey, origin: ORIGIN })
    }
    await Promise.all([...subscribersByUser(deps.hub, name, lobby_id, applicationId)].map(publishToUser))
  }

/** Ignores a repeated delivery about an earlier authorization that the current one has replaced. */
async function deauthorizeAccount(
  { user }: WebhookEventData<'APPLICATION_DEAUTHORIZED'>,
  { applicationId, at }: EventContext,
  { accounts, authorizedAfter }: EventHandlerDeps,
): Promise<void> {
  const account = { applicationId, userId: user.id }
  if (at !== undefined && authorizedAfter(account, at)) return
  await accounts.apply(account, 'deauthorized')
}

type DirectMessageType = 'GAME_DIRECT_MESSAGE_CREATE' | 'GAME_DIRECT_MESSAGE_UPDATE' | 'GAME_DIRECT_MESSAGE_DELETE'
type DirectMessage = WebhookEventData<DirectMessageType>

interface Participants {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** The two users of a direct message, as far as the message names them. A lobby message has none. */
function participants({ author, recipient_id, channel, lobby_id }: DirectMessage): Participants {
  if (lobby_id != null) return { from: undefined, to: undefined }
  const others = (channel?.recipients ?? []).filter(({ id }) => id !== author?.id)
  return { from: author?.id, to: recipient_id ?? (others.length === 1 ? others[0]?.id : undefined) }
}

/** The conversation as each of the two users sees it; empty when the message does not name both. */
function conversationsOf(applicationId: string, message: DirectMessage): readonly Conversation[] {
  const { from, to } = participants(message)
  if (from === undefined || to === undefined) return []
  return [
    { applicationId, userId: from, peerId: to },
    { applicationId, userId: to, peerId: from },
  ]
}

/** An event older than this may be a repeated delivery, and newer events may have arrived before it. */
const IN_ORDER_MS = 30_000

async function recordMessage(
  message: DirectMessage,
  { applicationId, at }: EventContext,
  { clock, history }: EventHandlerDeps,
): Promise<void> {
  const isInOrder = at !== undefined && clock.now() - at <= IN_ORDER_MS
  for (const side of conversationsOf(applicationId, message)) {
    if (isInOrder) await history.onMessage(side, message as Partial<UserMessage> & Pick<UserMessage, 'id'>)
    else await history.invalidate(side)
  }
}

const deleteMessage: typeof recordMessage = ({ id }, { applicationId }, { history }) => history.onMessageDeleted(applicationId, id)

/** Publishes a message after it is in the history, so that a game that then reads the history finds it. Messages store their order. */
const notifyParticipants =
  (name: DirectMessageType, store: typeof recordMessage): EventHandler<DirectMessageType> =>
  (message, context, deps) =>
    deps.serialize(async () => {
      const { applicationId } = context
      await store(message, context, deps)
      const { from, to } = participants(message)
      for (const userId of new Set([from, to])) {
        if (userId === undefined) continue
        const account = { applicationId, userId }
        const dedupeKey = messageKey(account, name, message)
        deps.publish({ name, args: {}, data: message, isRecipient: isSignedInAs(account), dedupeKey, origin: ORIGIN })
      }
    })

const HANDLERS: { readonly [Type in WebhookEventType]?: EventHandler<Type> } = {
  APPLICATION_AUTHORIZED: notifyInstaller,
  APPLICATION_DEAUTHORIZED: deauthorizeAccount,
  ENTITLEMENT_CREATE: notifyOwner('ENTITLEMENT_CREATE'),
  ENTITLEMENT_DELETE: notifyOwner('ENTITLEMENT_DELETE'),
  ENTITLEMENT_UPDATE: notifyOwner('ENTITLEMENT_UPDATE'),
  GAME_DIRECT_MESSAGE_CREATE: notifyParticipants('GAME_DIRECT_MESSAGE_CREATE', recordMessage),
  GAME_DIRECT_MESSAGE_DELETE: notifyParticipants('GAME_DIRECT_MESSAGE_DELETE', deleteMessage),
  GAME_DIRECT_MESSAGE_UPDATE: notifyParticipants('GAME_DIRECT_MESSAGE_UPDATE', recordMessage),
  LOBBY_MESSAGE_CREATE: notifyLobbyReaders('LOBBY_MESSAGE_CREATE'),
  LOBBY_MESSAGE_DELETE: notifyLobbyReaders('LOBBY_MESSAGE_DELETE'),
  LOBBY_MESSAGE_UPDATE: notifyLobbyReaders('LOBBY_MESSAGE_UPDATE'),
  QUEST_USER_ENROLLMENT: notifyEnrolled,
}

/** The events that reach games from webhooks, and from the interactions endpoint. */
export const WEBHOOK_EVENTS: readonly string[] = [
  ...Object.keys(HANDLERS).filter(isEventName),
  'INTERACTION_CREATE',
  'QUEST_ENROLLMENT_STATUS_UPDATE',
]

/** Publishes an interaction to the signed-in games of its application; any of them may respond. Returns how many received it. */
export const publishInteraction = (interaction: Interaction, { publish }: Pick<EventHandlerDeps, 'publish'>): number =>
  publish({
    name: 'INTERACTION_CREATE',
    args: {},
    data: interaction,
    isRecipient: ({ applicationId, signedIn }) => applicationId === interaction.application_id && signedIn !== undefined,
    dedupeKey: undefined,
  })

/** Returns a function that runs work items one after the other, in the order of the calls. */
function serialQueue(): HandlerTools['serialize'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** Returns the handler of all webhook events. It rejects when a part of the work fails. */
export function createEventHandler(deps: EventHandlerDeps): (event: WebhookEvent) => Promise<void> {
  const tools: HandlerTools = { ...deps, serialize: serialQueue() }
  return async (event) => {
    const handler: EventHandler<never> | undefined = HANDLERS[event.type]
    await handler?.(event.data as never, event, tools)
  }
}
