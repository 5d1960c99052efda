/** Coverage of section 4.3: the functions of the client SDK. */
import { NO_AUDIO } from './reasons.ts'
import { implemented, unsupported, type Section } from './statement.ts'

export const SDK_FUNCTIONS: Section = {
  number: '4.3',
  title: 'Functions of the client SDK',
  statements: [
    implemented('4.3-1', 'Authorize accepts AuthorizationArgs.', 'COMMANDS.AUTHORIZE.args.prompt'),
    implemented('4.3-2', 'GetToken exchanges the code.', 'COMMANDS.GET_TOKEN.handledBy'),
    implemented(
      '4.3-3',
      'CreateAuthorizationCodeVerifier creates a verifier and its challenge.',
      'bindings/ts/src/pkce.ts#challengeOf | daemon/src/auth/oauth/pkce.ts#challengeOf | COMMANDS.CREATE_AUTHORIZATION_CODE_VERIFIER.handledBy',
    ),
    implemented(
      '4.3-4',
      'GetDefaultCommunicationScopes.',
      'DEFAULT_COMMUNICATION_SCOPES | COMMANDS.GET_DEFAULT_SCOPES.handledBy | protocol/src/scopes.ts | bindings/ts/src/index.ts',
    ),
    implemented(
      '4.3-5',
      'GetDefaultPresenceScopes.',
      'DEFAULT_PRESENCE_SCOPES | COMMANDS.GET_DEFAULT_SCOPES.handledBy | protocol/src/scopes.ts | bindings/ts/src/index.ts',
    ),
    implemented(
      '4.3-6',
      'SetApplicationId: the handshake sets the application of the connection.',
      'daemon/src/ipc/connection/handshake.ts#CLIENT_ID',
    ),
    implemented('4.3-7', 'UpdateToken replaces the access token of the connection.', 'COMMANDS.UPDATE_TOKEN.handledBy'),
    implemented('4.3-8', 'ExchangeChildToken.', 'COMMANDS.EXCHANGE_CHILD_TOKEN.handledBy'),
    implemented('4.3-9', 'RevokeToken.', 'COMMANDS.REVOKE_TOKEN.handledBy'),
    implemented('4.3-10', 'UnmergeIntoProvisionalAccount.', 'COMMANDS.UNMERGE_PROVISIONAL_ACCOUNT.handledBy'),
    implemented(
      '4.3-11',
      'RegisterAuthorizeRequestCallback: the event AUTHORIZE_REQUEST is subscribed.',
      'EVENTS.AUTHORIZE_REQUEST.requires | COMMANDS.SUBSCRIBE.handledBy',
    ),
    implemented(
      '4.3-12',
      'RemoveAuthorizeRequestCallback: the event AUTHORIZE_REQUEST is unsubscribed.',
      'EVENTS.AUTHORIZE_REQUEST.requires | COMMANDS.UNSUBSCRIBE.handledBy',
    ),
    implemented('4.3-13', 'UpdateRichPresence.', 'COMMANDS.SET_ACTIVITY.handledBy'),
    implemented(
      '4.3-14',
      'GetLobbyMessagesWithLimit returns at most 200 messages.',
      'LIMITS.lobbyMessages | protocol/src/responses/history.ts',
    ),
    implemented(
      '4.3-15',
      'GetLobbyMessagesWithLimit returns messages of the last 72 hours, newest first.',
      'LIMITS.lobbyMessageAge | protocol/src/responses/history.ts',
    ),
    implemented('4.3-16', 'GetLobbyMessagesWithLimit reads only lobbies of the user.', 'ENDPOINTS.GET_LOBBY_MESSAGES.path'),
    implemented(
      '4.3-17',
      'GetUserMessagesWithLimit sends a request only if its local cache has too few messages.',
      'daemon/core/src/budgets.ts#BUDGETS.userMessagesCacheMs | daemon/src/events/messages/stored-history.ts',
    ),
    implemented(
      '4.3-18',
      'GetGuildChannels is sorted by position, as the client shows channels.',
      'protocol/src/responses/channels.ts#byPlace | ENDPOINTS.GET_GUILD_CHANNELS.shapeResponse',
    ),
    implemented(
      '4.3-19',
      'A guild channel carries type, position and the id of its category.',
      'Channel.position | Channel.parent_id | protocol/src/records/channel.ts',
    ),
    implemented('4.3-20', 'GetUserGuilds.', 'ENDPOINTS.GET_CURRENT_USER_GUILDS.path'),
    implemented('4.3-21', 'GetUserApplicationProfiles.', 'ENDPOINTS.GET_USER_APPLICATION_IDENTITIES.path'),
    implemented(
      '4.3-22',
      'GetCurrentUser fails before the client is ready; it never returns wrong data.',
      'daemon/src/sessions/required-scopes.ts#requireScopes',
    ),
    implemented(
      '4.3-23',
      'GetCurrentUserV2 is empty until the client is ready.',
      'COMMANDS.GET_CURRENT_USER_V2.handledBy | bindings/ts/src/client.ts',
    ),
    implemented('4.3-24', 'SetHttpRequestTimeout.', 'COMMANDS.SET_HTTP_REQUEST_TIMEOUT.args.timeout_ms'),
    unsupported('4.3-25', 'SetEngineManagedAudioSession.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported('4.3-26', 'SetAecDump.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported('4.3-27', 'SetVoiceLogDir.', NO_AUDIO, 'Nothing: the game sets it in its own process.'),
    unsupported(
      '4.3-28',
      'StartCallWithAudioCallbacks.',
      NO_AUDIO,
      'SELECT_VOICE_CHANNEL is for the desktop client: SERVICE_UNAVAILABLE without it.',
    ),
    unsupported(
      '4.3-29',
      'Call::SetPTTActive and Call::GetPTTReleaseDelay.',
      NO_AUDIO,
      'PUSH_TO_TALK and GET_VOICE_SETTINGS are for the desktop client: SERVICE_UNAVAILABLE without it.',
    ),
    implemented(
      '4.3-30',
      'SetActivityInviteCreatedCallback: the event ACTIVITY_INVITE reports invites.',
      'EVENTS.ACTIVITY_INVITE.requires | daemon/src/social/game-invites.ts',
    ),
  ],
}
