/** The AUDIT_LOG_EVENTS table: the types of audit log entries and their numbers. */

export interface AuditLogEventRow {
  readonly type: number
  /** Additional fields in `options` of such an entry. */
  readonly options?: readonly string[]
  /** Alternative name of the same number. */
  readonly alsoNamed?: string
}

const event = <const T extends number>(type: T, more: Omit<AuditLogEventRow, 'type'> = {}): AuditLogEventRow & { readonly type: T } => ({
  type,
  ...more,
})

export const AUDIT_LOG_EVENTS = {
  GUILD_UPDATE: event(1),
  CHANNEL_CREATE: event(10),
  CHANNEL_UPDATE: event(11),
  CHANNEL_DELETE: event(12),
  CHANNEL_OVERWRITE_CREATE: event(13, { options: ['id', 'type', 'role_name'] }),
  CHANNEL_OVERWRITE_UPDATE: event(14, { options: ['id', 'type', 'role_name'] }),
  CHANNEL_OVERWRITE_DELETE: event(15, { options: ['id', 'type', 'role_name'] }),
  MEMBER_KICK: event(20),
  MEMBER_PRUNE: event(21, { options: ['delete_member_days', 'members_removed'] }),
  MEMBER_BAN_ADD: event(22),
  MEMBER_BAN_REMOVE: event(23),
  MEMBER_UPDATE: event(24),
  MEMBER_ROLE_UPDATE: event(25),
  MEMBER_MOVE: event(26, { options: ['channel_id', 'count'] }),
  MEMBER_DISCONNECT: event(27, { options: ['count'] }),
  BOT_ADD: event(28),
  ROLE_CREATE: event(30),
  ROLE_UPDATE: event(31),
  ROLE_DELETE: event(32),
  INVITE_CREATE: event(40),
  INVITE_UPDATE: event(41),
  INVITE_DELETE: event(42),
  WEBHOOK_CREATE: event(50),
  WEBHOOK_UPDATE: event(51),
  WEBHOOK_DELETE: event(52),
  EMOJI_CREATE: event(60),
  EMOJI_UPDATE: event(61),
  EMOJI_DELETE: event(62),
  MESSAGE_DELETE: event(72, { options: ['channel_id', 'count'] }),
  MESSAGE_BULK_DELETE: event(73, { options: ['count'] }),
  MESSAGE_PIN: event(74, { options: ['channel_id', 'message_id'] }),
  MESSAGE_UNPIN: event(75, { options: ['channel_id', 'message_id'] }),
  INTEGRATION_CREATE: event(80),
  INTEGRATION_UPDATE: event(81),
  INTEGRATION_DELETE: event(82),
  STAGE_INSTANCE_CREATE: event(83, { options: ['channel_id'] }),
  STAGE_INSTANCE_UPDATE: event(84, { options: ['channel_id'] }),
  STAGE_INSTANCE_DELETE: event(85, { options: ['channel_id'] }),
  STICKER_CREATE: event(90),
  STICKER_UPDATE: event(91),
  STICKER_DELETE: event(92),
  GUILD_SCHEDULED_EVENT_CREATE: event(100),
  GUILD_SCHEDULED_EVENT_UPDATE: event(101),
  GUILD_SCHEDULED_EVENT_DELETE: event(102),
  THREAD_CREATE: event(110),
  THREAD_UPDATE: event(111),
  THREAD_DELETE: event(112),
  APPLICATION_COMMAND_PERMISSION_UPDATE: event(121, { options: ['application_id'] }),
  SOUNDBOARD_SOUND_CREATE: event(130),
  SOUNDBOARD_SOUND_UPDATE: event(131),
  SOUNDBOARD_SOUND_DELETE: event(132),
  AUTO_MODERATION_RULE_CREATE: event(140),
  AUTO_MODERATION_RULE_UPDATE: event(141),
  AUTO_MODERATION_RULE_DELETE: event(142),
  AUTO_MODERATION_BLOCK_MESSAGE: event(143, { options: ['auto_moderation_rule_name', 'auto_moderation_rule_trigger_type', 'channel_id'] }),
  AUTO_MODERATION_FLAG_TO_CHANNEL: event(144, {
    options: ['auto_moderation_rule_name', 'auto_moderation_rule_trigger_type', 'channel_id'],
  }),
  AUTO_MODERATION_USER_COMM_DISABLED: event(145, {
    options: ['auto_moderation_rule_name', 'auto_moderation_rule_trigger_type', 'channel_id'],
  }),
  AUTO_MODERATION_QUARANTINE_USER: event(146, { options: ['auto_moderation_rule_name', 'auto_moderation_rule_trigger_type'] }),
  CREATOR_MONETIZATION_REQUEST_CREATED: event(150),
  CREATOR_MONETIZATION_TERMS_ACCEPTED: event(151),
  ONBOARDING_PROMPT_CREATE: event(163),
  ONBOARDING_PROMPT_UPDATE: event(164),
  ONBOARDING_PROMPT_DELETE: event(165),
  ONBOARDING_CREATE: event(166),
  ONBOARDING_UPDATE: event(167),
  GUILD_HOME_FEATURE_ITEM: event(171),
  GUILD_HOME_REMOVE_ITEM: event(172),
  HARMFUL_LINKS_BLOCKED_MESSAGE: event(180),
  HOME_SETTINGS_CREATE: event(190),
  HOME_SETTINGS_UPDATE: event(191),
  VOICE_CHANNEL_STATUS_UPDATE: event(192, { options: ['channel_id', 'status'], alsoNamed: 'VOICE_CHANNEL_STATUS_CREATE' }),
  VOICE_CHANNEL_STATUS_DELETE: event(193, { options: ['channel_id'] }),
  GUILD_SCHEDULED_EVENT_EXCEPTION_CREATE: event(200),
  GUILD_SCHEDULED_EVENT_EXCEPTION_UPDATE: event(201),
  GUILD_SCHEDULED_EVENT_EXCEPTION_DELETE: event(202),
  GUILD_PROFILE_UPDATE: event(211),
} as const satisfies Record<string, AuditLogEventRow>

export type AuditLogEventName = keyof typeof AUDIT_LOG_EVENTS
