/** Coverage of section 4.3: the functions of the client SDK. */
import { NO_AUDIO } from './reasons.ts'
import { beyond, held, type Section } from './statement.ts'

export const SDK_FUNCTIONS: Section = {
  number: '4.3',
  title: 'Functions of the client SDK',
  statements: [
    held(
      'Authorize takes AuthorizationArgs.',
      'command:AUTHORIZE',
      'unit/protocol/authorization.test.ts > takes all documented arguments | unit/daemon/rpc/handlers/authorization.test.ts > hands on all it is given',
    ),
    held(
      'GetToken exchanges the code.',
      'command:GET_TOKEN',
      'unit/daemon/rpc/handlers/tokens.test.ts > answers the tokens and keeps them for this program | conformance/vectors/authorization.json > GET_TOKEN',
    ),
    held(
      'CreateAuthorizationCodeVerifier makes a verifier and its challenge.',
      'bindings/ts/src/pkce.ts | daemon/src/auth/oauth/pkce.ts',
      'unit/bindings-ts/sign-in.test.ts > the verifier of RFC 7636 appendix B gives its challenge; a fresh pair fits together and is new each time | unit/daemon/auth/oauth/pkce.test.ts > makes verifiers that are well formed, different, and fit their own challenge',
    ),
    held(
      'GetDefaultCommunicationScopes.',
      'protocol/src/scopes.ts | bindings/ts/src/index.ts',
      'unit/bindings-ts/sign-in.test.ts > the package has what a sign-in by steps is made of | unit/daemon/rpc/handlers/authorization.test.ts > asks for this application and for communication when nothing is said',
    ),
    held(
      'GetDefaultPresenceScopes.',
      'protocol/src/scopes.ts | bindings/ts/src/index.ts',
      'unit/bindings-ts/sign-in.test.ts > the package has what a sign-in by steps is made of',
    ),
    held(
      'SetApplicationId: the handshake names the application for all that the connection does.',
      'daemon/src/ipc/connection/handshake.ts',
      'unit/daemon/ipc/connection/handshake.test.ts > may be %s | unit/daemon/rpc/handlers/authorization.test.ts > asks for this application and for communication when nothing is said',
    ),
    held(
      'UpdateToken binds the connection to another access token.',
      'command:UPDATE_TOKEN',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > binds the connection anew, and a refused token changes nothing | conformance/vectors/account-tokens.json > UPDATE_TOKEN',
    ),
    held(
      'ExchangeChildToken.',
      'command:EXCHANGE_CHILD_TOKEN',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > asks without a token, answers without a refresh token, and keeps nothing | e2e/accounts.test.ts > a child application signs in with what it got for the token of its parent, until that is revoked',
    ),
    held(
      'RevokeToken.',
      'command:REVOKE_TOKEN',
      'unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients, TOKEN_REVOKED for ours, nothing for others | conformance/vectors/authorization.json > REVOKE_TOKEN',
    ),
    held(
      'UnmergeIntoProvisionalAccount.',
      'command:UNMERGE_PROVISIONAL_ACCOUNT',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > ends what the platform no longer accepts, and tells every connection | unit/sandbox/oauth/partner.test.ts > ends the tokens of the account and gives the identity a new provisional one',
    ),
    held(
      'RegisterAuthorizeRequestCallback: the event AUTHORIZE_REQUEST is subscribed.',
      'event:AUTHORIZE_REQUEST | command:SUBSCRIBE',
      'conformance/vectors/events.json > AUTHORIZE_REQUEST',
    ),
    held(
      'RemoveAuthorizeRequestCallback: the subscription is ended.',
      'event:AUTHORIZE_REQUEST | command:UNSUBSCRIBE',
      'conformance/vectors/events.json > AUTHORIZE_REQUEST | unit/daemon/rpc/handlers/subscription.test.ts > ends it',
    ),
    held(
      'UpdateRichPresence.',
      'command:SET_ACTIVITY',
      'unit/daemon/rpc/handlers/presence.test.ts > an activity is answered as stored and shown with the session and the pid it named | conformance/vectors/set-activity.json > everything there is',
    ),
    held(
      'GetLobbyMessagesWithLimit gives at most 200 messages.',
      'endpoint:GET_LOBBY_MESSAGES | protocol/src/answers/history.ts',
      'unit/protocol/answers.test.ts > hold 200 at most, the newest of all | unit/protocol/endpoints.test.ts > bound lobby messages',
    ),
    held(
      'GetLobbyMessagesWithLimit gives messages of at most 72 hours, the newest first.',
      'endpoint:GET_LOBBY_MESSAGES | protocol/src/answers/history.ts',
      'unit/daemon/rpc/handlers/answers.test.ts > lobby messages come the newest first, none older than 72 hours | unit/sandbox/api/lobbies.test.ts > are given for 72 hours',
    ),
    held(
      'GetLobbyMessagesWithLimit reads lobbies that the user is in, and no others.',
      'endpoint:GET_LOBBY_MESSAGES',
      'unit/sandbox/api/lobbies.test.ts > are for members only',
    ),
    held(
      'GetUserMessagesWithLimit asks the platform only when its local cache has too few messages.',
      'endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
      'unit/daemon/rpc/handlers/user-messages.test.ts > the first reading comes from the platform, in order; the next is answered without it | unit/daemon/rpc/handlers/user-messages.test.ts > more than is known, and anything after a minute, is asked of the platform | e2e/message-history.test.ts > a history is asked of the platform once, survives a restart of the daemon, and ends with the sign-in',
    ),
    held(
      'GetGuildChannels is sorted by position, as the client shows channels.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/answers/channels.ts',
      'unit/protocol/answers.test.ts > come as the client lists them: without a category first, then each category with its own, text before voice, by position, by age | unit/daemon/rpc/handlers/answers.test.ts > channels on %s',
    ),
    held(
      'A guild channel carries type, position and the id of its category.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/records/channel.ts',
      'unit/sandbox/api/operations.test.ts > carry position and parent; the hidden one shows to its members only',
    ),
    held(
      'GetUserGuilds.',
      'endpoint:GET_CURRENT_USER_GUILDS',
      'conformance/vectors/api.json > GET_CURRENT_USER_GUILDS | unit/sandbox/api/operations.test.ts > come a page at a time',
    ),
    beyond(
      'GetUserApplicationProfiles.',
      'No public source shows how the gateway carries application profiles, and no operation of the HTTP API lists them.',
      'Fields of a user that the schemas do not name are passed on, so profiles arrive where the platform puts them into a user.',
    ),
    held(
      'GetCurrentUser; before the client is ready it is refused, never answered wrongly.',
      'endpoint:GET_CURRENT_USER',
      'unit/daemon/rpc/handlers/forward.test.ts > is not made before signing in | conformance/vectors/api.json > "GET_CURRENT_USER"',
    ),
    held(
      'GetCurrentUserV2 is empty until the client is ready.',
      'command:GET_CURRENT_USER_V2 | bindings/ts/src/client.ts',
      'unit/daemon/rpc/handlers/platform-facts.test.ts > is empty while nobody is signed in, and asks nothing | unit/daemon/rpc/handlers/platform-facts.test.ts > is the user once somebody is | unit/bindings-ts/sign-in.test.ts > currentUser is who signed in, and nobody before, after, and while there is no connection',
    ),
    held(
      'SetHttpRequestTimeout.',
      'command:SET_HTTP_REQUEST_TIMEOUT',
      'unit/daemon/rpc/handlers/answers.test.ts > SET_HTTP_REQUEST_TIMEOUT governs what is forwarded',
    ),
    beyond('SetEngineManagedAudioSession.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    beyond('SetAecDump.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    beyond('SetVoiceLogDir.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    beyond('StartCallWithAudioCallbacks.', NO_AUDIO, 'SELECT_VOICE_CHANNEL is for the desktop client: SERVICE_UNAVAILABLE without it.'),
    beyond(
      'Call::SetPTTActive and Call::GetPTTReleaseDelay.',
      NO_AUDIO,
      'PUSH_TO_TALK and GET_VOICE_SETTINGS are for the desktop client: SERVICE_UNAVAILABLE without it.',
    ),
    held(
      'SetActivityInviteCreatedCallback: the event ACTIVITY_INVITE tells of invites.',
      'event:ACTIVITY_INVITE | daemon/src/social/joins.ts',
      'unit/daemon/social/joins.test.ts > reaches the games of its receiver, a sibling of the one it is about among them | e2e/join.test.ts > an invite is told with all that accepting takes, and accepting it brings the secret',
    ),
  ],
}
