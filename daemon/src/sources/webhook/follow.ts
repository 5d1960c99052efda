/** What follows from each type of webhook event, as a table over ports. A type without a row is known, and nothing follows from it here. */
import type { Entitlement, UserMessage, WebhookEventData, WebhookEventType } from '@sallyport/protocol'
import type { Accounts } from '../../account/accounts.ts'
import type { Clock } from '../../core/clock.ts'
import type { Conversation, MessageHistory } from '../../history/history.ts'
import type { Caller } from '../../dispatch/caller.ts'
import type { SubscriptionHub } from '../../subscriptions/hub.ts'
import type { WebhookEvent } from './inbox.ts'

export interface FollowPorts {
  readonly clock: Clock
  readonly accounts: Pick<Accounts, 'note'>
  readonly hub: Pick<SubscriptionHub<Caller>, 'publish'>
  /** Whether the user allowed the application here after a moment, in ms since the epoch. */
  readonly allowedSince: (applicationId: string, userId: string, at: number) => boolean
  readonly history: Pick<MessageHistory, 'told' | 'takenBack' | 'doubt'>
}

interface Happening {
  readonly applicationId: string
  readonly at: number | undefined
}

type Follow<Type extends WebhookEventType> = (data: WebhookEventData<Type>, happening: Happening, ports: FollowPorts) => unknown

/** Only to connections of the user who owns it: what others own, and what a guild owns, is not theirs to know. */
const tellOwner =
  (name: 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_DELETE') =>
  (entitlement: Entitlement, { applicationId }: Happening, { hub }: FollowPorts): void => {
    const { user_id: owner, application_id } = entitlement
    if (owner == null || application_id !== applicationId) return
    hub.publish(
      { name, args: {} },
      { entitlement },
      (caller) => caller.applicationId === applicationId && caller.signedIn?.userId === owner,
    )
  }

/** An event that comes later than this was repeated, and may have been overtaken by others. */
const IN_ORDER_MS = 30_000

/** A late one may be of a sign-in before this one: that one is gone already. */
async function endAccount(
  { user }: WebhookEventData<'APPLICATION_DEAUTHORIZED'>,
  { applicationId, at }: Happening,
  { clock, accounts, allowedSince }: FollowPorts,
): Promise<void> {
  const isLate = at !== undefined && clock.now() - at > IN_ORDER_MS
  if (isLate && allowedSince(applicationId, user.id, at)) return
  await accounts.note(applicationId, user.id, 'deauthorized')
}

type DirectMessage = WebhookEventData<'GAME_DIRECT_MESSAGE_CREATE'>

/** Both sides read the conversation, each for themselves; none when the message does not say to whom it went. */
function sidesOf(applicationId: string, { author, recipient_id, channel }: DirectMessage): Conversation[] {
  const other = recipient_id ?? channel?.recipients?.find(({ id }) => id !== author?.id)?.id
  if (author === undefined || other === undefined) return []
  return [
    { applicationId, userId: author.id, peerId: other },
    { applicationId, userId: other, peerId: author.id },
  ]
}

async function noteMessage(message: DirectMessage, { applicationId, at }: Happening, { clock, history }: FollowPorts): Promise<void> {
  const isInOrder = at !== undefined && clock.now() - at <= IN_ORDER_MS
  for (const side of sidesOf(applicationId, message)) {
    if (isInOrder) await history.told(side, message as Partial<UserMessage> & Pick<UserMessage, 'id'>)
    else await history.doubt(side)
  }
}

const FOLLOWS: { readonly [Type in WebhookEventType]?: Follow<Type> } = {
  APPLICATION_DEAUTHORIZED: endAccount,
  ENTITLEMENT_CREATE: tellOwner('ENTITLEMENT_CREATE'),
  ENTITLEMENT_DELETE: tellOwner('ENTITLEMENT_DELETE'),
  GAME_DIRECT_MESSAGE_CREATE: noteMessage,
  GAME_DIRECT_MESSAGE_DELETE: ({ id }, { applicationId }, { history }) => history.takenBack(applicationId, id),
  GAME_DIRECT_MESSAGE_UPDATE: noteMessage,
}

/** Carries out what follows. Rejects when a part of it fails. */
export async function follow(event: WebhookEvent, ports: FollowPorts): Promise<void> {
  const row: Follow<never> | undefined = FOLLOWS[event.type]
  await row?.(event.data as never, event, ports)
}
