/** Second dimension of section 2.2. */
import { edit, type Seconds } from './edit.ts'

const API = 'daemon/sandbox/src/api'
const CHANNELS = 'protocol/src/responses/channels.ts'
const DISPATCHES = 'daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts'
const STORED_ACTIVITY = 'protocol/src/records/store-activity.ts'
const INTERACTIONS = 'daemon/sandbox/src/control/interactions.ts'

/** A game learns of a hidden channel by this field only. */
export const FLAGS_OF_NEW_CHANNEL = edit('field', DISPATCHES, "'guild_id', 'flags']", "'guild_id']")
export const PREMIUM_OF_NONE = edit('null', 'protocol/src/responses/premium.ts', 'user.premium_type === undefined || ', '')
export const METADATA_OF_OTHER_LOBBY = edit('argument', `${API}/lobby-backend.ts`, 'message.lobbyId !== lobby.id', "lobby.id === ''")
export const EMOJI_OF_ALL = edit('user', `${API}/emojis.ts`, 'store.emojis.group(application_id).length', 'store.emojis.all().length')

export const RECORDS: Seconds = {
  '2.2-1': [
    edit('null', 'protocol/src/records/channel.ts', 'application_id: Snowflake().nullish()', 'application_id: Snowflake().optional()'),
  ],
  '2.2-2': [edit('null', INTERACTIONS, '{ id: channelId, type: context', '{ id: channelId, application_id: null, type: context')],
  '2.2-3': [edit('field', CHANNELS, 'flags: (channel.flags ?? 0) | CHANNEL_OBFUSCATED', 'flags: CHANNEL_OBFUSCATED')],
  '2.2-4': 'elsewhere',
  '2.2-5': [edit('field', CHANNELS, 'topic: null,', 'topic: channel.topic ?? null,')],
  '2.2-6': [edit('guild', CHANNELS, '[{ id: guildId, type: 0', '[{ id: channel.id, type: 0')],
  '2.2-7': [edit('field', `${API}/guilds.ts`, '  flags: 0,\n', '  flags: 0,\n  status: channel.voiceStatus,\n')],
  '2.2-8': [
    edit('null', DISPATCHES, '{ status: null, ...d }', 'd'),
    edit('field', 'daemon/sandbox/src/gateway/requests/channels.ts', '{ voice_start_time: startSeconds(channel) }', '{}'),
  ],
  '2.2-9': [edit('null', `${API}/guilds.ts`, "status === '' ? null : status", 'status')],
  '2.2-10': [edit('argument', `${API}/current-application.ts`, '((flags ?? 0) & ~LIMITED_INTENT_FLAGS) === 0', 'flags !== 0')],
  '2.2-11': [edit('field', `${API}/application-view.ts`, '    flags_new: flags.toString(),\n', '')],
  '2.2-12': [edit('argument', `${API}/current-application.ts`, 'permissions: String(permissions ?? 0)', "permissions: '0'")],
  '2.2-13': [edit('scope', `${API}/current-application.ts`, 'usersOf(platform, id, COMMANDS)', 'usersOf(platform, id)')],
  '2.2-14': [
    edit('field', `${API}/roles.ts`, '  permissions_new: permissions,\n', ''),
    edit('field', `${API}/users.ts`, '  permissions_new: permissionsOf(platform, guild, caller),\n', ''),
  ],
  '2.2-15': [
    edit('field', `${API}/guilds.ts`, '    allow_new: allow,\n', ''),
    edit('field', `${API}/guilds.ts`, '    deny_new: deny,\n', ''),
  ],
  '2.2-16': [PREMIUM_OF_NONE],
  '2.2-17': [edit('null', `${API}/user-view.ts`, 'guildTag === null ? undefined : store', 'store')],
  '2.2-18': 'elsewhere',
  '2.2-19': [edit('field', `${API}/roles.ts`, '  color: colors[0],\n', '')],
  '2.2-20': [edit('field', `${API}/roles.ts`, 'secondary_color: colors[1] ?? null', 'secondary_color: null')],
  '2.2-21': [
    edit('guild', `${API}/role-changes.ts`, 'isGradient && !features.includes(GRADIENT_FEATURE)', 'isGradient && features === undefined'),
  ],
  '2.2-22': [edit('field', `${API}/invite-view.ts`, '  unicode_emoji: null,\n', '  unicode_emoji: null,\n  permissions: 0,\n')],
  '2.2-23': [
    edit('field', `${API}/members.ts`, '    banner,\n    avatar_decoration_data', '    banner: null,\n    avatar_decoration_data'),
  ],
  '2.2-24': [edit('field', `${API}/subscriptions.ts`, 'renewal_sku_ids: [...one.renewalSkuIds]', 'renewal_sku_ids: []')],
  '2.2-25': [edit('order', `${API}/subscription-lifecycle.ts`, 'status: ENDING, canceledAt', 'status: INACTIVE, canceledAt')],
  '2.2-26': [edit('time', `${API}/subscription-lifecycle.ts`, '    canceledAt: null,\n    periodStart', '    periodStart')],
  '2.2-27': [edit('field', `${API}/entitlements.ts`, 'one.endedAt === null ? null : isoTime(one.endedAt)', 'null')],
  '2.2-28': [edit('time', `${API}/entitlements.ts`, "hasBegun('entitlement-migration', clock.now())", 'clock.now() > 0')],
  '2.2-29': [
    edit('null', `${API}/attachments.ts`, 'isSpoiler === undefined || isSpoiler === null', 'isSpoiler === undefined'),
    edit('field', `${API}/attachments.ts`, '...(description === undefined ? {} : { description }),', ''),
  ],
  '2.2-30': [
    edit('field', `${API}/attachments.ts`, 'isSpoiler || filename.startsWith(SPOILER_PREFIX)', 'filename.startsWith(SPOILER_PREFIX)'),
  ],
  '2.2-31': [edit('argument', `${API}/attachments.ts`, 'filename.startsWith(SPOILER_PREFIX)', 'filename.includes(SPOILER_PREFIX)')],
  '2.2-32': 'value',
  '2.2-33': [edit('field', `${API}/channel-messages.ts`, 'channelId: source.id, guildId', 'channelId: channel.id, guildId')],
  '2.2-34': [edit('guild', `${API}/message-view.ts`, '  mention_roles: [],\n', "  mention_roles: [],\n  guild_id: '1',\n")],
  '2.2-35': [edit('field', `${API}/message-view.ts`, 'user: userView(platform, user), authorizing', 'authorizing')],
  '2.2-36': [
    edit('field', `${API}/message-view.ts`, 'return { id: interactionId, type,', 'return { id: interactionId, user_id: userId, type,'),
  ],
  '2.2-37': [edit('field', `${API}/channel-messages.ts`, '(before.flags & MESSAGE_FLAGS.IS_COMPONENTS_V2) | ', '')],
  '2.2-38': [
    edit(
      'guild',
      INTERACTIONS,
      'channel === undefined ? INTERACTION_CONTEXTS.botDm : INTERACTION_CONTEXTS.guild',
      'INTERACTION_CONTEXTS.guild',
    ),
  ],
  '2.2-39': [edit('guild', INTERACTIONS, "(channel?.guildId ?? '0')", "'0'")],
  '2.2-40': [
    edit(
      'guild',
      INTERACTIONS,
      "channel === undefined ? DIRECT_PERMISSIONS : (bits(channel) ?? '0')",
      "channel === undefined ? '0' : (bits(channel) ?? '0')",
    ),
  ],
  '2.2-41': [
    edit(
      'limit',
      'daemon/src/platform/api/open-upload.ts',
      '(limitArgument === undefined ? undefined : (args[limitArgument] as number | undefined)) ?? ',
      '',
    ),
    edit(
      'field',
      INTERACTIONS,
      '    attachment_size_limit: input.attachment_size_limit,\n',
      '    attachment_size_limit: LIMITS.attachmentBytes.value,\n',
    ),
  ],
  '2.2-42': [
    edit(
      'guild',
      INTERACTIONS,
      '...(bits === undefined ? {} : { app_permissions: bits.toString() })',
      'app_permissions: (bits ?? 0n).toString()',
    ),
  ],
  '2.2-43': [edit('argument', INTERACTIONS, 'Array.isArray(types) && !installed.some', "types === '' && !installed.some")],
  '2.2-44': [edit('argument', `${API}/application-commands.ts`, 'dm_permission === false ? [0] : null', 'null')],
  '2.2-45': 'value',
  '2.2-46': [
    edit('null', `${API}/application-commands.ts`, 'handler: rest.handler ?? 1', 'handler: rest.handler'),
    edit(
      'argument',
      'protocol/src/records/command-rules.ts',
      'type !== COMMAND_TYPES.primaryEntryPoint && isGiven',
      'type === 0 && isGiven',
    ),
  ],
  '2.2-47': [
    edit('field', 'daemon/src/presence/channels/headless-activity.ts', '    state_url,\n', ''),
    edit('field', STORED_ACTIVITY, '  if (isGiven(input.details_url)) visible.details_url = input.details_url\n', ''),
  ],
  '2.2-48': [
    edit('field', 'daemon/src/presence/channels/headless-activity.ts', '    assets,\n', ''),
    edit('field', STORED_ACTIVITY, '  if (isGiven(given.small_url)) kept.small_url = given.small_url\n', ''),
  ],
  '2.2-49': [
    edit(
      'argument',
      STORED_ACTIVITY,
      'isGiven(given.invite_cover_image) ? given.invite_cover_image : given.inviteCoverImage',
      'given.invite_cover_image',
    ),
  ],
  '2.2-50': [
    edit(
      'order',
      'daemon/src/social/join-events.ts',
      'own !== undefined || applicationCover === undefined',
      'applicationCover === undefined',
    ),
  ],
  '2.2-51': [edit('order', 'daemon/src/social/join-events.ts', 'shown.name ?? applicationName', 'applicationName ?? shown.name')],
  '2.2-52': 'value',
  '2.2-53': [
    edit(
      'user',
      'daemon/src/social/join-events.ts',
      '  application_id: invite.applicationId,\n',
      '  application_id: invite.parentApplicationId,\n',
    ),
  ],
  '2.2-54': [edit('field', `${API}/lobby-messages.ts`, '    application_id: message.applicationId,\n', '')],
  '2.2-55': [edit('user', `${API}/lobby-messages.ts`, '({ id }) => id === message.authorId', '({ additionalName: name }) => name != null')],
  '2.2-56': [
    edit(
      'null',
      `${API}/lobby-view.ts`,
      'change.additional_name === undefined ? (before?.additionalName ?? null) : change.additional_name',
      'change.additional_name ?? before?.additionalName ?? null',
    ),
  ],
  '2.2-57': [METADATA_OF_OTHER_LOBBY],
  '2.2-58': [EMOJI_OF_ALL],
  '2.2-59': [edit('argument', `${API}/auto-moderation.ts`, "        rule.body['event_type'] === event &&\n", '')],
  '2.2-60': [
    edit(
      'time',
      `${API}/auto-moderation.ts`,
      '...restrict(actor, guild, { isBlocked }),',
      '...(isBlocked ? restrict(actor, guild, { isBlocked }) : []),',
    ),
  ],
  '2.2-61': [
    edit(
      'argument',
      'protocol/src/records/button-rules.ts',
      "excludes: ['custom_id', 'label', 'url', 'emoji']",
      "excludes: ['custom_id', 'url', 'emoji']",
    ),
  ],
  '2.2-62': [edit('argument', `${API}/premium-buttons.ts`, '(flags & AVAILABLE) === 0 ? [] : [id]', 'flags < 0 ? [] : [id]')],
}
