/** What follows from each type of webhook event, as a table over ports. A type without a row is known, and nothing follows from it here. */
import {
  type Entitlement,
  EVENTS,
  type SubscribableEventName,
  satisfies,
  type UserMessage,
  type WebhookEventData,
  type WebhookEventType,
} from '@sallyport/protocol'
import type { Accounts } from '../../../auth/accounts/accounts.ts'
import type { Clock } from '@sallyport/core/clock'
import type { Conversation, MessageHistory } from '../../../messages/history.ts'
import type { Session } from '../../../sessions/session.ts'
import type { SubscriptionHub } from '../../hub.ts'
import { entitlementNews, messageNews } from '../../news.ts'
import type { Tell } from '../../telling.ts'
import type { WebhookEvent } from '../../../platform/webhook/inbox.ts'

export interface FollowPorts {
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'note'>
  readonly tell: Tell
  readonly hub: Pick<SubscriptionHub<Session>, 'subscribersOf'>
  /** Whether the user of a session may read a lobby. Never rejects. */
  readonly mayReadLobby: (caller: Session, lobbyId: string) => Promise<boolean>
  /** Whether the user allowed the application here after a moment, in ms since the epoch. */
  readonly allowedSince: (applicationId: string, userId: string, at: number) => boolean
  readonly history: Pick<MessageHistory, 'told' | 'takenBack' | 'doubt'>
}

/** Who tells what comes of it. */
const BY = 'webhooks'

interface Happening {
  readonly applicationId: string
  readonly at: number | undefined
}

interface FollowTools extends FollowPorts {
  readonly inTurn: (work: () => Promise<void>) => Promise<void>
}

type Follow<Type extends WebhookEventType> = (data: WebhookEventData<Type>, happening: Happening, ports: FollowTools) => unknown

/** Connections that speak for a user of the application. */
const speaksFor =
  (applicationId: string, userId: string) =>
  (caller: Session): boolean =>
    caller.applicationId === applicationId && caller.signedIn?.userId === userId

