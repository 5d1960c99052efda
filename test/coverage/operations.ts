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
      implemented(
        'GET /users/@me/connections lists the connections of the user.',
        'endpoint:GET_CURRENT_USER_CONNECTIONS',
        'conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it',
      ),
      implemented(
        'Connections of provider A are not listed from 10 July 2026 on.',
        'protocol/src/responses/connections.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/responses.test.ts > connections of removed providers on %s | unit/sandbox/api/operations.test.ts > lists the first dropped provider until 10 July 2026',
      ),
      implemented(
        'Connections of provider B are not listed from 22 September 2026 on.',
        'protocol/src/responses/connections.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/responses.test.ts > connections of removed providers on %s | unit/sandbox/api/operations.test.ts > lists the second dropped provider until 22 September 2026',
      ),
      unsupported(
        'Before those days, new connections with the two providers are not listed either.',
        'A connection has no creation time; only the platform knows it, and omits them.',
        'The list as the platform sends it; from those days, connections of the two providers are omitted.',
      ),
      implemented(
        'GET /guilds/{guild.id}/channels lists channels.',
        'endpoint:GET_GUILD_CHANNELS',
        'conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it',
      ),
      implemented(
        'From 16 November 2026 it omits channels that the caller cannot view.',
        'protocol/src/responses/channels.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/responses.test.ts > channels on %s | unit/sandbox/api/operations.test.ts > showed the hidden one to all members before 16 November 2026',
      ),
      implemented(
        'An earlier opt-in does not exist.',
        'protocol/src/responses/channels.ts',
        'unit/protocol/responses.test.ts > that are hidden are omitted from 16 November 2026, not before',
      ),
      implemented(
        'PUT /lobbies creates a lobby of the application, or joins the lobby with the same secret, in one call.',
        'endpoint:CREATE_OR_JOIN_LOBBY',
        'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row | unit/sandbox/api/lobbies.test.ts > the same secret leads to the same lobby, with both as members',
      ),
      implemented(
        'POST /lobbies/{lobby.id}/messages sends a message as the signed-in member.',
        'endpoint:SEND_LOBBY_MESSAGE',
        'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row | unit/sandbox/api/lobbies.test.ts > are answered as stored, and read newest first',
      ),
      implemented(
        'GET /lobbies/{lobby.id}/messages returns up to 200 recent messages.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/responses/history.ts',
        'unit/protocol/endpoints.test.ts > limit lobby messages | unit/protocol/responses.test.ts > contain at most the newest 200 | unit/sandbox/api/lobbies.test.ts > are given fifty at a time unless asked for up to two hundred, which is all that is kept',
      ),
      implemented(
        'Only a member of the lobby can read them.',
        'endpoint:GET_LOBBY_MESSAGES',
        'unit/sandbox/api/lobbies.test.ts > are for members only',
      ),
      implemented(
        'POST /lobbies/{lobby.id}/members/bulk adds, edits or removes up to 25 members.',
        'endpoint:BULK_UPDATE_LOBBY_MEMBERS',
        'unit/protocol/endpoints.test.ts > limit the members of a bulk request | unit/sandbox/api/lobbies.test.ts > adds, changes and removes, and answers those added or changed | conformance/vectors/forwarding.json > a list of lobby members',
      ),
      implemented(
        'PUT /channels/{channel.id}/voice-status sets a status of at most 500 characters.',
        'endpoint:SET_VOICE_CHANNEL_STATUS',
        'unit/protocol/endpoints.test.ts > limit the status of a voice channel, which null clears | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row | unit/sandbox/api/operations.test.ts > can be set and cleared',
      ),
      implemented(
        'It needs SET_VOICE_CHANNEL_STATUS (1 << 48).',
        'endpoint:SET_VOICE_CHANNEL_STATUS | protocol/src/permissions.ts',
        'unit/protocol/endpoints.test.ts > setting a voice channel status needs a bot with SET_VOICE_CHANNEL_STATUS | unit/protocol/permissions.test.ts > %s is 1 << %i',
      ),
      implemented(
        'A bot that is not in the channel also needs MANAGE_CHANNELS.',
        'endpoint:SET_VOICE_CHANNEL_STATUS | daemon/sandbox/src/api/guilds.ts',
        'unit/sandbox/api/operations.test.ts > needs MANAGE_CHANNELS where the bot is not connected',
      ),
      implemented(
        'POST /guilds cannot be used by applications since 15 July 2025.',
        'endpoint:CREATE_GUILD',
        'unit/daemon/rpc/handlers/forward.test.ts > an unavailable command is rejected for every session without a request, with the reason | conformance/endpoints.test.ts > $name is refused with the reason for which no application can use it',
      ),
      implemented(
        'Guilds owned by bots were transferred to users.',
        'protocol/src/versions.ts | daemon/sandbox/src/seed/world.ts',
        'unit/sandbox/pure.test.ts > has sound references and ids',
      ),
      implemented(
        'GET /users/@me/guilds carries the banner of each guild.',
        'endpoint:GET_CURRENT_USER_GUILDS | protocol/src/records/guild.ts',
        'unit/sandbox/api/operations.test.ts > come by ascending id, with banner, and counts on request | unit/protocol/records.test.ts > UserGuild knows banner',
      ),
      implemented(
        'It needs the scope guilds.',
        'endpoint:GET_CURRENT_USER_GUILDS',
        'unit/protocol/endpoints.test.ts > require the scopes of the token, or a sign-in; unavailable rows require nothing, so every caller gets the reason | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'A refresh at POST /oauth2/token after the token was deleted fails with invalid_grant and ends the authorization like the webhook.',
        'endpoint:REQUEST_TOKEN | command:REFRESH_TOKEN | daemon/src/auth/accounts/machine.ts',
        'unit/daemon/auth/accounts/machine.test.ts > %s has the same result: try provisional, then OAuth 2 | unit/daemon/rpc/handlers/account-events.test.ts > ends the account when its access token is invalid too | e2e/bans.test.ts > the user removes the game: the next refresh ends the sign-in',
      ),
    ],
  },
  OPERATION_RULES,
  {
    number: '4.2',
    title: 'Operations without method or path',
    statements: [
      implemented(
        'Get Channel Pins comes in pages.',
        'endpoint:GET_CHANNEL_PINS',
        'unit/sandbox/api/messages.test.ts > come the latest first, a page at a time | conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it',
      ),
      implemented(
        'Pin Message has a new route.',
        'endpoint:PIN_MESSAGE',
        'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'Unpin Message has a new route.',
        'endpoint:UNPIN_MESSAGE',
        'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'The earlier routes of pins are deprecated, and still work.',
        'endpoint:GET_PINNED_MESSAGES | endpoint:PIN_MESSAGE_DEPRECATED | endpoint:UNPIN_MESSAGE_DEPRECATED',
        'unit/protocol/files.test.ts > are the earlier routes of pins | unit/sandbox/api/channel-history.test.ts > do the same',
      ),
      implemented(
        'Get Guild Role Member Counts.',
        'endpoint:GET_GUILD_ROLE_MEMBER_COUNTS',
        'unit/sandbox/api/members.test.ts > shown one by one with their gradients | conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it',
      ),
      implemented(
        'Get Guild Role returns a role by id.',
        'endpoint:GET_GUILD_ROLE',
        'unit/sandbox/api/members.test.ts > shown one by one with their gradients | conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it',
      ),
      implemented(
        'Get Current User Voice State.',
        'endpoint:GET_CURRENT_USER_VOICE_STATE',
        "unit/sandbox/api/members.test.ts > show the bot's channel | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row",
      ),
      implemented(
        'Get User Voice State.',
        'endpoint:GET_USER_VOICE_STATE',
        "unit/sandbox/api/members.test.ts > show a user's channel | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row",
      ),
      implemented(
        'A backend sets the moderation metadata of direct messages of a game.',
        'endpoint:UPDATE_USER_MESSAGE_MODERATION_METADATA',
        'unit/sandbox/api/moderation.test.ts > is set by the backend, in either order of the users, and cleared by an edit | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'A backend sets the moderation metadata of lobby messages.',
        'endpoint:UPDATE_LOBBY_MESSAGE_MODERATION_METADATA',
        'unit/sandbox/api/lobby-backend.test.ts > replaces the metadata that readers of a message see | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'The Subscription API lists subscriptions of a SKU, and returns one.',
        'endpoint:LIST_SKU_SUBSCRIPTIONS | endpoint:GET_SKU_SUBSCRIPTION',
        'unit/sandbox/api/monetization.test.ts > go on, will end, or ended | unit/sandbox/api/monetization.test.ts > are asked for one user by a bot; a user sees only their own | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'Application emoji are listed, read, created, renamed and deleted.',
        'endpoint:LIST_APPLICATION_EMOJIS | endpoint:GET_APPLICATION_EMOJI | endpoint:CREATE_APPLICATION_EMOJI | endpoint:MODIFY_APPLICATION_EMOJI | endpoint:DELETE_APPLICATION_EMOJI',
        'unit/sandbox/api/expressions.test.ts > are added, listed, renamed and deleted',
      ),
      implemented(
        'Soundboard: sounds of a guild are listed, read, created, edited and deleted.',
        'endpoint:LIST_GUILD_SOUNDBOARD_SOUNDS | endpoint:GET_GUILD_SOUNDBOARD_SOUND | endpoint:CREATE_GUILD_SOUNDBOARD_SOUND | endpoint:MODIFY_GUILD_SOUNDBOARD_SOUND | endpoint:DELETE_GUILD_SOUNDBOARD_SOUND',
        'unit/sandbox/api/expressions.test.ts > are added, listed, changed and deleted',
      ),
      implemented(
        'Soundboard: sounds are sent, including default sounds.',
        'endpoint:SEND_SOUNDBOARD_SOUND | endpoint:LIST_DEFAULT_SOUNDBOARD_SOUNDS',
        'unit/sandbox/api/expressions.test.ts > works where the bot is connected, with a default sound or one of the guild',
      ),
      implemented(
        'Request Guild Members uses the gateway.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > come in chunks, which form one response, despite repeated and foreign chunks | e2e/gateway.test.ts > the bot requests members, as often as the platform allows',
      ),
      implemented(
        'Request Channel Info uses the gateway, with opcode 43.',
        'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > channel info is requested and received, the earliest request first | e2e/gateway.test.ts > the bot requests members, as often as the platform allows',
      ),
    ],
  },
  SDK_FUNCTIONS,
]
