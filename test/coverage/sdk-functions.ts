/** Coverage of section 4.3: the functions of the client SDK. */
import { NO_AUDIO } from './reasons.ts'
import { unsupported, implemented, type Section } from './statement.ts'

export const SDK_FUNCTIONS: Section = {
  number: '4.3',
  title: 'Functions of the client SDK',
  statements: [
    implemented(
      'Authorize accepts AuthorizationArgs.',
      'command:AUTHORIZE',
      'unit/protocol/authorization.test.ts > accepts all documented arguments | unit/daemon/rpc/handlers/authorization.test.ts > passes all arguments on',
    ),
    implemented(
      'GetToken exchanges the code.',
      'command:GET_TOKEN',
      'unit/daemon/rpc/handlers/tokens.test.ts > returns the tokens and stores them for this program | conformance/vectors/authorization.json > GET_TOKEN',
    ),
    implemented(
      'CreateAuthorizationCodeVerifier creates a verifier and its challenge.',
      'bindings/ts/src/pkce.ts | daemon/src/auth/oauth/pkce.ts',
      'unit/bindings-ts/sign-in.test.ts > the verifier of RFC 7636 appendix B has its challenge; each new pair matches and is unique | unit/daemon/auth/oauth/pkce.test.ts > makes verifiers that are well formed, different, and fit their own challenge',
    ),
    implemented(
      'GetDefaultCommunicationScopes.',
      'protocol/src/scopes.ts | bindings/ts/src/index.ts',
      'unit/bindings-ts/sign-in.test.ts > the package exports the parts of a sign-in | unit/daemon/rpc/handlers/authorization.test.ts > requests this application and the communication scopes by default',
    ),
    implemented(
      'GetDefaultPresenceScopes.',
      'protocol/src/scopes.ts | bindings/ts/src/index.ts',
      'unit/bindings-ts/sign-in.test.ts > the package exports the parts of a sign-in',
    ),
    implemented(
      'SetApplicationId: the handshake sets the application of the connection.',
      'daemon/src/ipc/connection/handshake.ts',
      'unit/daemon/ipc/connection/handshake.test.ts > may be %s | unit/daemon/rpc/handlers/authorization.test.ts > requests this application and the communication scopes by default',
    ),
    implemented(
      'UpdateToken replaces the access token of the connection.',
      'command:UPDATE_TOKEN',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > signs the connection in again, and a rejected token changes nothing | conformance/vectors/account-tokens.json > UPDATE_TOKEN',
    ),
    implemented(
      'ExchangeChildToken.',
      'command:EXCHANGE_CHILD_TOKEN',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > requests without a token, returns no refresh token, and stores nothing | e2e/accounts.test.ts > a child application signs in with what it got for the token of its parent, until that is revoked',
    ),
    implemented(
      'RevokeToken.',
      'command:REVOKE_TOKEN',
      'unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients, TOKEN_REVOKED for ours, nothing for others | conformance/vectors/authorization.json > REVOKE_TOKEN',
    ),
    implemented(
      'UnmergeIntoProvisionalAccount.',
      'command:UNMERGE_PROVISIONAL_ACCOUNT',
      'unit/daemon/rpc/handlers/account-tokens.test.ts > ends the accounts whose tokens the platform no longer accepts, and notifies every connection | unit/sandbox/oauth/partner.test.ts > ends the tokens of the account and gives the identity a new provisional one',
    ),
    implemented(
      'RegisterAuthorizeRequestCallback: the event AUTHORIZE_REQUEST is subscribed.',
      'event:AUTHORIZE_REQUEST | command:SUBSCRIBE',
      'conformance/events.test.ts > $name arrives as published, only from SUBSCRIBE until UNSUBSCRIBE',
    ),
    implemented(
      'RemoveAuthorizeRequestCallback: the event AUTHORIZE_REQUEST is unsubscribed.',
      'event:AUTHORIZE_REQUEST | command:UNSUBSCRIBE',
      'conformance/events.test.ts > $name arrives as published, only from SUBSCRIBE until UNSUBSCRIBE | unit/daemon/rpc/handlers/subscription.test.ts > ends the subscription',
    ),
    implemented(
      'UpdateRichPresence.',
      'command:SET_ACTIVITY',
      'unit/daemon/rpc/handlers/presence.test.ts > an activity is returned as stored and shown with its session and pid | conformance/vectors/set-activity.json > all fields',
    ),
    implemented(
      'GetLobbyMessagesWithLimit returns at most 200 messages.',
      'endpoint:GET_LOBBY_MESSAGES | protocol/src/responses/history.ts',
      'unit/protocol/responses.test.ts > contain at most the newest 200 | unit/protocol/endpoints.test.ts > limit lobby messages',
    ),
    implemented(
      'GetLobbyMessagesWithLimit returns messages of the last 72 hours, newest first.',
      'endpoint:GET_LOBBY_MESSAGES | protocol/src/responses/history.ts',
      'unit/daemon/rpc/handlers/responses.test.ts > lobby messages come the newest first, none older than 72 hours | unit/sandbox/api/lobbies.test.ts > are given for 72 hours',
    ),
    implemented(
      'GetLobbyMessagesWithLimit reads only lobbies of the user.',
      'endpoint:GET_LOBBY_MESSAGES',
      'unit/sandbox/api/lobbies.test.ts > are for members only',
    ),
    implemented(
      'GetUserMessagesWithLimit sends a request only if its local cache has too few messages.',
      'endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
      'unit/daemon/rpc/handlers/user-messages.test.ts > the first read comes from the platform, in order; the next from the history | unit/daemon/rpc/handlers/user-messages.test.ts > more messages than stored, or after a minute, are fetched from the platform | e2e/message-history.test.ts > a history is requested from the platform once, survives a restart of the daemon, and ends with the sign-in',
    ),
    implemented(
      'GetGuildChannels is sorted by position, as the client shows channels.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/responses/channels.ts',
      'unit/protocol/responses.test.ts > are sorted in client order: without a category first, then by category, text before voice, position, age | unit/daemon/rpc/handlers/responses.test.ts > channels on %s',
    ),
    implemented(
      'A guild channel carries type, position and the id of its category.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/records/channel.ts',
      'unit/sandbox/api/operations.test.ts > carry position and parent; the hidden one shows to its members only',
    ),
    implemented(
      'GetUserGuilds.',
      'endpoint:GET_CURRENT_USER_GUILDS',
      'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row | unit/sandbox/api/operations.test.ts > come a page at a time',
    ),
    implemented(
      'GetUserApplicationProfiles.',
      'endpoint:GET_USER_APPLICATION_IDENTITIES',
      'conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
    ),
    implemented(
      'GetCurrentUser fails before the client is ready; it never returns wrong data.',
      'endpoint:GET_CURRENT_USER',
      'unit/daemon/rpc/handlers/forward.test.ts > is not sent before sign-in | conformance/endpoints.test.ts > $name is refused without a sign-in',
    ),
    implemented(
      'GetCurrentUserV2 is empty until the client is ready.',
      'command:GET_CURRENT_USER_V2 | bindings/ts/src/client.ts',
      'unit/daemon/rpc/handlers/platform-facts.test.ts > is null without a signed-in user, and sends no request | unit/daemon/rpc/handlers/platform-facts.test.ts > is the user after sign-in | unit/bindings-ts/sign-in.test.ts > currentUser is the signed-in user, and undefined before, after, and while disconnected',
    ),
    implemented(
      'SetHttpRequestTimeout.',
      'command:SET_HTTP_REQUEST_TIMEOUT',
      'unit/daemon/rpc/handlers/responses.test.ts > SET_HTTP_REQUEST_TIMEOUT sets the deadline of forwarded calls',
    ),
    unsupported('SetEngineManagedAudioSession.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported('SetAecDump.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported('SetVoiceLogDir.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported(
      'StartCallWithAudioCallbacks.',
      NO_AUDIO,
      'SELECT_VOICE_CHANNEL is for the desktop client: SERVICE_UNAVAILABLE without it.',
    ),
    unsupported(
      'Call::SetPTTActive and Call::GetPTTReleaseDelay.',
      NO_AUDIO,
      'PUSH_TO_TALK and GET_VOICE_SETTINGS are for the desktop client: SERVICE_UNAVAILABLE without it.',
    ),
    implemented(
      'SetActivityInviteCreatedCallback: the event ACTIVITY_INVITE reports invites.',
      'event:ACTIVITY_INVITE | daemon/src/social/game-invites.ts',
      'unit/daemon/social/game-invites.test.ts > reaches the games of its receiver, including a sibling of the invited game | e2e/join.test.ts > an invite contains all that ACCEPT_ACTIVITY_INVITE needs, and accepting it brings the secret',
    ),
  ],
}
