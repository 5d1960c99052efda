/**
 * The LEFT_OUT_DISPATCHES table: dispatches of the gateway without an event for games, by the reason. With the mappings of the daemon, it
 * accounts for every documented dispatch.
 */

export interface LeftOutDispatches {
  readonly reason: string
  readonly dispatches: readonly string[]
}

export const LEFT_OUT_DISPATCHES: readonly LeftOutDispatches[] = [
  {
    reason: 'The bridge uses it itself: it keeps the connection, or fills answers and other events.',
    dispatches: ['READY', 'RESUMED', 'RATE_LIMITED', 'GUILD_MEMBERS_CHUNK', 'CHANNEL_INFO', 'SESSIONS_REPLACE'],
  },
  {
    reason: 'VOICE_STATE_* of the desktop client are the events of games; a bot asks GET_USER_VOICE_STATE.',
    dispatches: ['VOICE_STATE_UPDATE', 'VOICE_SERVER_UPDATE', 'VOICE_CHANNEL_EFFECT_SEND'],
  },
  {
    reason: 'CHANNEL_UPDATE and the pins of a channel, which a game reads again, say the same.',
    dispatches: ['CHANNEL_PINS_UPDATE'],
  },
  {
    reason: 'Threads have no rows, so a game could not read what the event is about.',
    dispatches: ['THREAD_CREATE', 'THREAD_UPDATE', 'THREAD_DELETE', 'THREAD_LIST_SYNC', 'THREAD_MEMBER_UPDATE', 'THREAD_MEMBERS_UPDATE'],
  },
  {
    reason: 'Stages are for an audience in voice, which no system of games uses.',
    dispatches: ['STAGE_INSTANCE_CREATE', 'STAGE_INSTANCE_UPDATE', 'STAGE_INSTANCE_DELETE'],
  },
  {
    reason: 'Administration of a community: its owner uses the platform for it, and no system of games does.',
    dispatches: [
      'APPLICATION_COMMAND_PERMISSIONS_UPDATE',
      'AUTO_MODERATION_ACTION_EXECUTION',
      'AUTO_MODERATION_RULE_CREATE',
      'AUTO_MODERATION_RULE_DELETE',
      'AUTO_MODERATION_RULE_UPDATE',
      'GUILD_AUDIT_LOG_ENTRY_CREATE',
      'GUILD_INTEGRATIONS_UPDATE',
      'GUILD_JOIN_REQUEST_CREATE',
      'GUILD_JOIN_REQUEST_DELETE',
      'GUILD_JOIN_REQUEST_UPDATE',
      'INTEGRATION_CREATE',
      'INTEGRATION_DELETE',
      'INTEGRATION_UPDATE',
      'WEBHOOKS_UPDATE',
    ],
  },
  {
    reason: 'A game that plays a sound of the guild reads the list when it needs it.',
    dispatches: [
      'GUILD_SOUNDBOARD_SOUND_CREATE',
      'GUILD_SOUNDBOARD_SOUND_UPDATE',
      'GUILD_SOUNDBOARD_SOUND_DELETE',
      'GUILD_SOUNDBOARD_SOUNDS_UPDATE',
      'SOUNDBOARD_SOUNDS',
    ],
  },
  {
    reason: 'Occurrences of repeated events have no rows that a game could show.',
    dispatches: [
      'GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE',
      'GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE',
      'GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE',
      'GUILD_SCHEDULED_EVENT_EXCEPTIONS_DELETE',
    ],
  },
]
