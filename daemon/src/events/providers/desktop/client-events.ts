/** The events of the desktop client, who may receive each, and its dedupe key. */
import type { AccountKey } from '@sallyport/core/account-key'
import { type Fields, fieldsOf } from '@sallyport/core/json-read'
import type { Entitlement, EventName } from '@sallyport/protocol'
import type { Session } from '../../../sessions/session.ts'
import { entitlementKey, messageKey } from '../../dedupe-keys.ts'

/**
 * `application`: a request to the game, independent of the user. `client-user`: about the user of the client, for sessions of that user and
 * for sessions without sign-in. `user`: only for sessions of the user whose token the client accepted.
 */
type Audience = 'application' | 'client-user' | 'user'

interface ClientEvent {
  readonly audience: Audience
  /** Undefined: no other provider publishes the event, or each occurrence counts. */
  readonly dedupeKey?: (account: AccountKey, name: EventName, data: Fields) => string | undefined
}

const forApplication: ClientEvent = { audience: 'application' }
const forClientUser: ClientEvent = { audience: 'client-user' }
const forUser: ClientEvent = { audience: 'user' }

const idOf = (fields: Fields): string | undefined => (typeof fields['id'] === 'string' ? fields['id'] : undefined)

const messageEvent: ClientEvent = {
  audience: 'user',
  dedupeKey(account, name, { message }) {
    const fields = fieldsOf(message)
    const id = idOf(fields)
    return id === undefined ? undefined : messageKey(account, name, { ...fields, id })
  },
}
const entitlementEvent: ClientEvent = {
  audience: 'client-user',
  dedupeKey(account, name, { entitlement }) {
    const fields = fieldsOf(entitlement)
    return idOf(fields) === undefined ? undefined : entitlementKey(account, name, fields as Entitlement)
  },
}

export const CLIENT_EVENTS = {
  AUTHORIZE_REQUEST: forApplication,
  ACTIVITY_JOIN: forClientUser,
  ACTIVITY_SPECTATE: forClientUser,
  ACTIVITY_JOIN_REQUEST: forClientUser,
  ACTIVITY_INVITE: forClientUser,
  OVERLAY_UPDATE: forClientUser,
  CURRENT_USER_UPDATE: forClientUser,
  SCREENSHARE_STATE_UPDATE: forClientUser,
  VIDEO_STATE_UPDATE: forClientUser,
  SPEAKING_START: forClientUser,
  SPEAKING_STOP: forClientUser,
  VOICE_SETTINGS_UPDATE_2: forClientUser,
  ENTITLEMENT_CREATE: entitlementEvent,
  ENTITLEMENT_DELETE: entitlementEvent,
  VOICE_CHANNEL_SELECT: forUser,
  VOICE_STATE_CREATE: forUser,
  VOICE_STATE_UPDATE: forUser,
  VOICE_STATE_DELETE: forUser,
  VOICE_SETTINGS_UPDATE: forUser,
  VOICE_CONNECTION_STATUS: forUser,
  MESSAGE_CREATE: messageEvent,
  MESSAGE_UPDATE: messageEvent,
  MESSAGE_DELETE: messageEvent,
  NOTIFICATION_CREATE: forUser,
  CURRENT_GUILD_MEMBER_UPDATE: forUser,
  RELATIONSHIP_UPDATE: forUser,
  QUEST_ENROLLMENT_STATUS_UPDATE: forUser,
  GUILD_STATUS: forUser,
  GUILD_CREATE: forUser,
  CHANNEL_CREATE: forUser,
} as const satisfies Partial<Record<EventName, ClientEvent>>

export type ClientEventName = keyof typeof CLIENT_EVENTS

export const isClientEvent = (name: string): name is ClientEventName => Object.hasOwn(CLIENT_EVENTS, name)

const eventOf = (name: ClientEventName): ClientEvent => CLIENT_EVENTS[name]

/** Whether the client requires authentication for this event. */
export const needsUser = (name: ClientEventName): boolean => eventOf(name).audience === 'user'

/** `account`: undefined when the client does not name its user. */
export const dedupeKeyOf = (name: ClientEventName, account: AccountKey | undefined, data: unknown): string | undefined =>
  account === undefined ? undefined : eventOf(name).dedupeKey?.(account, name, fieldsOf(data))

/** The users of a client. */
export interface ClientUsers {
  /** The user in READY. */
  readonly user: string | undefined
  /** The user of the accepted token. */
  readonly authenticated: string | undefined
}

/** Whether a session may receive this from a client with these users. Subscription and scopes are checked elsewhere. */
export function canReceive(name: ClientEventName, { signedIn }: Session, { user, authenticated }: ClientUsers): boolean {
  const { audience } = eventOf(name)
  if (audience === 'application') return true
  if (audience === 'client-user') return signedIn === undefined || user === undefined || signedIn.userId === user
  return signedIn !== undefined && signedIn.userId === authenticated
}

/** Where the data of an event contains the argument of a subscription. */
const ARGUMENT_IN_DATA: Readonly<Record<string, (data: Fields) => unknown>> = {
  channel_id: (data) => data['channel_id'],
  guild_id: (data) => data['guild_id'] ?? fieldsOf(data['guild'])['id'],
  pid: (data) => data['pid'],
}

/** Whether an event matches a subscription with these arguments. Data without the argument matches every value. */
export function matchesSubscription(args: object, data: unknown): boolean {
  const fields = fieldsOf(data)
  return Object.entries(args).every(([name, expected]) => {
    if (expected === null || expected === undefined) return true
    const named = ARGUMENT_IN_DATA[name]?.(fields)
    return named === null || named === undefined || named === expected
  })
}
