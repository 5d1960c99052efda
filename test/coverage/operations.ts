/** Coverage of sections 3 and 4: states, operations and the functions of the client SDK. */
import { OPERATION_RULES } from './operation-rules.ts'
import { SDK_FUNCTIONS } from './sdk-functions.ts'
import { STATES } from './states.ts'
import { unsupported, implemented, type Section } from './statement.ts'

export const OPERATIONS: readonly Section[] = [
  STATES,
  {
    number: '4.1',
    title: 'Operations with method and path',
    statements: [
      implemented('4.1-1', 'GET /users/@me/connections lists the connections of the user.', 'ENDPOINTS.GET_CURRENT_USER_CONNECTIONS.path'),
      implemented(
        '4.1-2',
        'Connections of provider A are not listed from 10 July 2026 on.',
        'VERSIONS[provider-a-connections-removed] | REMOVED_CONNECTIONS.a | protocol/src/responses/connections.ts | protocol/src/versions.ts',
      ),
      implemented(
        '4.1-3',
        'Connections of provider B are not listed from 22 September 2026 on.',
        'VERSIONS[provider-b-connections-removed] | protocol/src/responses/connections.ts#REMOVED_SINCE.b | protocol/src/versions.ts',
      ),
      unsupported(
        '4.1-4',
        'Before those days, new connections with the two providers are not listed either.',
        'A connection has no creation time. Only the platform knows it, and omits the new ones.',
        'The list as the platform sends it. Since 22 September 2026 the bridge omits every connection of both.',
      ),
      implemented('4.1-5', 'GET /guilds/{guild.id}/channels lists channels.', 'ENDPOINTS.GET_GUILD_CHANNELS.path'),
      implemented(
        '4.1-6',
        'From 16 November 2026 it omits channels that the caller cannot view.',
        'VERSIONS[hidden-channels-omitted] | protocol/src/responses/channels.ts | protocol/src/versions.ts',
      ),
      implemented('4.1-7', 'An earlier opt-in does not exist.', 'VERSIONS[hidden-channels-omitted] | protocol/src/responses/channels.ts'),
      implemented(
        '4.1-8',
        'PUT /lobbies creates a lobby of the application, or joins the lobby with the same secret, in one call.',
        'ENDPOINTS.CREATE_OR_JOIN_LOBBY.path',
      ),
      implemented(
        '4.1-9',
        'POST /lobbies/{lobby.id}/messages sends a message as the signed-in member.',
        'ENDPOINTS.SEND_LOBBY_MESSAGE.path',
      ),
      implemented(
        '4.1-10',
        'GET /lobbies/{lobby.id}/messages returns up to 200 recent messages.',
        'LIMITS.lobbyMessages | protocol/src/responses/history.ts',
      ),
      implemented('4.1-11', 'Only a member of the lobby can read them.', 'ENDPOINTS.GET_LOBBY_MESSAGES.path'),
      implemented('4.1-12', 'POST /lobbies/{lobby.id}/members/bulk adds, edits or removes up to 25 members.', 'LIMITS.lobbyBulkMembers'),
      implemented(
        '4.1-13',
        'PUT /channels/{channel.id}/voice-status sets a status of at most 500 characters.',
        'LIMITS.voiceChannelStatus | ENDPOINTS.SET_VOICE_CHANNEL_STATUS.path',
      ),
      implemented(
        '4.1-14',
        'It needs SET_VOICE_CHANNEL_STATUS (1 << 48).',
        'ENDPOINTS.SET_VOICE_CHANNEL_STATUS.permissions | PERMISSIONS.SET_VOICE_CHANNEL_STATUS | protocol/src/permissions.ts',
      ),
      implemented(
        '4.1-15',
        'A bot that is not in the channel also needs MANAGE_CHANNELS.',
        'PERMISSIONS.MANAGE_CHANNELS | daemon/sandbox/src/api/guilds.ts',
      ),
      implemented('4.1-16', 'POST /guilds cannot be used by applications since 15 July 2025.', 'ENDPOINTS.CREATE_GUILD.unavailable.since'),
      implemented(
        '4.1-17',
        'Guilds owned by bots were transferred to users.',
        'daemon/sandbox/src/seed/world.ts#WORLD.guilds[Harbour].owner | protocol/src/versions.ts',
      ),
      implemented('4.1-18', 'GET /users/@me/guilds carries the banner of each guild.', 'UserGuild.banner | protocol/src/records/guild.ts'),
      implemented('4.1-19', 'It needs the scope guilds.', 'ENDPOINTS.GET_CURRENT_USER_GUILDS.requires'),
      implemented(
        '4.1-20',
        'A refresh at POST /oauth2/token after the token was deleted fails with invalid_grant and ends the authorization like the webhook.',
        'daemon/src/auth/accounts/machine.ts#LINKED.refresh_refused.to | daemon/src/auth/accounts/machine.ts',
      ),
    ],
  },
  OPERATION_RULES,
  {
    number: '4.2',
    title: 'Operations without method or path',
    statements: [
      implemented('4.2-1', 'Get Channel Pins comes in pages.', 'ENDPOINTS.GET_CHANNEL_PINS.path'),
      implemented('4.2-2', 'Pin Message has a new route.', 'ENDPOINTS.PIN_MESSAGE.path'),
      implemented('4.2-3', 'Unpin Message has a new route.', 'ENDPOINTS.UNPIN_MESSAGE.path'),
      implemented(
        '4.2-4',
        'The earlier routes of pins are deprecated, and still work.',
        'ENDPOINTS.GET_PINNED_MESSAGES.path | ENDPOINTS.PIN_MESSAGE_DEPRECATED.path | ENDPOINTS.UNPIN_MESSAGE_DEPRECATED.path',
      ),
      implemented('4.2-5', 'Get Guild Role Member Counts.', 'ENDPOINTS.GET_GUILD_ROLE_MEMBER_COUNTS.path'),
      implemented('4.2-6', 'Get Guild Role returns a role by id.', 'ENDPOINTS.GET_GUILD_ROLE.path'),
      implemented('4.2-7', 'Get Current User Voice State.', 'ENDPOINTS.GET_CURRENT_USER_VOICE_STATE.path'),
      implemented('4.2-8', 'Get User Voice State.', 'ENDPOINTS.GET_USER_VOICE_STATE.path'),
      implemented(
        '4.2-9',
        'A backend sets the moderation metadata of direct messages of a game.',
        'ENDPOINTS.UPDATE_USER_MESSAGE_MODERATION_METADATA.path',
      ),
      implemented(
        '4.2-10',
        'A backend sets the moderation metadata of lobby messages.',
        'ENDPOINTS.UPDATE_LOBBY_MESSAGE_MODERATION_METADATA.path',
      ),
      implemented(
        '4.2-11',
        'The Subscription API lists subscriptions of a SKU, and returns one.',
        'ENDPOINTS.LIST_SKU_SUBSCRIPTIONS.path | ENDPOINTS.GET_SKU_SUBSCRIPTION.path',
      ),
      implemented(
        '4.2-12',
        'Application emoji are listed, read, created, renamed and deleted.',
        'ENDPOINTS.LIST_APPLICATION_EMOJIS.path | ENDPOINTS.GET_APPLICATION_EMOJI.path | ENDPOINTS.CREATE_APPLICATION_EMOJI.path | ENDPOINTS.MODIFY_APPLICATION_EMOJI.path | ENDPOINTS.DELETE_APPLICATION_EMOJI.path',
      ),
      implemented(
        '4.2-13',
        'Soundboard: sounds of a guild are listed, read, created, edited and deleted.',
        'ENDPOINTS.LIST_GUILD_SOUNDBOARD_SOUNDS.path | ENDPOINTS.GET_GUILD_SOUNDBOARD_SOUND.path | ENDPOINTS.CREATE_GUILD_SOUNDBOARD_SOUND.path | ENDPOINTS.MODIFY_GUILD_SOUNDBOARD_SOUND.path | ENDPOINTS.DELETE_GUILD_SOUNDBOARD_SOUND.path',
      ),
      implemented(
        '4.2-14',
        'Soundboard: sounds are sent, including default sounds.',
        'ENDPOINTS.SEND_SOUNDBOARD_SOUND.path | ENDPOINTS.LIST_DEFAULT_SOUNDBOARD_SOUNDS.path',
      ),
      implemented(
        '4.2-15',
        'Request Guild Members uses the gateway.',
        'GATEWAY_OPCODES.REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts',
      ),
      implemented(
        '4.2-16',
        'Request Channel Info uses the gateway, with opcode 43.',
        'GATEWAY_OPCODES.REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
      ),
    ],
  },
  SDK_FUNCTIONS,
]
