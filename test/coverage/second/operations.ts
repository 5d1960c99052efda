/** Second dimension of section 4. */
import { edit, type Seconds } from './edit.ts'
import { METADATA_OF_OTHER_LOBBY } from './records.ts'
import { LOBBY_HISTORY_SCOPE } from './resources.ts'

const API = 'daemon/sandbox/src/api'
const HISTORY = 'protocol/src/responses/history.ts'
const REQUESTS = 'daemon/src/events/providers/gateway/requests.ts'
const INVITES = `${API}/invite-lifecycle.ts`

export const NOT_A_MEMBER = edit(
  'user',
  `${API}/lobby-lifecycle.ts`,
  '!lobby.members.some((member) => member.id === userId)',
  "userId === ''",
)
export const GUILDS_SCOPE = edit('scope', 'protocol/src/endpoints/users.ts', "requires: anyOf('guilds')", "requires: anyOf('identify')")
export const BLOCKED_EDIT = edit('argument', `${API}/channel-messages.ts`, 'checkModerated(changes.content,', 'checkModerated(undefined,')
export const SUM_OF_FILES = edit(
  'limit',
  `${API}/attachments.ts`,
  'files.some(({ bytes }) => bytes.length > most)',
  'files.reduce((sum, { bytes }) => sum + bytes.length, 0) > most',
)
export const CHANNEL_INFO_OF_OTHER = edit('guild', REQUESTS, "({ guildId }) => guildId === idOf(data['guild_id'])", '() => true')
export const UNREADABLE = edit('user', `${API}/message-content.ts`, 'isAbout(message, id) || ', '')
/** An invite that any user could use. */
const FOR_ANY_USER = edit('user', `${API}/lobby-channel.ts`, 'targetUserId: userId,', 'targetUserId: null,')
export const INDEX_READY = edit(
  'time',
  `${API}/message-search.ts`,
  'if (index.readyAt <= now) return',
  'if (store.searchIndexes.get(guild.id) !== undefined) return',
)

