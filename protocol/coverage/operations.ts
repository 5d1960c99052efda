/** Coverage of sections 3 and 4: states, operations and the functions of the client SDK. */
import { OPERATION_RULES } from './operation-rules.ts'
import { SDK_FUNCTIONS } from './sdk-functions.ts'
import { STATES } from './states.ts'
import { beyond, held, type Section } from './statement.ts'

export const OPERATIONS: readonly Section[] = [
  STATES,
  {
    number: '4.1',
    title: 'Operations with method and path',
    statements: [
      held(
        'GET /users/@me/connections lists the connections of the user.',
        'endpoint:GET_CURRENT_USER_CONNECTIONS',
        'conformance/vectors/api.json > GET_CURRENT_USER_CONNECTIONS | unit/protocol/endpoints.test.ts > have the documented methods and paths',
      ),
      held(
        'Connections of provider A are not listed from 10 July 2026 on.',
        'protocol/src/answers/connections.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/answers.test.ts > connections of removed providers on %s | unit/sandbox/api/operations.test.ts > lists the first dropped provider until 10 July 2026',
      ),
      held(
        'Connections of provider B are not listed from 22 September 2026 on.',
        'protocol/src/answers/connections.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/answers.test.ts > connections of removed providers on %s | unit/sandbox/api/operations.test.ts > lists the second dropped provider until 22 September 2026',
      ),
      beyond(
        'Before those days, connections that are newly made with the two providers are not listed either.',
        'A connection does not say when it was made; the platform alone knows, and leaves them out.',
        'The list as the platform sends it; from the days on nothing of the two providers is let through.',
      ),
      held(
        'GET /guilds/{guild.id}/channels lists channels.',
        'endpoint:GET_GUILD_CHANNELS',
        'conformance/vectors/api.json > GET_GUILD_CHANNELS | unit/protocol/endpoints.test.ts > have the documented methods and paths',
      ),
      held(
        'From 16 November 2026 it leaves out channels that the caller may not view.',
        'protocol/src/answers/channels.ts | protocol/src/versions.ts',
        'unit/daemon/rpc/handlers/answers.test.ts > channels on %s | unit/sandbox/api/operations.test.ts > showed the hidden one to everybody before 16 November 2026',
      ),
      held(
        'Nobody can have them left out earlier.',
        'protocol/src/answers/channels.ts',
        'unit/protocol/answers.test.ts > that are hidden are left out from 16 November 2026 on, not before',
      ),
      held(
        'PUT /lobbies makes a lobby of the application, or joins the one with the same secret, in one call.',
        'endpoint:CREATE_OR_JOIN_LOBBY',
        'conformance/vectors/api.json > CREATE_OR_JOIN_LOBBY | unit/sandbox/api/lobbies.test.ts > the same secret leads to the same lobby, with both as members',
      ),
      held(
        'POST /lobbies/{lobby.id}/messages writes for a member who is signed in.',
        'endpoint:SEND_LOBBY_MESSAGE',
        'conformance/vectors/api.json > SEND_LOBBY_MESSAGE | unit/sandbox/api/lobbies.test.ts > are answered as stored, and read newest first',
      ),
      held(
        'GET /lobbies/{lobby.id}/messages gives up to 200 recent messages.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/answers/history.ts',
        'unit/protocol/endpoints.test.ts > bound lobby messages | unit/protocol/answers.test.ts > hold 200 at most, the newest of all | unit/sandbox/api/lobbies.test.ts > are given fifty at a time unless asked for up to two hundred, which is all that is kept',
      ),
      held(
        'Only a member of the lobby may read them.',
        'endpoint:GET_LOBBY_MESSAGES',
        'unit/sandbox/api/lobbies.test.ts > are for members only',
      ),
      held(
        'POST /lobbies/{lobby.id}/members/bulk adds, changes or removes up to 25 members.',
        'endpoint:BULK_UPDATE_LOBBY_MEMBERS',
        'unit/protocol/endpoints.test.ts > bound the members of a bulk request | unit/sandbox/api/lobbies.test.ts > adds, changes and removes, and answers those added or changed | conformance/vectors/api.json > BULK_UPDATE_LOBBY_MEMBERS',
      ),
      held(
        'PUT /channels/{channel.id}/voice-status sets a status of at most 500 characters.',
        'endpoint:SET_VOICE_CHANNEL_STATUS',
        'unit/protocol/endpoints.test.ts > bound the status of a voice channel, which null clears | conformance/vectors/api.json > SET_VOICE_CHANNEL_STATUS | unit/sandbox/api/operations.test.ts > can be set and cleared',
      ),
      held(
        'It needs SET_VOICE_CHANNEL_STATUS (1 << 48).',
        'endpoint:SET_VOICE_CHANNEL_STATUS | protocol/src/permissions.ts',
        'unit/protocol/endpoints.test.ts > answer what the platform documents | unit/protocol/permissions.test.ts > %s is 1 << %i',
      ),
      held(
        'A bot that is not in the channel also needs MANAGE_CHANNELS.',
        'endpoint:SET_VOICE_CHANNEL_STATUS | daemon/sandbox/src/api/guilds.ts',
        'unit/sandbox/api/operations.test.ts > needs MANAGE_CHANNELS where the bot is not connected',
      ),
      held(
        'POST /guilds cannot be used by applications since 15 July 2025.',
        'endpoint:CREATE_GUILD',
        'unit/daemon/rpc/handlers/forward.test.ts > what no application can do any more is refused without a request, to everybody and with the reason | conformance/vectors/api.json > CREATE_GUILD',
      ),
      held(
        'Guilds that bots owned belong to users since then.',
        'protocol/src/versions.ts | daemon/sandbox/src/seed/world.ts',
        'unit/sandbox/pure.test.ts > has sound references and ids',
      ),
      held(
        'GET /users/@me/guilds carries the banner of each guild.',
        'endpoint:GET_CURRENT_USER_GUILDS | protocol/src/records/guild.ts',
        'unit/sandbox/api/operations.test.ts > come by ascending id, with banner, and counts on request | unit/protocol/records.test.ts > UserGuild knows banner',
      ),
      held(
        'It needs the scope guilds.',
        'endpoint:GET_CURRENT_USER_GUILDS',
        'unit/protocol/endpoints.test.ts > ask the scopes of the token, or being signed in; what is unavailable asks nothing, so that all are told why | conformance/vectors/api.json > GET_CURRENT_USER_GUILDS',
      ),
      held(
        'A refresh at POST /oauth2/token after the token was deleted is answered invalid_grant, and is the end of the authorization as the webhook would be.',
        'endpoint:REQUEST_TOKEN | command:REFRESH_TOKEN | daemon/src/auth/accounts/machine.ts',
        'unit/daemon/auth/accounts/machine.test.ts > %s is the same end: try provisional, then OAuth 2 | unit/daemon/rpc/handlers/account-events.test.ts > is the end of the account when its access token is dead too | e2e/bans.test.ts > the user removes the game: the next refresh ends the sign-in',
      ),
    ],
  },
  OPERATION_RULES,
  {
    number: '4.2',
    title: 'Operations without method or path',
    statements: [
      held(
        'Get Channel Pins comes in pages.',
        'endpoint:GET_CHANNEL_PINS',
        'unit/sandbox/api/messages.test.ts > come the latest first, a page at a time | conformance/vectors/messages.json > GET_CHANNEL_PINS',
      ),
      held(
        'Pin Message has a new route.',
        'endpoint:PIN_MESSAGE',
        'unit/protocol/endpoints.test.ts > have the documented methods and paths | conformance/vectors/messages.json > PIN_MESSAGE',
      ),
      held(
        'Unpin Message has a new route.',
        'endpoint:UNPIN_MESSAGE',
        'unit/protocol/endpoints.test.ts > have the documented methods and paths | conformance/vectors/messages.json > UNPIN_MESSAGE',
      ),
      held(
        'The earlier routes of pins are deprecated, and still work.',
        'endpoint:GET_PINNED_MESSAGES | endpoint:PIN_MESSAGE_DEPRECATED | endpoint:UNPIN_MESSAGE_DEPRECATED',
        'unit/protocol/files.test.ts > the earlier routes of pins are the deprecated ones | unit/sandbox/api/channel-history.test.ts > do the same',
      ),
      held(
        'Get Guild Role Member Counts.',
        'endpoint:GET_GUILD_ROLE_MEMBER_COUNTS',
        'unit/sandbox/api/members.test.ts > shown one by one with their gradients | conformance/vectors/guild-members.json > GET_GUILD_ROLE_MEMBER_COUNTS',
      ),
      held(
        'Get Guild Role gives one role by its id.',
        'endpoint:GET_GUILD_ROLE',
        'unit/sandbox/api/members.test.ts > shown one by one with their gradients | conformance/vectors/guild-members.json > "GET_GUILD_ROLE"',
      ),
      held(
        'Get Current User Voice State.',
        'endpoint:GET_CURRENT_USER_VOICE_STATE',
        'unit/sandbox/api/members.test.ts > tell where the bot is | conformance/vectors/guild-members.json > GET_CURRENT_USER_VOICE_STATE',
      ),
      held(
        'Get User Voice State.',
        'endpoint:GET_USER_VOICE_STATE',
        'unit/sandbox/api/members.test.ts > tell where a user is | conformance/vectors/guild-members.json > GET_USER_VOICE_STATE',
      ),
      held(
        'A backend sets the moderation metadata of direct messages of a game.',
        'endpoint:UPDATE_USER_MESSAGE_MODERATION_METADATA',
        'unit/sandbox/api/moderation.test.ts > is set by the backend, in either order of the users, and cleared by an edit | conformance/vectors/moderation.json > UPDATE_USER_MESSAGE_MODERATION_METADATA',
      ),
      held(
        'A backend sets the moderation metadata of lobby messages.',
        'endpoint:UPDATE_LOBBY_MESSAGE_MODERATION_METADATA',
        'unit/sandbox/api/lobby-backend.test.ts > says something about a message that readers see, in place of what it said before | conformance/vectors/lobbies.json > UPDATE_LOBBY_MESSAGE_MODERATION_METADATA',
      ),
      held(
        'The Subscription API lists subscriptions of a SKU, and gives one.',
        'endpoint:LIST_SKU_SUBSCRIPTIONS | endpoint:GET_SKU_SUBSCRIPTION',
        'unit/sandbox/api/monetization.test.ts > go on, will end, or ended | unit/sandbox/api/monetization.test.ts > are asked for one user by a bot; a user sees only their own | conformance/vectors/monetization.json > LIST_SKU_SUBSCRIPTIONS',
      ),
      held(
        'Application emoji are listed, read, made, renamed and deleted.',
        'endpoint:LIST_APPLICATION_EMOJIS | endpoint:GET_APPLICATION_EMOJI | endpoint:CREATE_APPLICATION_EMOJI | endpoint:MODIFY_APPLICATION_EMOJI | endpoint:DELETE_APPLICATION_EMOJI',
        'unit/sandbox/api/expressions.test.ts > are added, listed, renamed and deleted',
      ),
      held(
        'Soundboard: sounds of a guild are listed, read, made, changed and deleted.',
        'endpoint:LIST_GUILD_SOUNDBOARD_SOUNDS | endpoint:GET_GUILD_SOUNDBOARD_SOUND | endpoint:CREATE_GUILD_SOUNDBOARD_SOUND | endpoint:MODIFY_GUILD_SOUNDBOARD_SOUND | endpoint:DELETE_GUILD_SOUNDBOARD_SOUND',
        'unit/sandbox/api/expressions.test.ts > are added, listed, changed and deleted',
      ),
      held(
        'Soundboard: sounds are sent, those of everybody too.',
        'endpoint:SEND_SOUNDBOARD_SOUND | endpoint:LIST_DEFAULT_SOUNDBOARD_SOUNDS',
        'unit/sandbox/api/expressions.test.ts > works where the bot is connected, with a sound of everybody or of the guild',
      ),
      held(
        'Request Guild Members asks the gateway.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > come in chunks, which make one answer, whatever is told twice or for others | e2e/gateway.test.ts > the bot is asked for members, as often as the platform allows',
      ),
      held(
        'Request Channel Info asks the gateway, by opcode 43.',
        'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > what passes in channels is asked for and answered, the earliest question first | e2e/gateway.test.ts > the bot is asked for members, as often as the platform allows',
      ),
    ],
  },
  SDK_FUNCTIONS,
]
