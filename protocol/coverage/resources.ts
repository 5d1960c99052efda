/** Coverage of sections 1 and 2: what the platform is made of, and its records. */
import { MESSAGE_RECORDS } from './message-records.ts'
import { NO_AUDIO, NO_OBJECT } from './reasons.ts'
import { RECORDS } from './records.ts'
import { beyond, held, type Section } from './statement.ts'

const CHECKED = 'Arguments are checked on arrival; what is not valid is answered INVALID_PAYLOAD with its path.'

export const RESOURCES: readonly Section[] = [
  {
    number: '1',
    title: 'What the service does',
    statements: [
      held(
        'Games reach the platform through a client library.',
        'bindings/ts/src/client.ts',
        'e2e/example.test.ts > without a break | e2e/clients.test.ts > discord-rpc connects, authorizes, authenticates',
      ),
      beyond(
        'That library is C++ with plugins for game engines and bindings for C#.',
        'The bridge is a process with a socket; a library for every engine is another product.',
        'The TypeScript binding, and every published client of the local protocol.',
      ),
      held(
        'Games link accounts through OAuth 2.0.',
        'command:AUTHORIZE | command:GET_TOKEN',
        'e2e/accounts.test.ts > provisional, linked, parted | e2e/browser.test.ts > signing in on the page, a restart',
      ),
      held(
        'Games use provisional accounts.',
        'command:GET_PROVISIONAL_TOKEN',
        'unit/daemon/rpc/handlers/account-tokens.test.ts > asks in the name of the application and keeps the token | unit/sandbox/oauth/partner.test.ts > comes to be at the first use of an identity',
      ),
      held(
        'Games set rich presence.',
        'command:SET_ACTIVITY',
        'conformance/vectors/set-activity.json > everything there is | unit/daemon/presence/arbiter.test.ts > the newest is shown',
      ),
      held(
        'Games send activity invites and answer them.',
        'command:ACTIVITY_INVITE_USER | command:ACCEPT_ACTIVITY_INVITE | command:SEND_ACTIVITY_JOIN_INVITE | daemon/src/social/joins.ts | daemon/src/events/providers/desktop/client-session.ts',
        'e2e/join.test.ts > an invite is told with all that accepting takes, and accepting it brings the secret | e2e/join.test.ts > who asks to join is let in by the host, and the game of the guest learns the secret | e2e/desktop-client.test.ts > invites go through the client, and the secret comes back by it',
      ),
      held(
        'Games use lobbies.',
        'endpoint:CREATE_OR_JOIN_LOBBY',
        'unit/sandbox/api/lobbies.test.ts > the same secret leads to the same lobby, with both as members | conformance/vectors/api.json > CREATE_OR_JOIN_LOBBY',
      ),
      held(
        'Games write and read messages of lobbies, with their history.',
        'endpoint:SEND_LOBBY_MESSAGE | endpoint:GET_LOBBY_MESSAGES',
        'unit/sandbox/api/lobbies.test.ts > are answered as stored, and read newest first | unit/daemon/rpc/handlers/answers.test.ts > lobby messages come the newest first',
      ),
      held(
        'Games write and read direct messages, with their history.',
        'endpoint:SEND_USER_MESSAGE | endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
        'e2e/message-history.test.ts > a history is asked of the platform once | unit/daemon/rpc/handlers/user-messages.test.ts > what is sent, changed and taken back here shows',
      ),
      beyond(
        'Games hold voice calls.',
        NO_AUDIO,
        'Commands and events of voice settings and voice states go through the desktop client where it runs, else SERVICE_UNAVAILABLE: only it has the devices.',
      ),
      held(
        'Games link guild channels to lobbies.',
        'endpoint:LINK_CHANNEL_TO_LOBBY | endpoint:UNLINK_CHANNEL_FROM_LOBBY',
        'unit/sandbox/api/lobby-backend.test.ts > is linked by a member who may, shown, and unlinked | conformance/vectors/lobbies.json > LINK_CHANNEL_TO_LOBBY',
      ),
      held(
        'Apps and bots use an HTTP API below one base address, which is configurable.',
        'daemon/src/config/platforms.ts | daemon/src/platform/api/request.ts',
        'unit/daemon/config/load.test.ts > another comes from a file, without its settings part | unit/daemon/platform/api/request.test.ts > fills the path and escapes what is put in',
      ),
      held(
        'A gateway delivers events to bots.',
        'daemon/src/platform/gateway/link.ts | daemon/src/platform/gateway/step.ts | daemon/sandbox/src/gateway/gateway.ts',
        'unit/daemon/platform/gateway/sandbox.test.ts > survives a drop, and hears what happened meanwhile | unit/daemon/platform/gateway/close-codes.test.ts > with %s: %s',
      ),
      held(
        'The gateway takes commands such as Request Guild Members.',
        'command:REQUEST_GUILD_MEMBERS | command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/questions.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > come in chunks, which make one answer, whatever is told twice or for others | e2e/gateway.test.ts > the bot is asked for members, as often as the platform allows',
      ),
      held(
        'Webhook events go out to an address of the application.',
        'endpoint:EDIT_CURRENT_APPLICATION | daemon/src/platform/webhook/listener.ts | daemon/sandbox/src/webhooks/webhooks.ts',
        'unit/sandbox/webhooks/webhooks.test.ts > is asked first: a ping that is signed, and one that is not | unit/daemon/events/providers/webhook/webhook.test.ts > a good delivery is answered 204 without a body | e2e/webhook-judge.test.ts > has signatures that the library verifies, and wrong ones that it refuses, before the address is taken',
      ),
      held(
        'Native apps talk to a local server over inter-process communication.',
        'daemon/src/ipc/transport/local.ts | daemon/src/ipc/connection/connection.ts',
        'unit/daemon/ipc/transport/local.test.ts > makes a private directory and a socket | unit/daemon/ipc/connection/connection.test.ts > is answered with READY and nothing else',
      ),
      held(
        'Interactions are answered.',
        'endpoint:CREATE_INTERACTION_RESPONSE | endpoint:CREATE_FOLLOWUP_MESSAGE',
        'unit/sandbox/api/interactions.test.ts > is a message that says who caused it | conformance/vectors/interactions.json > CREATE_INTERACTION_RESPONSE',
      ),
      held(
        'Messages and forms are made of components.',
        'protocol/src/records/components.ts | protocol/src/records/modal.ts',
        'unit/protocol/messages.test.ts > are at most five rows of buttons and selects | unit/protocol/interactions.test.ts > have no label on a text input inside a Label',
      ),
      held(
        'Activities in an iframe have commands of their own; over a local socket they are refused with a reason.',
        'protocol/src/commands/embedded.ts',
        'unit/protocol/tables.test.ts > keeps embedded and private commands from every connection | unit/daemon/sessions/required-scopes.test.ts > nobody on a local socket reaches what belongs to the iframe',
      ),
      held(
        'Premium apps sell SKUs.',
        'endpoint:LIST_SKUS',
        'unit/sandbox/api/monetization.test.ts > are the same each time, other ones for another application',
      ),
      held(
        'What was bought is an entitlement.',
        'endpoint:LIST_ENTITLEMENTS | endpoint:CONSUME_ENTITLEMENT',
        'unit/sandbox/api/monetization.test.ts > are made for tests, consumed once they are consumable, and deleted',
      ),
      held(
        'What is paid again and again is a subscription.',
        'endpoint:LIST_SKU_SUBSCRIPTIONS',
        'unit/sandbox/api/monetization.test.ts > go on, will end, or ended',
      ),
    ],
  },
  {
    number: '2.1',
    title: 'AuthorizationArgs',
    statements: [
      held(
        'The client id is optional; unset it is the id of the connection.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorize.ts',
        'unit/daemon/rpc/handlers/authorization.test.ts > takes scopes as | unit/daemon/rpc/handlers/authorization.test.ts > for another application is INVALID_CLIENTID and asks nobody',
      ),
      held(
        'Scopes are a text with spaces between them.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorization-request.ts',
        'unit/protocol/authorization.test.ts > takes scopes under both names, as a list or as text | unit/daemon/rpc/handlers/authorization.test.ts > takes scopes as',
      ),
      held(
        'The default scopes for communication are openid and sdk.social_layer.',
        'protocol/src/scopes.ts',
        'unit/bindings-ts/sign-in.test.ts > the package has what a sign-in by steps is made of | unit/daemon/rpc/handlers/authorization.test.ts > takes scopes as',
      ),
      held(
        'The default scopes for presence are openid and sdk.social_layer_presence.',
        'protocol/src/scopes.ts',
        'unit/bindings-ts/sign-in.test.ts > the package has what a sign-in by steps is made of',
      ),
      held(
        'sdk.social_layer stands for every scope that communication needs.',
        'protocol/src/scopes.ts',
        'unit/protocol/scopes.test.ts > expands sdk.social_layer to presence and communication | unit/daemon/rpc/handlers/authorization.test.ts > expands umbrella scopes',
      ),
      held(
        'sdk.social_layer_presence stands for every scope that presence needs.',
        'protocol/src/scopes.ts',
        'unit/protocol/scopes.test.ts > expands sdk.social_layer_presence to what presence needs',
      ),
      held(
        'A game may ask for additional scopes, each of which the user must grant.',
        'command:AUTHORIZE | daemon/src/auth/oauth/authorize-url.ts | daemon/sandbox/src/pages/consent.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | unit/sandbox/oauth/consent.test.ts > shows application, scopes in words and the users',
      ),
      held(
        'What was not asked for is not granted.',
        'daemon/src/sessions/required-scopes.ts | daemon/src/auth/grants/grants.ts',
        'e2e/permissions.test.ts > $name names the scope | unit/daemon/rpc/handlers/silent-sign-in.test.ts > gives no more than was granted, though another program got more',
      ),
      held(
        'A state that the game gives is used, and given back.',
        'command:AUTHORIZE',
        "unit/daemon/auth/oauth/authorizer.test.ts > uses the state of the game | conformance/vectors/authorize.json > gives the game's own state back",
      ),
      held(
        'A state that is not given is generated securely, which is recommended.',
        'daemon/src/auth/oauth/authorizer.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > generates another state each time, also for an empty one | unit/daemon/rpc/handlers/authorization.test.ts > gives the state of the game back, and keeps one that was generated',
      ),
      held(
        'The nonce is passed on and checked in the ID token; without an ID token it means nothing.',
        'command:AUTHORIZE | command:GET_TOKEN | daemon/src/auth/oauth/expected-nonces.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > notes which nonce the ID token for the code must carry | unit/daemon/auth/oauth/id-token.test.ts > the nonce of an authorization | e2e/authorize.test.ts > an ID token without the nonce of the authorization',
      ),
      held(
        'The code challenge of a verifier is passed on.',
        'command:AUTHORIZE | daemon/src/auth/oauth/authorize-url.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | unit/protocol/authorization.test.ts > takes only S256 challenges of the right form',
      ),
      held(
        'GET_TOKEN needs the verifier, so the challenge is needed in practice.',
        'command:GET_TOKEN',
        'unit/protocol/authorization.test.ts > GET_TOKEN needs code, verifier and redirect URI | unit/sandbox/oauth/flow.test.ts > refuses a public client whose code was asked for without a challenge',
      ),
      held(
        'The verifier and its challenge are generated for the game.',
        'bindings/ts/src/pkce.ts',
        'unit/bindings-ts/sign-in.test.ts > the verifier of RFC 7636 appendix B gives its challenge',
      ),
      held(
        'The integration type tells the installation context: guild or user.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorization-request.ts',
        'unit/daemon/rpc/handlers/authorization.test.ts > before anybody is asked | unit/sandbox/oauth/authorize-request.test.ts > keeps what is asked for the bot and the commands of the application',
      ),
      held(
        'A custom scheme makes the redirect <scheme>:/authorize/callback.',
        'protocol/src/custom-scheme.ts | command:DELIVER_AUTHORIZE_CALLBACK',
        'unit/daemon/auth/oauth/authorizer.test.ts > comes back to | e2e/authorize.test.ts > a custom scheme: the system brings the answer',
      ),
      held(
        'Without one, the default form is <platform prefix>-<application id>:/authorize/callback.',
        'protocol/src/custom-scheme.ts',
        'unit/protocol/custom-scheme.test.ts > the default scheme is made of platform and application | e2e/authorize.test.ts > the scheme of the platform and application, when the game names none',
      ),
      held(
        'A scheme is a game’s own, so that games and other apps are told apart.',
        'protocol/src/custom-scheme.ts',
        'unit/protocol/custom-scheme.test.ts > is a scheme of a game | unit/daemon/rpc/handlers/authorization.test.ts > with custom_scheme %j asks for the scheme',
      ),
      held(
        'Every field but the scopes may be left out.',
        'command:AUTHORIZE',
        'unit/daemon/auth/oauth/authorizer.test.ts > leaves out what was not asked for | unit/daemon/rpc/handlers/authorization.test.ts > takes scopes as',
      ),
      beyond('Each field has a getter and a setter.', NO_OBJECT, 'A game writes the fields of AUTHORIZE itself.'),
      beyond('The arguments object can be copied and moved.', NO_OBJECT, 'A game keeps its arguments as it likes.'),
      beyond('The arguments object tells whether it is valid.', NO_OBJECT, CHECKED),
      beyond('There is an uninitialized instance of the arguments object.', NO_OBJECT, CHECKED),
    ],
  },
  {
    number: '2.2',
    title: 'Other records',
    statements: [
      ...RECORDS,
      ...MESSAGE_RECORDS,
      beyond('Clients are created with a CPU affinity mask.', NO_AUDIO, 'Nothing: a game sets it for its own threads.'),
      beyond('Clients are created with a choice of the audio system.', NO_AUDIO, 'Nothing: a game chooses it in its own process.'),
      beyond(
        'Clients on Android are created with a workaround for Bluetooth headsets.',
        NO_AUDIO,
        'Nothing: a game sets it in its own process.',
      ),
    ],
  },
]
