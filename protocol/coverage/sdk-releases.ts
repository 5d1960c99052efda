/** Coverage of section 9.1: releases of the SDK. */
import { NO_AUDIO, NO_CONSOLE } from './reasons.ts'
import { beyond, held, type Section } from './statement.ts'

const OWN_BINARY = 'It concerns the binaries of the SDK, which the game brings; the bridge is another process.'
const TOLD = 'GET_PLATFORM_CHANGES tells whether a version of the SDK lacks it.'
const BROUGHT = 'unit/protocol/sdk-releases.test.ts > %s: %s is without it, %s has it'

export const SDK_RELEASE_SECTION: Section = {
  number: '9.1',
  title: 'SDK releases',
  statements: [
    held('A version is major.minor.build.', 'protocol/src/versions.ts', 'unit/protocol/versions.test.ts > %j in July 2026 is %s'),
    held(
      'There are three minor releases a year: in April, July and November.',
      'protocol/src/versions.ts',
      'unit/protocol/versions.test.ts > is five minors wide and moves three times a year: %s | unit/protocol/versions.test.ts > moves on',
    ),
    held(
      'The five newest minors are supported: 1.6 to 1.10 from July 2026.',
      'protocol/src/versions.ts | command:GET_PLATFORM_CHANGES',
      'unit/protocol/versions.test.ts > is five minors wide and moves three times a year: %s | unit/protocol/versions.test.ts > %j in July 2026 is %s | unit/daemon/rpc/handlers/platform-facts.test.ts > says which versions of the SDK are supported, and what one lacks',
    ),
    held(
      '1.5 and earlier are at their end: such a game is served, with a warning in the log.',
      'protocol/src/versions.ts | daemon/src/ipc/connection/handshake.ts',
      'unit/daemon/sdk-support.test.ts > an old one is a warning that names it and the window, never a refusal',
    ),
    beyond(
      'New console systems are supported by new releases only, each with the consoles’ systems of about 18 months; 1.6 to 1.9 keep theirs.',
      NO_CONSOLE,
      TOLD,
    ),
    beyond('1.10: signing in on the web leaves the presentation context of an iOS app alone.', OWN_BINARY, TOLD),
    beyond('1.10, 1.9, 1.8: C# passes booleans in their right size.', OWN_BINARY, TOLD),
    beyond('1.9, 1.8: lobby events are dispatched without a crash while listeners change.', OWN_BINARY, TOLD),
    beyond('1.10: consoles need newer system SDKs, and read presence.', NO_CONSOLE, TOLD),
    beyond('1.10: presence on Android over a local transport without signing in.', OWN_BINARY, TOLD),
    beyond('1.10: voice is built on WebRTC M130.', NO_AUDIO, TOLD),
    held(
      '1.10: a message carries the additional name of its author.',
      'protocol/src/records/lobby.ts | protocol/src/sdk-releases.ts',
      `unit/sandbox/api/lobbies.test.ts > adds, changes and removes, and answers those added or changed | ${BROUGHT}`,
    ),
    held(
      '1.9: AUTHORIZE_REQUEST is subscribed again after a reconnect.',
      'bindings/ts/src/restore.ts | bindings/ts/src/subscriptions.ts | protocol/src/sdk-releases.ts',
      'unit/bindings-ts/reconnect.test.ts > everything is put back in order: AUTHORIZE_REQUEST, sign-in, the rest, presence | unit/protocol/sdk-releases.test.ts > %s lacks the fix of AUTHORIZE_REQUEST: %s',
    ),
    held(
      '1.9: accepting an invite over RPC passes the application id of the invite.',
      'command:ACCEPT_ACTIVITY_INVITE | protocol/src/sdk-releases.ts',
      `conformance/vectors/desktop-social.json > ACCEPT_ACTIVITY_INVITE | ${BROUGHT}`,
    ),
    held(
      '1.8, 1.7, 1.6: bearer tokens stay out of logs.',
      'daemon/core/src/pino-logger.ts | daemon/core/src/secret.ts',
      'unit/core/pino-logger.test.ts > %s is redacted at every depth that is logged, in child fields too | e2e/secrets.test.ts > nothing leaks | unit/protocol/sdk-releases.test.ts > %s lacks what went to three minors at once: %s',
    ),
    held(
      '1.8, 1.7, 1.6: what is released logs errors and warnings only.',
      'daemon/src/config/schema.ts | daemon/core/src/pino-logger.ts',
      'unit/daemon/config/load.test.ts > flag over environment over file over profile over default, each with its origin | unit/core/pino-logger.test.ts > lines below the level are not written',
    ),
    held(
      '1.8, 1.7, 1.6: for looking into faults there is more: the levels info and debug.',
      'daemon/src/config/schema.ts | daemon/core/src/pino-logger.ts',
      'unit/daemon/config/load.test.ts > flag over environment over file over profile over default, each with its origin | unit/core/pino-logger.test.ts > a line is one JSON object with its event, level, time and fields',
    ),
    held(
      '1.8: a message carries its moderation metadata.',
      'protocol/src/records/lobby.ts | protocol/src/records/user-message.ts | protocol/src/sdk-releases.ts',
      `unit/sandbox/api/lobby-backend.test.ts > says something about a message that readers see, in place of what it said before | unit/sandbox/api/moderation.test.ts > is set by the backend, in either order of the users, and cleared by an edit | ${BROUGHT}`,
    ),
    held(
      '1.7: Apple and console network sign-in are external identity providers.',
      'command:GET_PROVISIONAL_TOKEN | protocol/src/records/token.ts',
      `unit/sandbox/oauth/partner.test.ts > comes to be by an identity of the kind %s | ${BROUGHT}`,
    ),
    held(
      '1.7: order and properties of guild channels.',
      'endpoint:GET_GUILD_CHANNELS',
      `unit/sandbox/api/dated-rules.test.ts > are in the order of the client | unit/sandbox/api/operations.test.ts > carry position and parent; the hidden one shows to its members only | ${BROUGHT}`,
    ),
    beyond('1.7: a client can be bound to some of the processors.', OWN_BINARY, TOLD),
    beyond(
      '1.6: GetUserApplicationProfiles.',
      'The platform hands application profiles out over its gateway connection; no operation of the HTTP API lists them.',
      TOLD,
    ),
    held(
      '1.6: callbacks of authorize requests.',
      'event:AUTHORIZE_REQUEST | protocol/src/sdk-releases.ts',
      `conformance/vectors/events.json > AUTHORIZE_REQUEST | ${BROUGHT}`,
    ),
    held(
      '1.6: GetUserMessagesWithLimit answers from a cache.',
      'endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
      `unit/daemon/rpc/handlers/user-messages.test.ts > the first reading comes from the platform, in order; the next is answered without it | unit/daemon/messages/stored-history.test.ts > is given again, the newest first, when it is enough | ${BROUGHT}`,
    ),
    held(
      '1.6: a notification comes once, however often it was subscribed.',
      'command:SUBSCRIBE | event:NOTIFICATION_CREATE',
      `unit/daemon/rpc/handlers/subscription.test.ts > twice delivers once | unit/bindings-ts/reconnect.test.ts > a listener hears each event once after any number of breaks, and a closed one hears nothing | ${BROUGHT}`,
    ),
    held(
      '1.5: direct messages have a history.',
      'endpoint:GET_USER_MESSAGES',
      `conformance/vectors/user-messages.json > GET_USER_MESSAGES | unit/sandbox/api/user-messages.test.ts > shows the message to both, the newest first, with what the game attached | ${BROUGHT}`,
    ),
    held(
      '1.5: activities of the types Listening, Watching and Competing.',
      'command:SET_ACTIVITY',
      `unit/protocol/activity-input.test.ts > takes playing, listening, watching and competing, and refuses the others | conformance/vectors/set-activity.json > type 5 (competing) | ${BROUGHT}`,
    ),
    held(
      '1.5: GetCurrentUserV2.',
      'command:GET_CURRENT_USER_V2',
      `unit/daemon/rpc/handlers/platform-facts.test.ts > is empty while nobody is signed in, and asks nothing | ${BROUGHT}`,
    ),
    beyond('1.5: native sign-in on phones.', OWN_BINARY, TOLD),
    beyond('1.5: builds for Windows on ARM.', OWN_BINARY, TOLD),
    held(
      '1.4: GetLobbyMessagesWithLimit.',
      'endpoint:GET_LOBBY_MESSAGES',
      `conformance/vectors/api.json > GET_LOBBY_MESSAGES | unit/protocol/endpoints.test.ts > bound lobby messages | ${BROUGHT}`,
    ),
    held(
      '1.4: ExchangeChildToken.',
      'command:EXCHANGE_CHILD_TOKEN',
      `conformance/vectors/account-tokens.json > EXCHANGE_CHILD_TOKEN | ${BROUGHT}`,
    ),
    held('1.4: RevokeToken.', 'command:REVOKE_TOKEN', `conformance/vectors/authorization.json > REVOKE_TOKEN | ${BROUGHT}`),
    held(
      '1.4: UnmergeIntoProvisionalAccount.',
      'command:UNMERGE_PROVISIONAL_ACCOUNT',
      `conformance/vectors/account-tokens.json > UNMERGE_PROVISIONAL_ACCOUNT | ${BROUGHT}`,
    ),
    beyond('1.4: SetAecDump.', NO_AUDIO, TOLD),
    beyond('1.4: memory pages of 16 KB on Android.', OWN_BINARY, TOLD),
    held(
      '1.3: APPLICATION_DEAUTHORIZED; the event ends the account as a refused refresh does.',
      'daemon/src/auth/accounts/machine.ts | protocol/src/sdk-releases.ts',
      `unit/daemon/auth/accounts/machine.test.ts > %s is the same end: try provisional, then OAuth 2 | ${BROUGHT}`,
    ),
    held(
      '1.3: SetHttpRequestTimeout.',
      'command:SET_HTTP_REQUEST_TIMEOUT',
      `unit/daemon/rpc/handlers/answers.test.ts > SET_HTTP_REQUEST_TIMEOUT governs what is forwarded | ${BROUGHT}`,
    ),
    beyond('1.3: SetEngineManagedAudioSession.', NO_AUDIO, TOLD),
    beyond('1.1: two more consoles.', NO_CONSOLE, TOLD),
    beyond('1.1: GetPTTReleaseDelay.', NO_AUDIO, TOLD),
    held(
      '1.1: presence on a desktop without a gateway connection.',
      'command:SET_ACTIVITY | endpoint:CREATE_HEADLESS_SESSION | daemon/src/events/providers/desktop/presence-carrier.ts',
      `e2e/desktop-client.test.ts > presence goes by the client with the process of the game | unit/daemon/rpc/handlers/presence.test.ts > an activity is answered as stored and shown with the session and the pid it named | unit/sandbox/api/headless-sessions.test.ts > is made, changed by its token, and deleted | e2e/presence.test.ts > shown, changed and ended in the name of the user, each once | ${BROUGHT}`,
    ),
  ],
}
