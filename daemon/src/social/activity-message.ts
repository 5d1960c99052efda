/** Reads the direct messages that invite to an activity or ask to be invited, as a gateway dispatches them. Whatever else it is handed is nothing. */
import { MESSAGE_ACTIVITY_TYPES, type RpcUser, Snowflake } from '@sallyport/protocol'

/** An account of a user with an application: whose eyes saw the message. */
export interface Party {
  readonly applicationId: string
  readonly userId: string
}

export interface ActivityMessage {
  readonly kind: 'invite' | 'request'
  readonly messageId: string
  readonly channelId: string
  readonly author: RpcUser
  /** Of the game that is to be joined. */
  readonly applicationId: string
  readonly applicationName: string | undefined
  readonly parentApplicationId: string | undefined
  readonly partyId: string | undefined
  /** Of the author; platforms were seen to leave it out. */
  readonly sessionId: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const KINDS: ReadonlyMap<unknown, ActivityMessage['kind']> = new Map([
  [MESSAGE_ACTIVITY_TYPES.join, 'invite'],
  [MESSAGE_ACTIVITY_TYPES.joinRequest, 'request'],
])

/** Longer texts are no ids. */
const ID_MAX = 256

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const idOf = (value: unknown): string | undefined => Snowflake.safeParse(value).data
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= ID_MAX ? value : undefined

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

/** Undefined for every message that neither invites nor asks, and for everything that is no message. */
export function readActivityMessage(message: unknown, party: Party): ActivityMessage | undefined {
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
    applicationId: idOf(fields['application_id']) ?? idOf(application['id']) ?? party.applicationId,
    applicationName: textOf(application['name']),
    parentApplicationId: idOf(application['parent_id']),
    partyId: textOf(activity['party_id']),
    sessionId: textOf(activity['session_id']),
  }
}
