/** Fields of requests that no row has, and fields with other kinds of values, by the reason. With the rows, they account for every documented field. */

export interface LeftOutFieldsRow {
  readonly reason: string
  /** `ROW.path`, or `*.path` for every row, also as the end of a longer path. */
  readonly fields: readonly string[]
}

const of = (row: string, ...paths: readonly string[]): readonly string[] => paths.map((path) => `${row}.${path}`)

/** A call passes a field of these on all the same, if it is not inside another one: it is only not checked and not typed. */
export const LEFT_OUT_FIELDS: readonly LeftOutFieldsRow[] = [
  {
    reason: 'Threads and forums: lobbies and the chat of a game use channels, and threads of a game have no system here.',
    fields: [
      '*.thread_id',
      ...of('CREATE_FOLLOWUP_MESSAGE', 'thread_name', 'applied_tags'),
      ...['CREATE_GUILD_CHANNEL', 'MODIFY_CHANNEL'].flatMap((row) =>
        of(
          row,
          'available_tags',
          'default_auto_archive_duration',
          'default_forum_layout',
          'default_reaction_emoji',
          'default_sort_order',
          'default_tag_setting',
          'default_thread_rate_limit_per_user',
        ),
      ),
      ...of('MODIFY_CHANNEL', 'applied_tags', 'archived', 'auto_archive_duration', 'flags', 'invitable', 'locked'),
    ],
  },
  {
    reason: 'Administration of a community: its owner uses the platform for it, and no system of games does.',
    fields: [
      ...of('MODIFY_CHANNEL', 'icon', 'type'),
      ...of(
        'MODIFY_GUILD',
        'afk_channel_id',
        'afk_timeout',
        'default_message_notifications',
        'description',
        'discovery_splash',
        'explicit_content_filter',
        'features',
        'home_header',
        'preferred_locale',
        'premium_progress_bar_enabled',
        'public_updates_channel_id',
        'region',
        'rules_channel_id',
        'safety_alerts_channel_id',
        'splash',
        'system_channel_flags',
        'system_channel_id',
        'verification_level',
      ),
      ...of('MODIFY_GUILD_CHANNEL_POSITIONS', '[].lock_permissions'),
      ...of('MODIFY_GUILD_MEMBER', 'flags'),
    ],
  },
  {
    reason: 'Settings of an application that its developer makes once, in the developer portal.',
    fields: of('EDIT_CURRENT_APPLICATION', 'explicit_content_filter', 'max_participants', 'team_id', 'type'),
  },
  {
    reason:
      'Webhooks have a name and an avatar of their own; a response to an interaction has those of the application. It always returns the message.',
    fields: of('CREATE_FOLLOWUP_MESSAGE', 'username', 'avatar_url', 'wait'),
  },
  {
    reason: 'The schema of the description is that of all messages. The documents list what a message of a lobby has.',
    fields: of(
      'SEND_LOBBY_MESSAGE',
      'allowed_mentions',
      'attachments',
      'components',
      'embeds',
      'enforce_nonce',
      'message_reference',
      'nonce',
      'poll',
      'shared_client_theme',
      'sticker_ids',
      'tts',
    ),
  },
  {
    reason: 'Part of the schema of messages, which the documents do not offer for a change.',
    fields: ['EDIT_MESSAGE.sticker_ids'],
  },
  {
    reason: 'The platform sets it: an embed of an application is rich, and the platform measures its images.',
    fields: [
      '*.embeds[].type',
      '*.embeds[].provider',
      '*.embeds[].video',
      ...['image', 'thumbnail'].flatMap((image) =>
        ['width', 'height', 'placeholder', 'placeholder_version', 'is_animated'].map((field) => `*.embeds[].${image}.${field}`),
      ),
      '*.emoji.animated',
    ],
  },
  {
    reason: "Voice messages and clips, which the platform's clients record.",
    fields: ['duration_secs', 'waveform', 'title', 'is_remix'].map((field) => `*.attachments[].${field}`),
  },
  {
    reason: 'Only a select of a modal can be required, and it begins without a choice.',
    fields: [
      ...[
        'CREATE_MESSAGE',
        'EDIT_MESSAGE',
        'CREATE_FOLLOWUP_MESSAGE',
        'EDIT_FOLLOWUP_MESSAGE',
        'EDIT_ORIGINAL_INTERACTION_RESPONSE',
      ].flatMap((row) => of(row, 'components[].components[].required', 'components[].components[].components[].required')),
      ...of(
        'CREATE_INTERACTION_RESPONSE',
        'data.components[].components[].components[].required',
        'data.components[].component.default_values',
      ),
    ],
  },
  {
    reason: 'The documents say that the platform does not take it from applications yet.',
    fields: ['*.recurrence_rule.by_year_day', '*.recurrence_rule.count'],
  },
  {
    reason: 'A newer field does the same: delete_message_seconds.',
    fields: ['CREATE_GUILD_BAN.delete_message_days'],
  },
  {
    reason: 'The trigger of a rule cannot change.',
    fields: ['MODIFY_AUTO_MODERATION_RULE.trigger_type'],
  },
  {
    reason: 'Invites to an event, a channel or a message are made and read in the clients of the platform.',
    fields: of('GET_INVITE', 'guild_scheduled_event_id', 'target_channel_id', 'target_message_id'),
  },
]

export const OTHER_KINDS: readonly LeftOutFieldsRow[] = [
  {
    reason: 'Permissions exceed a JSON number; the documents and all responses have them as text.',
    fields: [
      '*.permission_overwrites[].allow',
      '*.permission_overwrites[].deny',
      ...of('EDIT_CHANNEL_PERMISSIONS', 'allow', 'deny'),
      ...of('CREATE_GUILD_ROLE', 'permissions'),
      ...of('MODIFY_GUILD_ROLE', 'permissions'),
    ],
  },
  {
    reason: 'An id exceeds a JSON number; the documents have it as text.',
    fields: ['LIST_GUILD_MEMBERS.after'],
  },
]
