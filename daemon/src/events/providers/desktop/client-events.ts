/** The events that a desktop client tells, who may hear each, and by what the same news from another source is known. */
import { ENDPOINTS, type Entitlement, EVENTS, type EventName, satisfies } from '@sallyport/protocol'
import type { Session } from '../../../sessions/session.ts'
import { entitlementNews, messageNews } from '../../news.ts'

/**
 * `application`: the client asks something of the game, whoever plays it. `machine`: about the user of the client, or offered to them, for
 * sessions that do not speak for somebody else. `user`: only for sessions of the user whose token the client accepted.
 */
type Audience = 'application' | 'machine' | 'user'

interface ClientEvent {
  readonly audience: Audience
  /** Undefined: no other source tells it, or each time is news. */
  readonly key?: (applicationId: string, userId: string, name: EventName, data: Fields) => string | undefined
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const ofApplication: ClientEvent = { audience: 'application' }
const ofMachine: ClientEvent = { audience: 'machine' }
const ofUser: ClientEvent = { audience: 'user' }

const idOf = (fields: Fields): string | undefined => (typeof fields['id'] === 'string' ? fields['id'] : undefined)

const ofMessage: ClientEvent = {
  audience: 'user',
  key(applicationId, userId, name, { message }) {
    const fields = fieldsOf(message)
    const id = idOf(fields)
    return id === undefined ? undefined : messageNews(applicationId, userId, name, { ...fields, id })
  },
}
const ofEntitlement: ClientEvent = {
  audience: 'machine',
  key(applicationId, userId, name, { entitlement }) {
    const fields = fieldsOf(entitlement)
    return idOf(fields) === undefined ? undefined : entitlementNews(applicationId, userId, name, fields as Entitlement)
  },
}

export const CLIENT_EVENTS = {
  AUTHORIZE_REQUEST: ofApplication,
  ACTIVITY_JOIN: ofMachine,
  ACTIVITY_SPECTATE: ofMachine,
  ACTIVITY_JOIN_REQUEST: ofMachine,
  ACTIVITY_INVITE: ofMachine,
  OVERLAY_UPDATE: ofMachine,
  CURRENT_USER_UPDATE: ofMachine,
  SCREENSHARE_STATE_UPDATE: ofMachine,
  VIDEO_STATE_UPDATE: ofMachine,
  SPEAKING_START: ofMachine,
  SPEAKING_STOP: ofMachine,
  VOICE_SETTINGS_UPDATE_2: ofMachine,
  ENTITLEMENT_CREATE: ofEntitlement,
  ENTITLEMENT_DELETE: ofEntitlement,
  VOICE_CHANNEL_SELECT: ofUser,
  VOICE_STATE_CREATE: ofUser,
  VOICE_STATE_UPDATE: ofUser,
  VOICE_STATE_DELETE: ofUser,
  VOICE_SETTINGS_UPDATE: ofUser,
  VOICE_CONNECTION_STATUS: ofUser,
  MESSAGE_CREATE: ofMessage,
  MESSAGE_UPDATE: ofMessage,
  MESSAGE_DELETE: ofMessage,
  NOTIFICATION_CREATE: ofUser,
  CURRENT_GUILD_MEMBER_UPDATE: ofUser,
  RELATIONSHIP_UPDATE: ofUser,
  QUEST_ENROLLMENT_STATUS_UPDATE: ofUser,
  GUILD_STATUS: ofUser,
  GUILD_CREATE: ofUser,
  CHANNEL_CREATE: ofUser,
} as const satisfies Partial<Record<EventName, ClientEvent>>

export type ClientEventName = keyof typeof CLIENT_EVENTS

export const isClientEvent = (name: string): name is ClientEventName => Object.hasOwn(CLIENT_EVENTS, name)

const eventOf = (name: ClientEventName): ClientEvent => CLIENT_EVENTS[name]

/** Whether the client wants to know a user before it tells this. */
export const needsUser = (name: ClientEventName): boolean => eventOf(name).audience === 'user'

export const newsKeyOf = (name: ClientEventName, applicationId: string, userId: string | undefined, data: unknown): string | undefined =>
  userId === undefined ? undefined : eventOf(name).key?.(applicationId, userId, name, fieldsOf(data))

/** Who the client speaks for. */
export interface ClientUsers {
  /** Whom its READY named. */
  readonly user: string | undefined
  /** Whose token it accepted. */
  readonly authenticated: string | undefined
}

/** Whether a session may hear this of a client with these users. That it wants to, and holds the scopes, is asked elsewhere. */
export function mayHear(name: ClientEventName, { signedIn }: Session, { user, authenticated }: ClientUsers): boolean {
  const { audience } = eventOf(name)
  if (audience === 'application') return true
  if (audience === 'machine') return signedIn === undefined || user === undefined || signedIn.userId === user
  return signedIn !== undefined && signedIn.userId === authenticated
}

/** With these scopes a session is told by the poll how its guilds stand. */
const GUILDS_POLLED = ENDPOINTS.GET_CURRENT_USER_GUILDS.requires

/** Whether the client is to tell a session with these scopes of this event, if it wants to hear of it. */
export const isForClient = (name: ClientEventName, { scopes }: Pick<Session, 'scopes'>): boolean =>
  satisfies(EVENTS[name].requires, scopes) && (name !== 'GUILD_STATUS' || !satisfies(GUILDS_POLLED, scopes))

/** Where the data of an event says what an argument of its subscription names. */
const NAMED: Readonly<Record<string, (data: Fields) => unknown>> = {
  channel_id: (data) => data['channel_id'],
  guild_id: (data) => data['guild_id'] ?? fieldsOf(data['guild'])['id'],
  pid: (data) => data['pid'],
}

/** Whether an event may be meant for a subscription with these arguments: data that does not say what they name may be for any. */
export function mayBeFor(args: object, data: unknown): boolean {
  const fields = fieldsOf(data)
  return Object.entries(args).every(([name, wanted]) => {
    if (wanted === null || wanted === undefined) return true
    const named = NAMED[name]?.(fields)
    return named === null || named === undefined || named === wanted
  })
}
