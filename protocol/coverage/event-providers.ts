/** Providers of each event that can be subscribed to. A subscription is kept even if none of its providers is available now. */
import type { SubscribableEventName } from '../src/events/index.ts'

export const EVENT_PROVIDERS = {
  bridge: 'the bridge itself',
  bot: "the gateway, via the connection of the application's bot",
  user: 'the gateway, via the connection of the user',
  webhook: 'webhooks of the application; lobby messages only for subscriptions with `lobby_id`',
  poll: 'the HTTP API, polled once a minute',
  invites: 'invites and join requests, which the bridge reads from gateway messages and handles itself',
  client: "the platform's own desktop client",
} as const

export type EventProviderName = keyof typeof EVENT_PROVIDERS

const GUILDS = ['bot', 'user'] as const
const OWNED = ['bot', 'user', 'webhook'] as const
const CLIENT = ['client'] as const
const USER = ['user'] as const

export const PROVIDERS_OF = {
  ACTIVITY_INVITE: ['invites', 'client'],
  ACTIVITY_JOIN: ['invites', 'client'],
  ACTIVITY_JOIN_REQUEST: ['invites', 'client'],
  ACTIVITY_SPECTATE: CLIENT,
  AUTHORIZE_REQUEST: ['bridge', 'client'],
  CHANNEL_CREATE: [...GUILDS, 'client'],
  CHANNEL_DELETE: GUILDS,
  CHANNEL_UPDATE: GUILDS,
  CURRENT_GUILD_MEMBER_UPDATE: ['user', 'client'],
  CURRENT_USER_UPDATE: ['bridge', 'user', 'client'],
  ENTITLEMENT_CREATE: [...OWNED, 'client'],
  ENTITLEMENT_DELETE: [...OWNED, 'client'],
  ENTITLEMENT_UPDATE: OWNED,
  GAME_DIRECT_MESSAGE_CREATE: ['user', 'webhook'],
  GAME_DIRECT_MESSAGE_DELETE: ['user', 'webhook'],
  GAME_DIRECT_MESSAGE_UPDATE: ['user', 'webhook'],
  GUILD_CREATE: [...GUILDS, 'client'],
  GUILD_DELETE: GUILDS,
  GUILD_MEMBER_ADD: GUILDS,
  GUILD_MEMBER_REMOVE: GUILDS,
  GUILD_MEMBER_UPDATE: GUILDS,
  GUILD_STATUS: ['user', 'poll', 'client'],
  GUILD_UPDATE: GUILDS,
  LOBBY_CREATE: USER,
  LOBBY_DELETE: USER,
  LOBBY_MEMBER_ADD: USER,
  LOBBY_MEMBER_REMOVE: USER,
  LOBBY_MEMBER_UPDATE: USER,
  LOBBY_MESSAGE_CREATE: ['user', 'webhook'],
  LOBBY_MESSAGE_DELETE: ['user', 'webhook'],
  LOBBY_MESSAGE_UPDATE: ['user', 'webhook'],
  LOBBY_UPDATE: USER,
  MESSAGE_CREATE: [...GUILDS, 'client'],
  MESSAGE_DELETE: [...GUILDS, 'client'],
  MESSAGE_UPDATE: [...GUILDS, 'client'],
  NOTIFICATION_CREATE: CLIENT,
  OVERLAY_UPDATE: CLIENT,
  QUEST_ENROLLMENT_STATUS_UPDATE: CLIENT,
  RELATIONSHIP_UPDATE: ['user', 'client'],
  SCREENSHARE_STATE_UPDATE: CLIENT,
  SPEAKING_START: CLIENT,
  SPEAKING_STOP: CLIENT,
  SUBSCRIPTION_CREATE: GUILDS,
  SUBSCRIPTION_DELETE: GUILDS,
  SUBSCRIPTION_UPDATE: GUILDS,
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
} as const satisfies Readonly<Record<SubscribableEventName, readonly EventProviderName[]>>
