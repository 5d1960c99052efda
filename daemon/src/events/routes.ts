/** Which routes bring each event. A route is a way of events from the platform to games; a provider has one or two. Data only. */
import type { SubscribableEventName } from '@sallyport/protocol'

/** Routes that are assigned: of these, one at a time brings an event to a session. */
export const ASSIGNED_ROUTES = {
  bot: "the gateway, via the connection of the application's bot",
  user: 'the gateway, via the connection of the user',
  poll: 'the HTTP API, polled once a minute',
  client: "the platform's own desktop client",
} as const

/** Routes that publish everything that reaches them, beside the assigned one. A copy of an event is delivered once. */
export const OTHER_ROUTES = {
  bridge: 'the bridge itself',
  invites: 'invites and join requests, which the bridge reads from the gateway messages of the signed-in user and handles itself',
  webhook: 'webhooks of the application, and its interactions endpoint; lobby messages only for subscriptions with `lobby_id`',
} as const

export type AssignedRoute = keyof typeof ASSIGNED_ROUTES
export type OtherRoute = keyof typeof OTHER_ROUTES

const GUILDS = ['bot', 'user'] as const
const ALL = ['bot', 'user', 'client'] as const
const USER = ['user'] as const
const CLIENT = ['client'] as const
const BOT = ['bot'] as const
/** Only other routes publish it. */
const NONE = [] as const

/** By event: the routes in order of preference. The first that covers a session is assigned to it. */
export const PREFERENCE = {
  ACTIVITY_INVITE: CLIENT,
  ACTIVITY_JOIN: CLIENT,
  ACTIVITY_JOIN_REQUEST: CLIENT,
  ACTIVITY_SPECTATE: CLIENT,
  APPLICATION_AUTHORIZED: NONE,
  AUTHORIZE_REQUEST: CLIENT,
  CHANNEL_CREATE: ALL,
  CHANNEL_DELETE: GUILDS,
  CHANNEL_UPDATE: GUILDS,
  CURRENT_GUILD_MEMBER_UPDATE: ['user', 'client'],
  CURRENT_USER_UPDATE: ['user', 'client'],
  ENTITLEMENT_CREATE: ALL,
  ENTITLEMENT_DELETE: ALL,
  ENTITLEMENT_UPDATE: GUILDS,
  GAME_DIRECT_MESSAGE_CREATE: USER,
  GAME_DIRECT_MESSAGE_DELETE: USER,
  GAME_DIRECT_MESSAGE_UPDATE: USER,
  GAME_RELATIONSHIP_UPDATE: USER,
  GUILD_BAN_ADD: GUILDS,
  GUILD_BAN_REMOVE: GUILDS,
  GUILD_CREATE: ALL,
  GUILD_DELETE: GUILDS,
  GUILD_EMOJIS_UPDATE: GUILDS,
  GUILD_MEMBER_ADD: GUILDS,
  GUILD_MEMBER_REMOVE: GUILDS,
  GUILD_MEMBER_UPDATE: GUILDS,
  GUILD_ROLE_CREATE: GUILDS,
  GUILD_ROLE_DELETE: GUILDS,
  GUILD_ROLE_UPDATE: GUILDS,
  GUILD_SCHEDULED_EVENT_CREATE: GUILDS,
  GUILD_SCHEDULED_EVENT_DELETE: GUILDS,
  GUILD_SCHEDULED_EVENT_UPDATE: GUILDS,
  GUILD_SCHEDULED_EVENT_USER_ADD: GUILDS,
  GUILD_SCHEDULED_EVENT_USER_REMOVE: GUILDS,
  // The guilds of a bot are not those of the user.
  GUILD_STATUS: ['user', 'poll', 'client'],
  GUILD_STICKERS_UPDATE: GUILDS,
  GUILD_UPDATE: GUILDS,
  INTERACTION_CREATE: BOT,
  INVITE_CREATE: GUILDS,
  INVITE_DELETE: GUILDS,
  LOBBY_CREATE: USER,
  LOBBY_DELETE: USER,
  LOBBY_MEMBER_ADD: USER,
  LOBBY_MEMBER_REMOVE: USER,
  LOBBY_MEMBER_UPDATE: USER,
  LOBBY_MESSAGE_CREATE: USER,
  LOBBY_MESSAGE_DELETE: USER,
  LOBBY_MESSAGE_UPDATE: USER,
  LOBBY_UPDATE: USER,
  MESSAGE_CREATE: ALL,
  MESSAGE_DELETE: ALL,
  MESSAGE_POLL_VOTE_ADD: GUILDS,
  MESSAGE_POLL_VOTE_REMOVE: GUILDS,
  MESSAGE_REACTION_ADD: GUILDS,
  MESSAGE_REACTION_REMOVE: GUILDS,
  MESSAGE_REACTION_REMOVE_ALL: GUILDS,
  MESSAGE_REACTION_REMOVE_EMOJI: GUILDS,
  MESSAGE_UPDATE: ALL,
  NOTIFICATION_CREATE: CLIENT,
  OVERLAY_UPDATE: CLIENT,
  QUEST_ENROLLMENT_STATUS_UPDATE: CLIENT,
  QUEST_USER_ENROLLMENT: NONE,
  RELATIONSHIP_UPDATE: ['user', 'client'],
  SCREENSHARE_STATE_UPDATE: CLIENT,
  SPEAKING_START: CLIENT,
  SPEAKING_STOP: CLIENT,
  SUBSCRIPTION_CREATE: GUILDS,
  SUBSCRIPTION_DELETE: GUILDS,
  SUBSCRIPTION_UPDATE: GUILDS,
  TYPING_START: GUILDS,
  VIDEO_STATE_UPDATE: CLIENT,
  VOICE_CHANNEL_SELECT: CLIENT,
  VOICE_CHANNEL_START_TIME_UPDATE: GUILDS,
  VOICE_CHANNEL_STATUS_UPDATE: GUILDS,
  VOICE_CONNECTION_STATUS: CLIENT,
  VOICE_SETTINGS_UPDATE: CLIENT,
  VOICE_SETTINGS_UPDATE_2: CLIENT,
  VOICE_STATE_CREATE: CLIENT,
  VOICE_STATE_DELETE: CLIENT,
  VOICE_STATE_UPDATE: CLIENT,
} as const satisfies Readonly<Record<SubscribableEventName, readonly AssignedRoute[]>>

