/** Coverage of section 9.1: releases of the SDK. */
import { NO_AUDIO, NO_CONSOLE } from './reasons.ts'
import { unsupported, implemented, type Section } from './statement.ts'

const OWN_BINARY = 'It concerns the SDK binaries in the game; the bridge is another process.'
const LISTED = 'GET_PLATFORM_CHANGES returns whether an SDK version lacks it.'
const INCLUDED = 'unit/protocol/sdk-releases.test.ts > %s: missing in %s, included in %s'

export const SDK_RELEASE_SECTION: Section = {
  number: '9.1',
  title: 'SDK releases',
  statements: [
    implemented('A version is major.minor.build.', 'protocol/src/versions.ts', 'unit/protocol/versions.test.ts > %j in July 2026 is %s'),
    implemented(
      'There are three minor releases a year: in April, July and November.',
      'protocol/src/versions.ts',
      'unit/protocol/versions.test.ts > contains five minors and moves three times a year: %s | unit/protocol/versions.test.ts > moves with each release',
    ),
    implemented(
      'The five newest minors are supported: 1.6 to 1.10 from July 2026.',
      'protocol/src/versions.ts | command:GET_PLATFORM_CHANGES',
      'unit/protocol/versions.test.ts > contains five minors and moves three times a year: %s | unit/protocol/versions.test.ts > %j in July 2026 is %s | unit/daemon/rpc/handlers/platform-facts.test.ts > returns the supported SDK versions, and the missing features of one',
    ),
    implemented(
      '1.5 and earlier are unsupported: such a game is accepted, with a warning in the log.',
      'protocol/src/versions.ts | daemon/src/ipc/connection/handshake.ts',
      'unit/daemon/sdk-support.test.ts > an old one is a warning that names it and the window, never a refusal',
    ),
    unsupported(
      'New console systems are supported by new releases only, each with the consoles’ systems of about 18 months; 1.6 to 1.9 keep theirs.',
      NO_CONSOLE,
      LISTED,
    ),
    unsupported('1.10: signing in on the web leaves the presentation context of an iOS app alone.', OWN_BINARY, LISTED),
    unsupported('1.10, 1.9, 1.8: C# passes booleans in the correct size.', OWN_BINARY, LISTED),
    unsupported('1.9, 1.8: lobby events are dispatched without a crash while listeners change.', OWN_BINARY, LISTED),
    unsupported('1.10: consoles need newer system SDKs, and read presence.', NO_CONSOLE, LISTED),
    unsupported('1.10: presence on Android over a local transport without signing in.', OWN_BINARY, LISTED),
    unsupported('1.10: voice is built on WebRTC M130.', NO_AUDIO, LISTED),
    implemented(
      '1.10: a message carries the additional name of its author.',
      'protocol/src/records/lobby.ts | protocol/src/sdk-releases.ts',
      `unit/sandbox/api/lobbies.test.ts > adds, changes and removes, and answers those added or changed | ${INCLUDED}`,
    ),
    implemented(
      '1.9: AUTHORIZE_REQUEST is subscribed again after a reconnect.',
      'bindings/ts/src/restore.ts | bindings/ts/src/subscriptions.ts | protocol/src/sdk-releases.ts',
      'unit/bindings-ts/reconnect.test.ts > restores everything in order: AUTHORIZE_REQUEST, sign-in, other subscriptions, presence | unit/protocol/sdk-releases.test.ts > %s lacks the fix of AUTHORIZE_REQUEST: %s',
    ),
    implemented(
      '1.9: accepting an invite over RPC passes the application id of the invite.',
      'command:ACCEPT_ACTIVITY_INVITE | protocol/src/sdk-releases.ts',
      `conformance/vectors/desktop-social.json > ACCEPT_ACTIVITY_INVITE | ${INCLUDED}`,
    ),
    implemented(
      '1.8, 1.7, 1.6: bearer tokens stay out of logs.',
      'daemon/core/src/pino-logger.ts | daemon/core/src/secret.ts',
      'unit/core/pino-logger.test.ts > %s is redacted at every depth that is logged, in child fields too | e2e/secrets.test.ts > nothing leaks | unit/protocol/sdk-releases.test.ts > %s lacks the fix released for three minors: %s',
    ),
    implemented(
      '1.8, 1.7, 1.6: release builds log errors and warnings only.',
      'daemon/src/config/schema.ts | daemon/core/src/pino-logger.ts',
      'unit/daemon/config/load.test.ts > flag over environment over file over profile over default, each with its origin | unit/core/pino-logger.test.ts > lines below the level are not written',
    ),
    implemented(
      '1.8, 1.7, 1.6: more log levels for diagnosis: info and debug.',
      'daemon/src/config/schema.ts | daemon/core/src/pino-logger.ts',
      'unit/daemon/config/load.test.ts > flag over environment over file over profile over default, each with its origin | unit/core/pino-logger.test.ts > a line is one JSON object with its event, level, time and fields',
    ),
    implemented(
      '1.8: a message carries its moderation metadata.',
      'protocol/src/records/lobby.ts | protocol/src/records/user-message.ts | protocol/src/sdk-releases.ts',
      `unit/sandbox/api/lobby-backend.test.ts > replaces the metadata that readers of a message see | unit/sandbox/api/moderation.test.ts > is set by the backend, in either order of the users, and cleared by an edit | ${INCLUDED}`,
    ),
    implemented(
      '1.7: Apple and console network sign-in are external identity providers.',
      'command:GET_PROVISIONAL_TOKEN | protocol/src/records/token.ts',
      `unit/sandbox/oauth/partner.test.ts > comes to be by an identity of the kind %s | ${INCLUDED}`,
    ),
    implemented(
      '1.7: order and properties of guild channels.',
      'endpoint:GET_GUILD_CHANNELS',
      `unit/sandbox/api/dated-rules.test.ts > are in the order of the client | unit/sandbox/api/operations.test.ts > carry position and parent; the hidden one shows to its members only | ${INCLUDED}`,
    ),
    unsupported('1.7: the CPU affinity of a client can be set.', OWN_BINARY, LISTED),
    implemented(
      '1.6: GetUserApplicationProfiles.',
      'endpoint:GET_USER_APPLICATION_IDENTITIES',
      `conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row | ${INCLUDED}`,
    ),
    implemented(
      '1.6: callbacks of authorize requests.',
      'event:AUTHORIZE_REQUEST | protocol/src/sdk-releases.ts',
      `conformance/events.test.ts > $name arrives as published, only from SUBSCRIBE until UNSUBSCRIBE | ${INCLUDED}`,
    ),
    implemented(
      '1.6: GetUserMessagesWithLimit uses a cache.',
      'endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
      `unit/daemon/rpc/handlers/user-messages.test.ts > the first read comes from the platform, in order; the next from the history | unit/daemon/messages/stored-history.test.ts > is given again, the newest first, when it is enough | ${INCLUDED}`,
    ),
    implemented(
      '1.6: a notification is delivered once, even with several subscriptions.',
      'command:SUBSCRIBE | event:NOTIFICATION_CREATE',
      `unit/daemon/rpc/handlers/subscription.test.ts > twice delivers once | unit/bindings-ts/reconnect.test.ts > a listener receives each event once after any number of reconnects, and a closed one none | ${INCLUDED}`,
    ),
    implemented(
      '1.5: direct messages have a history.',
      'endpoint:GET_USER_MESSAGES',
      `conformance/vectors/user-messages.json > a history of direct messages | unit/sandbox/api/user-messages.test.ts > shows the message to both, the newest first, with what the game attached | ${INCLUDED}`,
    ),
    implemented(
      '1.5: activities of the types Listening, Watching and Competing.',
      'command:SET_ACTIVITY',
      `unit/protocol/activity-input.test.ts > accepts playing, listening, watching and competing, and rejects other types | conformance/vectors/set-activity.json > type 5 (competing) | ${INCLUDED}`,
    ),
    implemented(
      '1.5: GetCurrentUserV2.',
      'command:GET_CURRENT_USER_V2',
      `unit/daemon/rpc/handlers/platform-facts.test.ts > is null without a signed-in user, and sends no request | ${INCLUDED}`,
    ),
    unsupported('1.5: native sign-in on phones.', OWN_BINARY, LISTED),
    unsupported('1.5: builds for Windows on ARM.', OWN_BINARY, LISTED),
    implemented(
      '1.4: GetLobbyMessagesWithLimit.',
      'endpoint:GET_LOBBY_MESSAGES',
      `conformance/endpoints.test.ts > of $name reaches the game as it came, or as the row shapes it | unit/protocol/endpoints.test.ts > limit lobby messages | ${INCLUDED}`,
    ),
    implemented(
      '1.4: ExchangeChildToken.',
      'command:EXCHANGE_CHILD_TOKEN',
      `conformance/vectors/account-tokens.json > EXCHANGE_CHILD_TOKEN | ${INCLUDED}`,
    ),
    implemented('1.4: RevokeToken.', 'command:REVOKE_TOKEN', `conformance/vectors/authorization.json > REVOKE_TOKEN | ${INCLUDED}`),
    implemented(
      '1.4: UnmergeIntoProvisionalAccount.',
      'command:UNMERGE_PROVISIONAL_ACCOUNT',
      `conformance/vectors/account-tokens.json > UNMERGE_PROVISIONAL_ACCOUNT | ${INCLUDED}`,
    ),
    unsupported('1.4: SetAecDump.', NO_AUDIO, LISTED),
    unsupported('1.4: memory pages of 16 KB on Android.', OWN_BINARY, LISTED),
    implemented(
      '1.3: APPLICATION_DEAUTHORIZED; the event ends the account like a rejected refresh.',
      'daemon/src/auth/accounts/machine.ts | protocol/src/sdk-releases.ts',
      `unit/daemon/auth/accounts/machine.test.ts > %s has the same result: try provisional, then OAuth 2 | ${INCLUDED}`,
    ),
    implemented(
      '1.3: SetHttpRequestTimeout.',
      'command:SET_HTTP_REQUEST_TIMEOUT',
      `unit/daemon/rpc/handlers/responses.test.ts > SET_HTTP_REQUEST_TIMEOUT sets the deadline of forwarded calls | ${INCLUDED}`,
    ),
    unsupported('1.3: SetEngineManagedAudioSession.', NO_AUDIO, LISTED),
    unsupported('1.1: two more consoles.', NO_CONSOLE, LISTED),
    unsupported('1.1: GetPTTReleaseDelay.', NO_AUDIO, LISTED),
    implemented(
      '1.1: presence on a desktop without a gateway connection.',
      'command:SET_ACTIVITY | endpoint:CREATE_HEADLESS_SESSION | daemon/src/events/providers/desktop/presence-channel.ts',
      `e2e/desktop-client.test.ts > presence goes by the client with the process of the game | unit/daemon/rpc/handlers/presence.test.ts > an activity is returned as stored and shown with its session and pid | unit/sandbox/api/headless-sessions.test.ts > is made, changed by its token, and deleted | e2e/presence.test.ts > shown, changed and ended in the name of the user, each once | ${INCLUDED}`,
    ),
  ],
}