export const OPERATIONS: Seconds = {
  '4.1-1': [edit('scope', 'protocol/src/endpoints/users.ts', "requires: anyOf('connections')", "requires: anyOf('identify')")],
  '4.1-2': 'day',
  '4.1-3': [
    edit('time', 'protocol/src/responses/connections.ts', 'isInEffect(REMOVED_SINCE[provider], now)', 'isInEffect(REMOVED_SINCE.a, now)'),
  ],
  '4.1-5': [edit('scope', 'protocol/src/endpoints/guilds.ts', "requires: anyOf('guilds.channels.read')", "requires: anyOf('guilds')")],
  '4.1-6': [
    edit('field', 'protocol/src/responses/channels.ts', '((flags ?? 0) & CHANNEL_OBFUSCATED) !== 0', 'flags === CHANNEL_OBFUSCATED'),
  ],
  '4.1-7': 'day',
  '4.1-8': [edit('argument', `${API}/lobbies.ts`, 'lobby.secretHash === secretHash && ', '')],
  '4.1-9': [
    edit(
      'scope',
      'protocol/src/endpoints/lobbies.ts',
      "success: [201],\n  auth: 'user',\n  requires: anyOf('lobbies.write')",
      "success: [201],\n  auth: 'user',\n  requires: anyOf('identify')",
    ),
  ],
  '4.1-10': [edit('order', HISTORY, 'compareIds(other.id, one.id)', 'compareIds(one.id, other.id)')],
  '4.1-11': [LOBBY_HISTORY_SCOPE, NOT_A_MEMBER],
  '4.1-12': [edit('user', `${API}/lobbies.ts`, '!changes.every(known)', 'changes.length === 0')],
  '4.1-13': [edit('argument', `${API}/guilds.ts`, 'if (channel.type !== CHANNEL_TYPES.voice) throw', "if (channel.name === '') throw")],
  '4.1-14': [
    edit(
      'user',
      'protocol/src/endpoints/guilds.ts',
      "auth: 'bot',\n  requires: NO_SCOPE,\n  permissions: ['SET_VOICE_CHANNEL_STATUS']",
      "auth: 'user-or-bot',\n  requires: NO_SCOPE,\n  permissions: ['SET_VOICE_CHANNEL_STATUS']",
    ),
  ],
  '4.1-15': [
    edit(
      'user',
      `${API}/guilds.ts`,
      'channel.botsConnected : channel.connectedUsers',
      'channel.connectedUsers.length > 0 : channel.connectedUsers',
    ),
  ],
  '4.1-16': 'day',
  '4.1-17': 'value',
  '4.1-18': [edit('null', `${API}/users.ts`, '  banner: guild.banner,\n', "  banner: guild.banner ?? '',\n")],
  '4.1-19': [GUILDS_SCOPE],
  '4.1-20': [
    edit(
      'argument',
      'daemon/src/rpc/handlers/account-events.ts',
      "failure.error === 'INVALID_TOKEN'",
      "failure.error !== 'TRANSACTION_ABORTED'",
    ),
  ],

  '4.1-rules-1': [
    edit('user', `${API}/channel-messages.ts`, 'one.authorId === caller.applicationId && one.nonce', 'one.nonce'),
    edit('time', `${API}/channel-messages.ts`, ' && clock.now() - snowflakeTime(one.id) < NONCE_KEPT_MS', ''),
  ],
  '4.1-rules-2': [edit('null', `${API}/channel-messages.ts`, 'draft.enforce_nonce === true ?', 'draft.enforce_nonce !== false ?')],
  '4.1-rules-3': [edit('user', INVITES, '(keptFor?.userIds.includes(userId) ?? true)', 'true')],
  '4.1-rules-4': [edit('user', INVITES, 'new Set([...role.memberIds, userId])', 'new Set(role.memberIds)')],
  '4.1-rules-5': [edit('argument', 'daemon/src/platform/api/response.ts', 'if (first !== header) throw', "if (first === '') throw")],
  '4.1-rules-6': [edit('field', `${API}/invite-view.ts`, '  icon: null,\n', '')],
  '4.1-rules-7': [edit('time', `${API}/interaction-messages.ts`, 'changes.poll !== null && !isPromise)', 'changes.poll === undefined)')],
  '4.1-rules-8': [edit('guild', `${API}/interaction-messages.ts`, ' && !Object.hasOwn(owners, INTEGRATION_TYPES.guild)', '')],
  '4.1-rules-9': [edit('null', `${API}/members.ts`, 'imageHash(banner, before.banner)', 'imageHash(banner ?? undefined, before.banner)')],
  '4.1-rules-10': [
    edit(
      'argument',
      `${API}/members.ts`,
      "days, include_roles }, operation) => {\n  const guild = guildFor(operation, guild_id, 'KICK_MEMBERS', 'MANAGE_GUILD')",
      "days, include_roles }, operation) => {\n  const guild = guildFor(operation, guild_id, 'KICK_MEMBERS')",
    ),
  ],
  '4.1-rules-11': [edit('argument', `${API}/message-search.ts`, "mayIn(operation, channel, 'READ_MESSAGE_HISTORY')", "channel.id !== ''")],
  '4.1-rules-12': [edit('user', `${API}/message-search.ts`, "checkIntent(operation, 'MESSAGE_CONTENT')", 'void checkIntent')],
  '4.1-rules-13': [
    edit('user', `${API}/message-search.ts`, 'mentionedIds.some((id) => ids.includes(id))', 'mentionedIds.length === ids.length'),
  ],
  '4.1-rules-14': [edit('argument', `${API}/message-search.ts`, 'filename.endsWith(`.${end}`)', 'filename.includes(`${end}`)')],
  '4.1-rules-15': [edit('order', `${API}/message-search.ts`, "sort_order === 'asc' ? 1 : -1", "sort_order === 'asc' ? -1 : 1")],
  '4.1-rules-16': [INDEX_READY],
  '4.1-rules-17': [UNREADABLE],
  '4.1-rules-18': [FOR_ANY_USER],
  '4.1-rules-19': [
    FOR_ANY_USER,
    edit('user', `${API}/lobby-channel.ts`, '!lobby.members.some(({ id }) => id === user_id)', "user_id === ''"),
  ],
  '4.1-rules-20': [BLOCKED_EDIT],
  '4.1-rules-21': [SUM_OF_FILES],
  '4.1-rules-22': [edit('user', `${API}/access.ts`, 'applicationId !== caller.applicationId', "applicationId === ''")],

  '4.2-1': [
    edit('time', `${API}/pins.ts`, 'pinnedAt < until', 'pinnedAt <= until'),
    edit('limit', `${API}/pins.ts`, 'pins.length > limit', 'pins.length >= limit'),
  ],
  '4.2-2': [edit('time', `${API}/pins.ts`, '  if (message.pinnedAt !== null) return null\n', '')],
  '4.2-3': 'elsewhere',
  '4.2-4': [edit('order', `${API}/pins.ts`, 'items.map(({ message }) => message)', 'items.toReversed().map(({ message }) => message)')],
  '4.2-5': [edit('user', `${API}/roles.ts`, 'Object.hasOwn(guild.members, member)', "member !== ''")],
  '4.2-6': [edit('guild', `${API}/roles.ts`, 'role === undefined || role.guildId !== guild.id', 'role === undefined')],
  '4.2-7': [
    edit(
      'user',
      `${API}/voice-states.ts`,
      'userId === applicationId ? channel.botsConnected : ',
      'userId === applicationId ? channel.connectedUsers.length > 0 : ',
    ),
  ],
  '4.2-8': [edit('user', `${API}/voice-states.ts`, 'channel.connectedUsers.includes(userId)', 'channel.connectedUsers.length > 0')],
  '4.2-9': [
    edit(
      'user',
      `${API}/user-moderation.ts`,
      'message === undefined || message.applicationId !== caller.applicationId',
      'message === undefined',
    ),
  ],
  '4.2-10': [METADATA_OF_OTHER_LOBBY],
  '4.2-11': [edit('argument', `${API}/subscriptions.ts`, 'one.skuId === skuId && ', '')],
  '4.2-12': [edit('user', `${API}/emojis.ts`, 'emoji.applicationId !== application_id', "application_id === ''")],
  '4.2-13': [edit('guild', `${API}/soundboard.ts`, 'sound.guildId !== guild.id', "guild.id === ''")],
  '4.2-14': [edit('guild', `${API}/soundboard.ts`, "source.id === guild.id ? 'here' : 'elsewhere'", "'here'")],
  '4.2-15': [
    edit('argument', REQUESTS, '      ...(presences === undefined ? {} : { presences }),\n', ''),
    edit('argument', REQUESTS, '      ...(userIds === undefined ? {} : { user_ids: userIds }),\n', ''),
  ],
  '4.2-16': [CHANNEL_INFO_OF_OTHER],

  '4.3-1': 'field',
  '4.3-2': 'route',
  '4.3-3': 'route',
  '4.3-4': [
    edit(
      'scope',
      'daemon/src/rpc/handlers/authorize.ts',
      'communication: [...DEFAULT_COMMUNICATION_SCOPES]',
      'communication: [...DEFAULT_PRESENCE_SCOPES]',
    ),
  ],
  '4.3-5': [
    edit(
      'scope',
      'daemon/src/rpc/handlers/authorize.ts',
      'presence: [...DEFAULT_PRESENCE_SCOPES]',
      'presence: [...DEFAULT_COMMUNICATION_SCOPES]',
    ),
  ],
  '4.3-6': 'value',
  '4.3-7': [
    edit(
      'field',
      'daemon/src/rpc/handlers/account-tokens.ts',
      '{ ...signedIn, account_state: await accounts.stateOf(session.account(signedIn.user.id)) }',
      'signedIn',
    ),
  ],
  '4.3-8': [
    edit('field', 'daemon/src/rpc/handlers/account-tokens.ts', 'return { access_token, token_type, expires_in, scope }', 'return answer'),
  ],
  '4.3-9': 'route',
  '4.3-10': [edit('argument', 'daemon/sandbox/src/oauth/partner.ts', 'if (!known.linked) throw', "if (known.userId === '') throw")],
  '4.3-11': 'route',
  '4.3-12': 'route',
  '4.3-13': 'route',
  '4.3-14': 'elsewhere',
  '4.3-15': [edit('time', `${API}/lobby-lifecycle.ts`, 'index < surplus || snowflakeTime(id) < oldest', 'index < surplus')],
  '4.3-16': [NOT_A_MEMBER],
  '4.3-17': [
    edit(
      'limit',
      'daemon/src/events/messages/stored-history.ts',
      'fetched.isWhole || messages.length >= limit',
      'fetched.isWhole || messages.length > 0',
    ),
  ],
  '4.3-18': [edit('order', 'protocol/src/responses/channels.ts', 'rank(a) - rank(b) || ', '')],
  '4.3-19': [edit('field', `${API}/guilds.ts`, '  parent_id: channel.parentId,\n', '  parent_id: null,\n')],
  '4.3-20': [edit('limit', `${API}/users.ts`, ': guilds.slice(0, limit)', ': guilds')],
  '4.3-21': [
    edit(
      'user',
      `${API}/users.ts`,
      'store.externalIdentities.group(applicationUserKey(caller.applicationId, user_id))',
      'store.externalIdentities.all()',
    ),
  ],
  '4.3-22': 'elsewhere',
  '4.3-23': 'route',
  '4.3-24': 'field',
  '4.3-30': [edit('user', 'daemon/src/social/game-invites.ts', ' && session.signedIn?.userId === userId', '')],
}