/** By event: the routes that publish it besides. */
export const ALSO_FROM = {
  ACTIVITY_INVITE: ['invites'],
  ACTIVITY_JOIN: ['invites'],
  ACTIVITY_JOIN_REQUEST: ['invites'],
  APPLICATION_AUTHORIZED: ['webhook'],
  AUTHORIZE_REQUEST: ['bridge'],
  CURRENT_USER_UPDATE: ['bridge'],
  ENTITLEMENT_CREATE: ['webhook'],
  ENTITLEMENT_DELETE: ['webhook'],
  ENTITLEMENT_UPDATE: ['webhook'],
  GAME_DIRECT_MESSAGE_CREATE: ['webhook'],
  GAME_DIRECT_MESSAGE_DELETE: ['webhook'],
  GAME_DIRECT_MESSAGE_UPDATE: ['webhook'],
  INTERACTION_CREATE: ['webhook'],
  LOBBY_MESSAGE_CREATE: ['webhook'],
  LOBBY_MESSAGE_DELETE: ['webhook'],
  LOBBY_MESSAGE_UPDATE: ['webhook'],
  QUEST_ENROLLMENT_STATUS_UPDATE: ['webhook'],
  QUEST_USER_ENROLLMENT: ['webhook'],
} as const satisfies Readonly<Partial<Record<SubscribableEventName, readonly OtherRoute[]>>>

/** Empty for a name that cannot be subscribed. */
export const preferenceOf = (event: string): readonly AssignedRoute[] =>
  Object.hasOwn(PREFERENCE, event) ? PREFERENCE[event as SubscribableEventName] : []

/** The routes that publish it besides. */
export const otherRoutesOf = (event: string): readonly OtherRoute[] =>
  Object.hasOwn(ALSO_FROM, event) ? ALSO_FROM[event as keyof typeof ALSO_FROM] : []
