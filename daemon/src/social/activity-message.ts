/** Parses direct messages with an invite or a join request, as the gateway dispatches them. */
import type { AccountKey } from '@sallyport/core/account-key'
import { fieldsOf, idOf, nonEmptyTextOf as textOf } from '@sallyport/core/json-read'
import { type Activity, MESSAGE_ACTIVITY_TYPES, type RpcUser } from '@sallyport/protocol'
import { shownActivity } from './shown-activity.ts'

export interface ActivityMessage {
  readonly kind: 'invite' | 'request'
  readonly messageId: string
  readonly channelId: string
  readonly author: RpcUser
  /** Of the game to join. */
  readonly applicationId: string
  readonly applicationName: string | undefined
  /** Hash of the application's cover image. */
  readonly applicationCover: string | undefined
  /** The activity as the author showed it; empty if the platform omits it. */
  readonly shown: Partial<Activity>
  readonly parentApplicationId: string | undefined
  readonly partyId: string | undefined
  /** Of the author; some platforms omit it. */
  readonly sessionId: string | undefined
}

const KINDS: ReadonlyMap<unknown, ActivityMessage['kind']> = new Map([
  [MESSAGE_ACTIVITY_TYPES.join, 'invite'],
  [MESSAGE_ACTIVITY_TYPES.joinRequest, 'request'],
])

function userOf(value: unknown): RpcUser | undefined {
  const { id, username, discriminator, avatar, global_name: globalName, bot } = fieldsOf(value)
  const userId = idOf(id)
  if (userId === undefined) return undefined
  return {
    id: userId,
    username: textOf(username) ?? userId,
    discriminator: textOf(discriminator) ?? '0',
    avatar: textOf(avatar) ?? null,
    global_name: textOf(globalName) ?? null,
    bot: bot === true,
  }
}

/** Undefined for any other message or value. */
export function readActivityMessage(message: unknown, account: AccountKey): ActivityMessage | undefined {
  const fields = fieldsOf(message)
  const activity = fieldsOf(fields['activity'])
  const application = fieldsOf(fields['application'])
  const kind = KINDS.get(activity['type'])
  const messageId = idOf(fields['id'])
  const channelId = idOf(fields['channel_id'])
  const author = userOf(fields['author'])
  if (kind === undefined || messageId === undefined || channelId === undefined || author === undefined) return undefined
  return {
    kind,
    messageId,
    channelId,
    author,
    applicationId: idOf(fields['application_id']) ?? idOf(application['id']) ?? account.applicationId,
    applicationName: textOf(application['name']),
    applicationCover: textOf(application['cover_image']),
    shown: shownActivity(activity['shown']),
    parentApplicationId: idOf(application['parent_id']),
    partyId: textOf(activity['party_id']),
    sessionId: textOf(activity['session_id']),
  }
}
