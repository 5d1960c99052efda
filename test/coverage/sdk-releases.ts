/** Coverage of section 9.1: releases of the SDK. */
import { NO_AUDIO, NO_CONSOLE, OWN_PROCESS } from './reasons.ts'
import { implemented, unsupported, type Section } from './statement.ts'

const LISTED = 'GET_PLATFORM_CHANGES returns whether an SDK version lacks it.'

export const SDK_RELEASE_SECTION: Section = {
  number: '9.1',
  title: 'SDK releases',
  statements: [
    implemented('9.1-1', 'A version is major.minor.build.', 'protocol/src/versions.ts#SDK_VERSION'),
    implemented(
      '9.1-2',
      'There are three minor releases a year: in April, July and November.',
      'SDK_RELEASE_MONTHS | protocol/src/versions.ts',
    ),
    implemented(
      '9.1-3',
      'The five newest minors are supported: 1.6 to 1.10 from July 2026.',
      'protocol/src/versions.ts#SUPPORTED_MINORS | protocol/src/versions.ts#NAMED_MINORS[2026-07-01].minor | COMMANDS.GET_PLATFORM_CHANGES.handledBy',
    ),
    implemented(
      '9.1-4',
      '1.5 and earlier are unsupported: such a game is accepted, with a warning in the log.',
      'protocol/src/versions.ts#SUPPORTED_MINORS | daemon/src/ipc/connection/handshake.ts',
    ),
    unsupported(
      '9.1-5',
      'New console systems are supported by new releases only, each with the consoles’ systems of about 18 months; 1.6 to 1.9 keep theirs.',
      NO_CONSOLE,
      'GET_PLATFORM_CHANGES names the least system SDKs that a version needs.',
    ),
    unsupported('9.1-6', '1.10: signing in on the web leaves the presentation context of an iOS app alone.', OWN_PROCESS, LISTED),
    implemented('9.1-7', '1.10, 1.9, 1.8: C# passes booleans in the correct size.', 'bindings/csharp/src/KernelPipe.cs'),
    implemented(
      '9.1-8',
      '1.9, 1.8: lobby events are dispatched without a crash while listeners change.',
      'bindings/ts/src/subscriptions.ts',
    ),
    implemented(
      '9.1-9',
      '1.10: the least system SDKs of consoles are 241000 (platform A) and 10.000 (platform B).',
      'protocol/src/sdk-releases.ts#CONSOLE_MINIMUMS[241000].systemSdk | protocol/src/sdk-releases.ts#CONSOLE_MINIMUMS[10.000].systemSdk | COMMANDS.GET_PLATFORM_CHANGES.handledBy | protocol/src/sdk-releases.ts',
    ),
    unsupported('9.1-43', '1.10: consoles read presence.', NO_CONSOLE, LISTED),
    unsupported('9.1-10', '1.10: presence on Android over a local transport without signing in.', OWN_PROCESS, LISTED),
    unsupported('9.1-11', '1.10: voice is built on WebRTC M130.', NO_AUDIO, LISTED),
    implemented(
      '9.1-12',
      '1.10: a message carries the additional name of its author.',
      'SDK_RELEASES[1.10.18247].changes | LobbyMessage.lobby_member | protocol/src/records/lobby.ts | protocol/src/sdk-releases.ts',
    ),
    implemented(
      '9.1-13',
      '1.9: AUTHORIZE_REQUEST is subscribed again after a reconnect.',
      'SDK_RELEASES[1.9.17228].versions | bindings/ts/src/restore.ts | bindings/ts/src/subscriptions.ts | protocol/src/sdk-releases.ts',
    ),
    implemented(
      '9.1-14',
      '1.9: accepting an invite over RPC passes the application id of the invite.',
      'COMMANDS.ACCEPT_ACTIVITY_INVITE.args.application_id | SDK_RELEASES[1.9.15332].versions | protocol/src/sdk-releases.ts',
    ),
    implemented(
      '9.1-15',
      '1.8, 1.7, 1.6: bearer tokens stay out of logs.',
      'SDK_RELEASES[1.8.14437].versions | daemon/core/src/pino-logger.ts | daemon/core/src/secret.ts',
    ),
    implemented(
      '9.1-16',
      '1.8, 1.7, 1.6: release builds log errors and warnings only.',
      'daemon/src/config/schema.ts#OPTIONS.logLevel.default | daemon/core/src/pino-logger.ts',
    ),
    implemented(
      '9.1-17',
      '1.8, 1.7, 1.6: more log levels for diagnosis: info and debug.',
      'daemon/src/config/schema.ts | daemon/core/src/pino-logger.ts',
    ),
    implemented(
      '9.1-18',
      '1.8: a message carries its moderation metadata.',
      'SDK_RELEASES[1.8.13395].versions | LobbyMessage.moderation_metadata | protocol/src/records/lobby.ts | protocol/src/records/user-message.ts | protocol/src/sdk-releases.ts',
    ),
    implemented(
      '9.1-19',
      '1.7: Apple and console network sign-in are external identity providers.',
      'SDK_RELEASES[1.7].versions | protocol/src/records/token.ts',
    ),
    implemented('9.1-20', '1.7: order and properties of guild channels.', 'SDK_RELEASES[1.7].changes | Channel.position'),
    unsupported('9.1-21', '1.7: the CPU affinity of a client can be set.', OWN_PROCESS, LISTED),
    implemented('9.1-22', '1.6: GetUserApplicationProfiles.', 'SDK_RELEASES[1.6].changes | ENDPOINTS.GET_USER_APPLICATION_IDENTITIES.path'),
    implemented(
      '9.1-23',
      '1.6: callbacks of authorize requests.',
      'SDK_RELEASES[1.6].versions | EVENTS.AUTHORIZE_REQUEST.requires | protocol/src/sdk-releases.ts',
    ),
    implemented(
      '9.1-24',
      '1.6: GetUserMessagesWithLimit uses a cache.',
      'SDK_RELEASES[1.6].changes | daemon/core/src/budgets.ts#BUDGETS.userMessagesCacheMs | daemon/src/events/messages/stored-history.ts',
    ),
    implemented('9.1-25', '1.6: a notification is delivered once, even with several subscriptions.', 'SDK_RELEASES[1.6].changes'),
    implemented('9.1-26', '1.5: direct messages have a history.', 'SDK_RELEASES[1.5].versions | ENDPOINTS.GET_USER_MESSAGES.path'),
    implemented('9.1-27', '1.5: activities of the types Listening, Watching and Competing.', 'SDK_RELEASES[1.5].versions | ACTIVITY_TYPES'),
    implemented('9.1-28', '1.5: GetCurrentUserV2.', 'SDK_RELEASES[1.5].versions | COMMANDS.GET_CURRENT_USER_V2.handledBy'),
    unsupported('9.1-29', '1.5: native sign-in on phones.', OWN_PROCESS, LISTED),
    unsupported('9.1-30', '1.5: builds for Windows on ARM.', OWN_PROCESS, LISTED),
    implemented(
      '9.1-31',
      '1.4: GetLobbyMessagesWithLimit.',
      'SDK_RELEASES[1.4].versions | ENDPOINTS.GET_LOBBY_MESSAGES.path | LIMITS.lobbyMessages',
    ),
    implemented('9.1-32', '1.4: ExchangeChildToken.', 'SDK_RELEASES[1.4].versions | COMMANDS.EXCHANGE_CHILD_TOKEN.handledBy'),
    implemented('9.1-33', '1.4: RevokeToken.', 'SDK_RELEASES[1.4].versions | COMMANDS.REVOKE_TOKEN.handledBy'),
    implemented(
      '9.1-34',
      '1.4: UnmergeIntoProvisionalAccount.',
      'SDK_RELEASES[1.4].versions | COMMANDS.UNMERGE_PROVISIONAL_ACCOUNT.handledBy',
    ),
    unsupported('9.1-35', '1.4: SetAecDump.', NO_AUDIO, LISTED),
    unsupported('9.1-36', '1.4: memory pages of 16 KB on Android.', OWN_PROCESS, LISTED),
    implemented(
      '9.1-37',
      '1.3: APPLICATION_DEAUTHORIZED; the event ends the account like a rejected refresh.',
      'SDK_RELEASES[1.3].versions | daemon/src/auth/accounts/machine.ts#LINKED.deauthorized.to | daemon/src/auth/accounts/machine.ts | protocol/src/sdk-releases.ts',
    ),
    implemented('9.1-38', '1.3: SetHttpRequestTimeout.', 'SDK_RELEASES[1.3].versions | COMMANDS.SET_HTTP_REQUEST_TIMEOUT.handledBy'),
    unsupported('9.1-39', '1.3: SetEngineManagedAudioSession.', NO_AUDIO, LISTED),
    unsupported('9.1-40', '1.1: two more consoles.', NO_CONSOLE, LISTED),
    unsupported('9.1-41', '1.1: GetPTTReleaseDelay.', NO_AUDIO, LISTED),
    implemented(
      '9.1-42',
      '1.1: presence on a desktop without a gateway connection.',
      'SDK_RELEASES[1.1].versions | ENDPOINTS.CREATE_HEADLESS_SESSION.path | daemon/src/events/providers/desktop/presence-channel.ts',
    ),
  ],
}