/** Only to connections of the user who owns it: what others own, and what a guild owns, is not theirs to know. */
const tellOwner =
  (name: 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_UPDATE' | 'ENTITLEMENT_DELETE') =>
  (entitlement: Entitlement, { applicationId }: Happening, { tell }: FollowPorts): void => {
    const { user_id: owner, application_id } = entitlement
    if (owner == null || application_id !== applicationId) return
    const key = entitlementNews(applicationId, owner, name, entitlement)
    tell({ name, args: {}, data: { entitlement }, isFor: speaksFor(applicationId, owner), key, by: BY })
  }

type LobbyMessageType = 'LOBBY_MESSAGE_CREATE' | 'LOBBY_MESSAGE_UPDATE' | 'LOBBY_MESSAGE_DELETE'

/** One session of each user of the application that asked for this lobby by its id. */
function askersOf(hub: FollowPorts['hub'], name: SubscribableEventName, lobby_id: string, applicationId: string): Map<string, Session> {
  const subscribers = hub.subscribersOf({ name, args: { lobby_id } })
  return new Map(
    subscribers.flatMap((caller) => {
      const isOne = caller.applicationId === applicationId && satisfies(EVENTS[name].requires, caller.scopes)
      return isOne && caller.signedIn !== undefined ? [[caller.signedIn.userId, caller]] : []
    }),
  )
}

/**
 * An application is told of all its lobbies, those of strangers too. So only users who asked for a lobby by its id are asked about, and then
 * every session of theirs that listens is told.
 */
const tellReaders =
  (name: LobbyMessageType) =>
  async (message: WebhookEventData<LobbyMessageType>, { applicationId }: Happening, ports: FollowPorts): Promise<void> => {
    const { lobby_id } = message
    const tellUser = async ([userId, asker]: readonly [string, Session]): Promise<void> => {
      if (!(await ports.mayReadLobby(asker, lobby_id))) return
      const key = messageNews(applicationId, userId, name, message)
      ports.tell({ name, args: { lobby_id }, data: message, isFor: speaksFor(applicationId, userId), key, by: BY })
    }
    await Promise.all([...askersOf(ports.hub, name, lobby_id, applicationId)].map(tellUser))
  }

/** One that was repeated may be of a sign-in before this one: that one is gone already. */
async function endAccount(
  { user }: WebhookEventData<'APPLICATION_DEAUTHORIZED'>,
  { applicationId, at }: Happening,
  { accounts, allowedSince }: FollowPorts,
): Promise<void> {
  if (at !== undefined && allowedSince(applicationId, user.id, at)) return
  await accounts.note(applicationId, user.id, 'deauthorized')
}

type DirectMessageType = 'GAME_DIRECT_MESSAGE_CREATE' | 'GAME_DIRECT_MESSAGE_UPDATE' | 'GAME_DIRECT_MESSAGE_DELETE'
type DirectMessage = WebhookEventData<DirectMessageType>

interface Sides {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Those of the two who are named: of a message in part, or of one that went to several, perhaps not both. One of a lobby is no direct one. */
function sidesOf({ author, recipient_id, channel, lobby_id }: DirectMessage): Sides {
  if (lobby_id != null) return { from: undefined, to: undefined }
  const others = (channel?.recipients ?? []).filter(({ id }) => id !== author?.id)
  return { from: author?.id, to: recipient_id ?? (others.length === 1 ? others[0]?.id : undefined) }
}

/** Both sides read the conversation, each for themselves; none is known when one of them is not named. */
function conversationsOf(applicationId: string, message: DirectMessage): readonly Conversation[] {
  const { from, to } = sidesOf(message)
  if (from === undefined || to === undefined) return []
  return [
    { applicationId, userId: from, peerId: to },
    { applicationId, userId: to, peerId: from },
  ]
}

/** An event that comes later than this was repeated, and may have been overtaken by others. */
const IN_ORDER_MS = 30_000

async function noteMessage(message: DirectMessage, { applicationId, at }: Happening, { clock, history }: FollowPorts): Promise<void> {
  const isInOrder = at !== undefined && clock.now() - at <= IN_ORDER_MS
  for (const side of conversationsOf(applicationId, message)) {
    if (isInOrder) await history.told(side, message as Partial<UserMessage> & Pick<UserMessage, 'id'>)
    else await history.doubt(side)
  }
}

const forgetMessage: typeof noteMessage = ({ id }, { applicationId }, { history }) => history.takenBack(applicationId, id)

/** Who hears of it and reads the history then finds it there. What became of a message is told in the order in which it came. */
const tellSides =
  (name: DirectMessageType, keep: typeof noteMessage): Follow<DirectMessageType> =>
  (message, happening, ports) =>
    ports.inTurn(async () => {
      const { applicationId } = happening
      await keep(message, happening, ports)
      const { from, to } = sidesOf(message)
      for (const userId of new Set([from, to])) {
        if (userId === undefined) continue
        const key = messageNews(applicationId, userId, name, message)
        ports.tell({ name, args: {}, data: message, isFor: speaksFor(applicationId, userId), key, by: BY })
      }
    })

const FOLLOWS: { readonly [Type in WebhookEventType]?: Follow<Type> } = {
  APPLICATION_DEAUTHORIZED: endAccount,
  ENTITLEMENT_CREATE: tellOwner('ENTITLEMENT_CREATE'),
  ENTITLEMENT_DELETE: tellOwner('ENTITLEMENT_DELETE'),
  ENTITLEMENT_UPDATE: tellOwner('ENTITLEMENT_UPDATE'),
  GAME_DIRECT_MESSAGE_CREATE: tellSides('GAME_DIRECT_MESSAGE_CREATE', noteMessage),
  GAME_DIRECT_MESSAGE_DELETE: tellSides('GAME_DIRECT_MESSAGE_DELETE', forgetMessage),
  GAME_DIRECT_MESSAGE_UPDATE: tellSides('GAME_DIRECT_MESSAGE_UPDATE', noteMessage),
  LOBBY_MESSAGE_CREATE: tellReaders('LOBBY_MESSAGE_CREATE'),
  LOBBY_MESSAGE_DELETE: tellReaders('LOBBY_MESSAGE_DELETE'),
  LOBBY_MESSAGE_UPDATE: tellReaders('LOBBY_MESSAGE_UPDATE'),
}

/** Works one after the other, in the order in which they are asked for. */
function turns(): FollowTools['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** Gives what carries out all that follows from an event, and rejects when a part of it fails. */
export function follower(ports: FollowPorts): (event: WebhookEvent) => Promise<void> {
  const tools: FollowTools = { ...ports, inTurn: turns() }
  return async (event) => {
    const row: Follow<never> | undefined = FOLLOWS[event.type]
    await row?.(event.data as never, event, tools)
  }
}
