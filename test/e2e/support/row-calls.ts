/** For each endpoint row, a call that works in a fresh sandbox for Ada and for the bot; or the platform's error code for them. */
import type { EndpointName } from '@sallyport/protocol'
import { ACTIVITY, IMAGE, REGATTA, RULE, SOUND, THUMB, harbour, type World } from './row-world.ts'

export interface RowCall {
  /** Made anew for each call, so that a call that destroys or uses up something takes nothing from the next. */
  readonly args: (world: World) => object | Promise<object>
  /** Code of the row's own error (0: a general one) for Ada, who holds every scope it needs. Absent: success. */
  readonly user?: number
  /** The same for the bot of the application. Absent: success. */
  readonly bot?: number
  /** The same for Mary, who shares no guild and no lobby with Ada. Absent: success. */
  readonly stranger?: number
}

const RECORD = { type: 2, key: 'wins', name: 'Wins', description: 'Races won' }
const COMMAND = { name: 'sail', description: 'Set sail' }
const inHarbour = (world: World) => ({ ...world.application, ...harbour(world) })

export const ROW_CALLS: { readonly [Name in EndpointName]?: RowCall } = {
  GET_USER_APPLICATION_IDENTITIES: { args: (world) => ({ user_id: world.user('grace'), with_profiles: true }) },
  GET_USER_MESSAGE_SUMMARIES: { args: () => ({}) },
  ADD_GUILD_MEMBER_ROLE: { args: async (world) => ({ ...(await world.newRole()), user_id: world.user('grace') }) },
  BULK_DELETE_MESSAGES: { args: (world) => ({ channel_id: world.channel('general'), messages: ['1', '2'] }), bot: 50_013 },
  BULK_GUILD_BAN: { args: (world) => ({ ...harbour(world), user_ids: ['1'] }), bot: 500_000 },
  CREATE_GUILD_BAN: { args: (world) => ({ ...harbour(world), user_id: world.user('mary') }) },
  CREATE_GUILD_CHANNEL: { args: (world) => ({ ...harbour(world), name: 'dock', type: 2 }) },
  CREATE_GUILD_ROLE: { args: (world) => ({ ...harbour(world), name: 'Pilot' }) },
  CREATE_REACTION: { args: async (world) => ({ ...(await world.message()), emoji_name: THUMB }) },
  DELETE_ALL_REACTIONS: { args: (world) => world.message(), bot: 50_013 },
  DELETE_ALL_REACTIONS_FOR_EMOJI: { args: (world) => world.reacted(), bot: 50_013 },
  DELETE_CHANNEL: { args: (world) => world.newChannel() },
  DELETE_CHANNEL_PERMISSION: { args: async (world) => ({ ...(await world.newChannel()), overwrite_id: '1' }), bot: 10_009 },
  DELETE_GUILD_ROLE: { args: (world) => world.newRole() },
  DELETE_INVITE: { args: (world) => world.invite() },
  DELETE_OWN_REACTION: { args: (world) => world.reacted() },
  DELETE_USER_REACTION: { args: async (world) => ({ ...(await world.reacted()), user_id: world.user('ada') }), bot: 50_013 },
  EDIT_CHANNEL_PERMISSIONS: {
    args: async (world) => ({ ...(await world.newChannel()), overwrite_id: world.user('grace'), type: 1, deny: '2048' }),
  },
  END_POLL: { args: (world) => world.pollMessage() },
  GET_ANSWER_VOTERS: { args: async (world) => ({ ...(await world.pollMessage()), answer_id: 1 }) },
  GET_APPLICATION_ACTIVITY_INSTANCE: { args: (world) => world.instance() },
  GET_CHANNEL_BY_BOT: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_GUILD_BAN: { args: (world) => world.ban() },
  GET_GUILD_BANS: { args: harbour },
  GET_GUILD_BY_BOT: { args: harbour },
  GET_GUILD_INVITES: { args: harbour },
  GET_GUILD_MEMBER: { args: (world) => ({ ...harbour(world), user_id: world.user('grace') }) },
  GET_GUILD_ROLES: { args: harbour },
  GET_INVITE: { args: (world) => world.invite() },
  GET_REACTIONS: { args: (world) => world.reacted() },
  GET_USER_BY_BOT: { args: (world) => ({ user_id: world.user('grace') }) },
  LIST_GUILD_MEMBERS: { args: harbour },
  MODIFY_CHANNEL: { args: async (world) => ({ ...(await world.newChannel()), topic: 'Berths' }) },
  MODIFY_GUILD: { args: (world) => ({ ...harbour(world), icon: null }) },
  MODIFY_GUILD_CHANNEL_POSITIONS: {
    async args(world) {
      const { channel_id: id } = await world.newChannel()
      return { ...harbour(world), channels: [{ id, position: 3 }] }
    },
  },
  MODIFY_GUILD_MEMBER: { args: (world) => ({ ...harbour(world), user_id: world.user('grace'), nick: 'Pilot' }) },
  MODIFY_GUILD_ROLE: { args: async (world) => ({ ...(await world.newRole()), name: 'Lookout' }) },
  MODIFY_GUILD_ROLE_POSITIONS: {
    async args(world) {
      const { role_id: id } = await world.newRole()
      return { ...harbour(world), roles: [{ id, position: 1 }] }
    },
  },
  REMOVE_GUILD_BAN: { args: (world) => world.ban() },
  REMOVE_GUILD_MEMBER: { args: (world) => ({ ...harbour(world), user_id: world.user('mary') }), bot: 10_007 },
  REMOVE_GUILD_MEMBER_ROLE: { args: async (world) => ({ ...(await world.newRole()), user_id: world.user('grace') }) },
  SEARCH_GUILD_MEMBERS: { args: (world) => ({ ...harbour(world), query: 'gra' }) },
  TRIGGER_TYPING_INDICATOR: { args: (world) => ({ channel_id: world.channel('general') }) },
  UPLOAD_APPLICATION_ATTACHMENT: { args: (world) => ({ ...world.application, file: { filename: 'map.txt', data: 'QWhveQ==' } }) },
  CREATE_GUILD_EMOJI: { args: (world) => ({ ...harbour(world), name: 'anchor', image: IMAGE }) },
  DELETE_GUILD_EMOJI: { args: (world) => world.guildEmoji() },
  GET_GUILD_EMOJI: { args: (world) => world.guildEmoji() },
  LIST_GUILD_EMOJIS: { args: harbour },
  MODIFY_GUILD_EMOJI: { args: async (world) => ({ ...(await world.guildEmoji()), name: 'buoy' }) },
  CREATE_GUILD_STICKER: {
    async args(world) {
      await world.unstuck()
      return { ...harbour(world), name: 'Flag', tags: 'flag', file: { filename: 'flag.png', data: 'QWhveQ==' } }
    },
  },
  DELETE_GUILD_STICKER: { args: (world) => world.sticker() },
  GET_GUILD_STICKER: { args: (world) => world.sticker() },
  GET_STICKER: { args: () => ({ sticker_id: '1' }) },
  GET_STICKER_PACK: { args: () => ({ pack_id: '100' }) },
  LIST_GUILD_STICKERS: { args: harbour },
  LIST_STICKER_PACKS: { args: () => ({}) },
  MODIFY_GUILD_STICKER: { args: async (world) => ({ ...(await world.sticker()), name: 'Buoy' }) },
  CREATE_GUILD_SCHEDULED_EVENT: { args: (world) => ({ ...harbour(world), ...REGATTA }) },
  CREATE_GUILD_SCHEDULED_EVENT_EXCEPTION: {
    args: async (world) => ({ ...(await world.event()), original_scheduled_start_time: REGATTA.scheduled_start_time, is_canceled: true }),
  },
  DELETE_GUILD_SCHEDULED_EVENT: { args: (world) => world.event() },
  DELETE_GUILD_SCHEDULED_EVENT_EXCEPTION: { args: (world) => world.exception() },
  GET_GUILD_SCHEDULED_EVENT: { args: (world) => world.event() },
  GET_GUILD_SCHEDULED_EVENT_EXCEPTION_USERS: {
    async args(world) {
      const { exception_id, ...event } = await world.exception()
      return { ...event, guild_scheduled_event_exception_id: exception_id }
    },
  },
  GET_GUILD_SCHEDULED_EVENT_USERS: { args: (world) => world.event() },
  GET_GUILD_SCHEDULED_EVENT_USER_COUNTS: { args: (world) => world.event() },
  LIST_SCHEDULED_EVENTS_FOR_GUILD: { args: harbour },
  MODIFY_GUILD_SCHEDULED_EVENT: { args: async (world) => ({ ...(await world.event()), status: 2 }) },
  MODIFY_GUILD_SCHEDULED_EVENT_EXCEPTION: { args: async (world) => ({ ...(await world.exception()), is_canceled: false }) },
  DELETE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: { args: (world) => world.application },
  GET_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS: { args: (world) => world.application },
  GET_CURRENT_USER_APPLICATION_ROLE_CONNECTION: { args: (world) => world.application },
  UPDATE_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS: { args: (world) => ({ ...world.application, records: [RECORD] }) },
  UPDATE_CURRENT_USER_APPLICATION_ROLE_CONNECTION: { args: (world) => ({ ...world.application, platform_name: 'Harbour Log' }) },
  EDIT_APPLICATION_COMMAND_PERMISSIONS: {
    args: async (world) => ({
      ...(await world.command(harbour(world))),
      permissions: [{ id: world.user('ada'), type: 2, permission: true }],
    }),
    stranger: 50_001,
  },
  GET_APPLICATION_COMMAND_PERMISSIONS: { args: (world) => world.permitted(), stranger: 50_001 },
  GET_GUILD_APPLICATION_COMMAND_PERMISSIONS: { args: inHarbour, stranger: 50_001 },
  GET_CURRENT_USER_APPLICATION_ENTITLEMENTS: { args: (world) => world.application },
  GET_CURRENT_USER_GUILD_MEMBER: { args: harbour, stranger: 50_001 },
  GET_OPENID_CONNECT_USER_INFO: { args: () => ({}) },
  BULK_OVERWRITE_GLOBAL_APPLICATION_COMMANDS: { args: (world) => ({ ...world.application, commands: [COMMAND] }) },
  BULK_OVERWRITE_GUILD_APPLICATION_COMMANDS: { args: (world) => ({ ...inHarbour(world), commands: [COMMAND] }) },
  CREATE_AUTO_MODERATION_RULE: {
    async args(world) {
      await world.unruled()
      return { ...harbour(world), ...RULE }
    },
  },
  CREATE_FOLLOWUP_MESSAGE: { args: async (world) => ({ ...(await world.answered()), content: 'More' }) },
  CREATE_GLOBAL_APPLICATION_COMMAND: { args: (world) => ({ ...world.application, ...COMMAND }) },
  CREATE_GUILD_APPLICATION_COMMAND: { args: (world) => ({ ...inHarbour(world), ...COMMAND }) },
  CREATE_HEADLESS_SESSION: { args: () => ({ activities: [ACTIVITY] }) },
  CREATE_INTERACTION_RESPONSE: { args: async (world) => ({ ...(await world.interaction()), type: 4, data: { content: 'Ahoy' } }) },
  DELETE_AUTO_MODERATION_RULE: { args: (world) => world.rule() },
  DELETE_FOLLOWUP_MESSAGE: { args: (world) => world.followup() },
  DELETE_GLOBAL_APPLICATION_COMMAND: { args: (world) => world.command() },
  DELETE_GUILD_APPLICATION_COMMAND: { args: (world) => world.command(harbour(world)) },
  DELETE_HEADLESS_SESSION: { args: (world) => world.headlessSession(), stranger: 50_035 },
  DELETE_ORIGINAL_INTERACTION_RESPONSE: { args: (world) => world.answered() },
  EDIT_FOLLOWUP_MESSAGE: { args: async (world) => ({ ...(await world.followup()), content: 'Less' }) },
  EDIT_GLOBAL_APPLICATION_COMMAND: { args: async (world) => ({ ...(await world.command()), description: 'Sail on' }) },
  EDIT_GUILD_APPLICATION_COMMAND: { args: async (world) => ({ ...(await world.command(harbour(world))), description: 'Sail on' }) },
  EDIT_ORIGINAL_INTERACTION_RESPONSE: { args: async (world) => ({ ...(await world.answered()), content: 'Ahoy again' }) },
  GET_ACTIVITY_SECRET: { args: (world) => world.joinable(), stranger: 50_001 },
  GET_AUTO_MODERATION_RULE: { args: (world) => world.rule() },
  GET_FOLLOWUP_MESSAGE: { args: (world) => world.followup() },
  GET_GLOBAL_APPLICATION_COMMAND: { args: (world) => world.command() },
  GET_GLOBAL_APPLICATION_COMMANDS: { args: (world) => world.application },
  GET_GUILD_APPLICATION_COMMAND: { args: (world) => world.command(harbour(world)) },
  GET_GUILD_APPLICATION_COMMANDS: { args: inHarbour },
  GET_GUILD_AUDIT_LOG: { args: harbour },
  GET_ORIGINAL_INTERACTION_RESPONSE: { args: (world) => world.answered() },
  LIST_AUTO_MODERATION_RULES_FOR_GUILD: { args: harbour },
  MODIFY_AUTO_MODERATION_RULE: { args: async (world) => ({ ...(await world.rule()), enabled: false }) },
  UPDATE_USER_MESSAGE_MODERATION_METADATA: { args: async (world) => ({ ...(await world.moderated()), metadata: { verdict: 'fine' } }) },
  ADD_LOBBY_MEMBER: { args: async (world) => ({ lobby_id: await world.lobby(), user_id: world.user('grace') }) },
  BEGIN_GUILD_PRUNE: { args: harbour },
  BULK_UPDATE_LOBBY_MEMBERS: { args: async (world) => ({ lobby_id: await world.lobby(), members: [{ id: world.user('grace') }] }) },
  CONSUME_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  CREATE_APPLICATION_EMOJI: { args: (world) => ({ ...world.application, name: `anchor_${Math.random()}`.replace('.', ''), image: IMAGE }) },
  CREATE_CHANNEL_INVITE_BY_BOT: {
    args: (world) => ({ channel_id: world.channel('general'), max_uses: 1, target_users_file: world.users('grace') }),
  },
  CREATE_GUILD: { args: () => ({ name: 'Atlantis' }) },
  CREATE_GUILD_SOUNDBOARD_SOUND: {
    async args(world) {
      await world.silence()
      return { ...harbour(world), name: 'horn', sound: SOUND }
    },
  },
  CREATE_LOBBY: { args: () => ({}) },
  CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF: { args: async (world) => ({ lobby_id: await world.linkedLobby() }), stranger: 50_001 },
  CREATE_LOBBY_CHANNEL_INVITE_FOR_USER: { args: async (world) => ({ lobby_id: await world.linkedLobby(), user_id: world.user('ada') }) },
  CREATE_MESSAGE: {
    args: (world) => ({ channel_id: world.channel('general'), content: 'Ahoy', files: [{ filename: 'chart.txt', data: 'QWhveQ==' }] }),
  },
  CREATE_OR_JOIN_LOBBY: { args: () => ({ secret: 'open sesame' }) },
  CREATE_TEST_ENTITLEMENT: {
    args: async (world) => ({ ...world.application, sku_id: await world.sku(3), owner_id: world.user('ada'), owner_type: 2 }),
  },
  DELETE_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  DELETE_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound() }) },
  DELETE_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  DELETE_MESSAGE: { args: (world) => world.message() },
  DELETE_TEST_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  DELETE_USER_MESSAGE: { args: (world) => world.userMessage(), stranger: 10_008 },
  EDIT_CURRENT_APPLICATION: { args: () => ({ description: 'A game about a harbour.' }) },
  EDIT_USER_MESSAGE: { args: async (world) => ({ ...(await world.userMessage()), content: 'Ahoy again' }), stranger: 10_008 },
  EDIT_MESSAGE: { args: async (world) => ({ ...(await world.message()), content: 'Ahoy again' }) },
  GET_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  GET_CHANNEL_INVITES: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_CHANNEL_MESSAGE: { args: (world) => world.message() },
  GET_CHANNEL_MESSAGES: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_CHANNEL_PINS: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_CURRENT_APPLICATION: { args: () => ({}) },
  GET_CURRENT_AUTHORIZATION_INFORMATION: { args: () => ({}) },
  GET_CURRENT_USER: { args: () => ({}) },
  GET_CURRENT_USER_CONNECTIONS: { args: () => ({}) },
  GET_CURRENT_USER_GUILDS: { args: () => ({}) },
  GET_CURRENT_USER_VOICE_STATE: { args: harbour, bot: 10_065 },
  GET_ENTITLEMENT: { args: (world) => world.entitlement(), stranger: 10_029 },
  GET_GATEWAY: { args: () => ({}) },
  GET_GATEWAY_BOT: { args: () => ({}) },
  GET_GUILD_CHANNELS: { args: harbour, stranger: 50_001 },
  GET_GUILD_PRUNE_COUNT: { args: harbour },
  GET_GUILD_ROLE: { args: (world) => ({ ...harbour(world), role_id: world.guild('Harbour') }) },
  GET_GUILD_ROLE_MEMBER_COUNTS: { args: harbour },
  GET_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound() }) },
  GET_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  GET_LOBBY_MESSAGES: { args: async (world) => ({ lobby_id: await world.lobby() }), stranger: 50_001 },
  GET_PINNED_MESSAGES: { args: (world) => ({ channel_id: world.channel('general') }) },
  GET_SKU_SUBSCRIPTION: { args: (world) => world.subscription(), stranger: 10_027 },
  GET_TARGET_USERS: { args: (world) => world.invite() },
  GET_TARGET_USERS_JOB_STATUS: { args: (world) => world.invite() },
  GET_USER_MESSAGES: {
    async args(world) {
      const { user_id } = await world.userMessage()
      return { user_id }
    },
    stranger: 10_003,
  },
  GET_USER_VOICE_STATE: { args: (world) => ({ ...harbour(world), user_id: world.user('grace') }) },
  LEAVE_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby() }) },
  LINK_CHANNEL_TO_LOBBY: {
    args: async (world) => ({ lobby_id: await world.lobby(), channel_id: world.channel('general') }),
    stranger: 50_001,
  },
  LIST_APPLICATION_EMOJIS: { args: (world) => world.application },
  LIST_DEFAULT_SOUNDBOARD_SOUNDS: { args: () => ({}) },
  LIST_ENTITLEMENTS: { args: (world) => world.application },
  LIST_GUILD_SOUNDBOARD_SOUNDS: { args: harbour },
  LIST_SKUS: { args: (world) => world.application },
  LIST_SKU_SUBSCRIPTIONS: { args: async (world) => ({ sku_id: await world.sku(5), user_id: world.user('ada') }) },
  MODIFY_APPLICATION_EMOJI: { args: async (world) => ({ ...world.application, emoji_id: await world.emoji() }) },
  MODIFY_CURRENT_MEMBER: { args: (world) => ({ ...harbour(world), nick: 'Harbour Master' }) },
  MODIFY_GUILD_SOUNDBOARD_SOUND: { args: async (world) => ({ ...harbour(world), sound_id: await world.sound(), name: 'bell' }) },
  MODIFY_LOBBY: { args: async (world) => ({ lobby_id: await world.lobby(), metadata: { map: 'reef' } }) },
  PIN_MESSAGE: { args: (world) => world.message() },
  PIN_MESSAGE_DEPRECATED: { args: (world) => world.message() },
  REMOVE_LOBBY_MEMBER: { args: async (world) => ({ lobby_id: await world.lobby(), user_id: world.user('ada') }) },
  SEARCH_GUILD_MESSAGES: { args: (world) => ({ ...harbour(world), content: 'Ahoy' }), bot: 110_000 },
  SEND_LOBBY_MESSAGE: { args: async (world) => ({ lobby_id: await world.lobby(), content: 'Ahoy' }), stranger: 50_001 },
  SEND_SOUNDBOARD_SOUND: { args: async (world) => ({ channel_id: world.channel('Lamp Room'), sound_id: await world.defaultSound() }) },
  SEND_ACTIVITY_MESSAGE: { args: (world) => ({ user_id: world.user('grace'), activity: { type: 5 } }) },
  SEND_USER_MESSAGE: { args: (world) => ({ user_id: world.user('grace'), content: 'Ahoy' }) },
  SET_VOICE_CHANNEL_STATUS: { args: (world) => ({ channel_id: world.channel('Engine Room'), status: 'quiet' }) },
  UNLINK_CHANNEL_FROM_LOBBY: { args: async (world) => ({ lobby_id: await world.linkedLobby() }), stranger: 50_001 },
  UNPIN_MESSAGE: { args: (world) => world.message() },
  UNPIN_MESSAGE_DEPRECATED: { args: (world) => world.message() },
  UPDATE_LOBBY_MESSAGE_MODERATION_METADATA: { args: async (world) => ({ ...(await world.lobbyMessage()), metadata: { verdict: 'fine' } }) },
  UPDATE_TARGET_USERS: { args: async (world) => ({ ...(await world.invite()), target_users_file: world.users('ada') }) },
}
