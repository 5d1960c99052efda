/**
 * The EVENTS table: the described records in the data of gateway events. The description is of the HTTP API only; what an event has beside a
 * record is in the text of the platform's page of gateway events. An event without a line has no described record.
 */

export interface EventRecord {
  /** Record of the whole data; of several, the one that fits. */
  readonly record?: string | readonly string[]
  /** Fields that an event has beside its record. */
  readonly own?: readonly string[]
  /** Record of a field, or of each item of a list. */
  readonly fields?: Readonly<Record<string, string | readonly string[]>>
}

const CHANNEL: EventRecord = { record: 'GuildChannelResponse' }
const ENTITLEMENT: EventRecord = { record: 'EntitlementResponse' }
const LOBBY: EventRecord = { record: 'LobbyResponse' }
const LOBBY_MEMBER: EventRecord = { fields: { member: 'LobbyMemberResponse' } }
const LOBBY_MESSAGE: EventRecord = { record: 'LobbyMessageResponse', own: ['timestamp', 'edited_timestamp'] }
const MEMBER: EventRecord = { record: 'GuildMemberResponse', own: ['guild_id'] }
/** A direct message names whom it goes to, because games cannot look its channel up. */
const OF_DIRECT_MESSAGES = ['channel', 'channel_type', 'recipient_id']
const MESSAGE: EventRecord = { record: 'MessageResponse', own: ['guild_id', 'member', ...OF_DIRECT_MESSAGES] }
const ROLE: EventRecord = { fields: { role: 'GuildRoleResponse' } }
const SCHEDULED_EVENTS = ['ExternalScheduledEventResponse', 'StageScheduledEventResponse', 'VoiceScheduledEventResponse']
const SCHEDULED: EventRecord = { record: SCHEDULED_EVENTS }
const SUBSCRIPTION: EventRecord = { record: 'SubscriptionResponse' }
const USER: EventRecord = { fields: { user: 'UserResponse' } }

export const EVENTS: Readonly<Record<string, EventRecord>> = {
  CHANNEL_CREATE: CHANNEL,
  CHANNEL_DELETE: CHANNEL,
  CHANNEL_UPDATE: CHANNEL,
  ENTITLEMENT_CREATE: ENTITLEMENT,
  ENTITLEMENT_DELETE: ENTITLEMENT,
  ENTITLEMENT_UPDATE: ENTITLEMENT,
  GAME_RELATIONSHIP_ADD: USER,
  GUILD_BAN_ADD: USER,
  GUILD_BAN_REMOVE: USER,
  GUILD_CREATE: {
    record: 'GuildWithCountsResponse',
    own: ['joined_at', 'large', 'unavailable', 'member_count', 'threads', 'presences', 'stage_instances', 'voice_states'],
    fields: {
      channels: 'GuildChannelResponse',
      guild_scheduled_events: SCHEDULED_EVENTS,
      members: 'GuildMemberResponse',
      soundboard_sounds: 'SoundboardSoundResponse',
    },
  },
  GUILD_EMOJIS_UPDATE: { fields: { emojis: 'EmojiResponse' } },
  GUILD_MEMBERS_CHUNK: { fields: { members: 'GuildMemberResponse' } },
  GUILD_MEMBER_ADD: MEMBER,
  GUILD_MEMBER_REMOVE: USER,
  GUILD_MEMBER_UPDATE: MEMBER,
  GUILD_ROLE_CREATE: ROLE,
  GUILD_ROLE_UPDATE: ROLE,
  GUILD_SCHEDULED_EVENT_CREATE: SCHEDULED,
  GUILD_SCHEDULED_EVENT_DELETE: SCHEDULED,
  GUILD_SCHEDULED_EVENT_UPDATE: SCHEDULED,
  GUILD_STICKERS_UPDATE: { fields: { stickers: 'GuildStickerResponse' } },
  GUILD_UPDATE: { record: 'GuildWithCountsResponse' },
  INTERACTION_CREATE: { fields: { user: 'UserResponse' } },
  INVITE_CREATE: { fields: { inviter: 'UserResponse', target_user: 'UserResponse' } },
  LOBBY_CREATE: LOBBY,
  LOBBY_MEMBER_ADD: LOBBY_MEMBER,
  LOBBY_MEMBER_REMOVE: LOBBY_MEMBER,
  LOBBY_MEMBER_UPDATE: LOBBY_MEMBER,
  LOBBY_MESSAGE_CREATE: LOBBY_MESSAGE,
  LOBBY_MESSAGE_UPDATE: LOBBY_MESSAGE,
  LOBBY_UPDATE: LOBBY,
  MESSAGE_CREATE: MESSAGE,
  MESSAGE_UPDATE: MESSAGE,
  READY: USER,
  RELATIONSHIP_ADD: USER,
  RELATIONSHIP_UPDATE: USER,
  SOUNDBOARD_SOUNDS: { fields: { soundboard_sounds: 'SoundboardSoundResponse' } },
  SUBSCRIPTION_CREATE: SUBSCRIPTION,
  SUBSCRIPTION_DELETE: SUBSCRIPTION,
  SUBSCRIPTION_UPDATE: SUBSCRIPTION,
  USER_UPDATE: { record: 'UserResponse' },
  VOICE_STATE_UPDATE: { record: 'VoiceStateResponse' },
}
