/** Coverage of sections 1 and 2: parts of the platform, and its records. */
import { MESSAGE_RECORDS } from './message-records.ts'
import { NO_AUDIO, NO_OBJECT } from './reasons.ts'
import { RECORDS } from './records.ts'
import { unsupported, implemented, type Section } from './statement.ts'

const CHECKED = 'Arguments are validated on arrival; invalid arguments fail with INVALID_PAYLOAD and their path.'

export const RESOURCES: readonly Section[] = [
  {
    number: '1',
    title: 'What the service does',
    statements: [
      implemented(
        'Games use the platform via a client library.',
        'bindings/ts/src/client.ts',
        'e2e/example.test.ts > without a break | e2e/clients.test.ts > discord-rpc connects, authorizes, authenticates',
      ),
      unsupported(
        'That library is C++ with plugins for game engines and bindings for C#.',
        'The bridge is a process with a socket; libraries for game engines are separate products.',
        'The TypeScript binding, and every published client of the local protocol.',
      ),
      implemented(
        'Games link accounts with OAuth 2.0.',
        'command:AUTHORIZE | command:GET_TOKEN',
        'e2e/accounts.test.ts > provisional, linked, parted | e2e/browser.test.ts > signing in on the page, a restart',
      ),
      implemented(
        'Games use provisional accounts.',
        'command:GET_PROVISIONAL_TOKEN',
        'unit/daemon/rpc/handlers/account-tokens.test.ts > requests as the application and stores the token | unit/sandbox/oauth/partner.test.ts > is created at the first use of an identity',
      ),
      implemented(
        'Games set rich presence.',
        'command:SET_ACTIVITY',
        'conformance/vectors/set-activity.json > all fields | unit/daemon/presence/arbiter.test.ts > the latest is shown',
      ),
      implemented(
        'Games send and accept activity invites.',
        'command:ACTIVITY_INVITE_USER | command:ACCEPT_ACTIVITY_INVITE | command:SEND_ACTIVITY_JOIN_INVITE | daemon/src/social/game-invites.ts | daemon/src/events/providers/desktop/client-sync.ts',
        'e2e/join.test.ts > an invite contains all that ACCEPT_ACTIVITY_INVITE needs, and accepting it brings the secret | e2e/join.test.ts > the host accepts a join request, and the game of the guest gets the secret | e2e/desktop-client.test.ts > invites go through the client, and the secret comes back by it',
      ),
      implemented(
        'Games use lobbies.',
        'endpoint:CREATE_OR_JOIN_LOBBY',
        'unit/sandbox/api/lobbies.test.ts > the same secret leads to the same lobby, with both as members | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'Games send and read lobby messages, with history.',
        'endpoint:SEND_LOBBY_MESSAGE | endpoint:GET_LOBBY_MESSAGES',
        'unit/sandbox/api/lobbies.test.ts > are answered as stored, and read newest first | unit/daemon/rpc/handlers/responses.test.ts > lobby messages come the newest first',
      ),
      implemented(
        'Games send and read direct messages, with history.',
        'endpoint:SEND_USER_MESSAGE | endpoint:GET_USER_MESSAGES | daemon/src/messages/stored-history.ts',
        'e2e/message-history.test.ts > a history is requested from the platform once | unit/daemon/rpc/handlers/user-messages.test.ts > sent, edited and deleted messages appear',
      ),
      unsupported(
        'Games hold voice calls.',
        NO_AUDIO,
        'Commands and events of voice settings and voice states use the desktop client if it runs, else they fail with SERVICE_UNAVAILABLE, because only the client has the devices.',
      ),
      implemented(
        'Games link guild channels to lobbies.',
        'endpoint:LINK_CHANNEL_TO_LOBBY | endpoint:UNLINK_CHANNEL_FROM_LOBBY',
        'unit/sandbox/api/lobby-backend.test.ts > is linked by a member who may, shown, and unlinked | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'Apps and bots use an HTTP API below one configurable base URL.',
        'daemon/src/config/platforms.ts | daemon/src/platform/api/request.ts',
        'unit/daemon/config/load.test.ts > another comes from a file, without its settings part | unit/daemon/platform/api/request.test.ts > fills the path and escapes the values',
      ),
      implemented(
        'A gateway delivers events to bots.',
        'daemon/src/platform/gateway/connection.ts | daemon/src/platform/gateway/step.ts | daemon/sandbox/src/gateway/gateway.ts',
        'unit/daemon/platform/gateway/sandbox.test.ts > survives a drop, and receives the missed events | unit/daemon/platform/gateway/close-codes.test.ts > with %s: %s',
      ),
      implemented(
        'The gateway accepts commands such as Request Guild Members.',
        'command:REQUEST_GUILD_MEMBERS | command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/bot-requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > come in chunks, which form one response, despite repeated and foreign chunks | e2e/gateway.test.ts > the bot requests members, as often as the platform allows',
      ),
      implemented(
        'Webhook events are sent to a URL of the application.',
        'endpoint:EDIT_CURRENT_APPLICATION | daemon/src/platform/webhook/listener.ts | daemon/sandbox/src/webhooks/webhooks.ts',
        'unit/sandbox/webhooks/webhooks.test.ts > is verified first: a signed ping, and an unsigned one | unit/daemon/events/providers/webhook/provider.test.ts > a valid delivery is answered with 204 without a body | e2e/webhook-judge.test.ts > has signatures that the library verifies, and wrong ones that it refuses, before the address is taken',
      ),
      implemented(
        'Native apps connect to a local server over inter-process communication.',
        'daemon/src/ipc/transport/local.ts | daemon/src/ipc/connection/connection.ts',
        'unit/daemon/ipc/transport/local.test.ts > makes a private directory and a socket | unit/daemon/ipc/connection/connection.test.ts > gets READY and nothing else',
      ),
      implemented(
        'Applications respond to interactions.',
        'endpoint:CREATE_INTERACTION_RESPONSE | endpoint:CREATE_FOLLOWUP_MESSAGE',
        'unit/sandbox/api/interactions.test.ts > is a message with its interaction | conformance/endpoints.test.ts > of $name has the method, path, query, body, files, reason and token of its row',
      ),
      implemented(
        'Messages and modals contain components.',
        'protocol/src/records/components.ts | protocol/src/records/modal.ts',
        'unit/protocol/messages.test.ts > are at most five rows of buttons and selects | unit/protocol/interactions.test.ts > allow no label on a text input inside a Label, and no disabled components',
      ),
      implemented(
        'Activities in an iframe have their own commands. The bridge serves those with an equivalent to a page in the proxy; the others, and all of them over a local socket, fail with a reason.',
        'protocol/src/commands/embedded.ts | daemon/src/rpc/handlers/embedded.ts',
        'e2e/embedded.test.ts > loads through the proxy, signs in and sets its presence with the published SDK | unit/daemon/ipc/transport/rpc-websocket.test.ts > of the activity proxy may call what the bridge serves to activities | unit/protocol/tables.test.ts > makes embedded and private commands unavailable over a local socket | unit/daemon/sessions/required-scopes.test.ts > no local socket has commands of the iframe',
      ),
      implemented(
        'Premium apps sell SKUs.',
        'endpoint:LIST_SKUS',
        'unit/sandbox/api/monetization.test.ts > are the same each time, other ones for another application',
      ),
      implemented(
        'A purchase is an entitlement.',
        'endpoint:LIST_ENTITLEMENTS | endpoint:CONSUME_ENTITLEMENT',
        'unit/sandbox/api/monetization.test.ts > are made for tests, consumed once they are consumable, and deleted',
      ),
      implemented(
        'A recurring payment is a subscription.',
        'endpoint:LIST_SKU_SUBSCRIPTIONS',
        'unit/sandbox/api/monetization.test.ts > go on, will end, or ended',
      ),
    ],
  },
  {
    number: '2.1',
    title: 'AuthorizationArgs',
    statements: [
      implemented(
        'The client id is optional; the default is the id of the connection.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorize.ts',
        'unit/daemon/rpc/handlers/authorization.test.ts > accepts scopes as | unit/daemon/rpc/handlers/authorization.test.ts > for another application is INVALID_CLIENTID without a prompt',
      ),
      implemented(
        'Scopes are one text, separated by spaces.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorization-request.ts',
        'unit/protocol/authorization.test.ts > accepts scope and scopes, as a list or as text | unit/daemon/rpc/handlers/authorization.test.ts > accepts scopes as',
      ),
      implemented(
        'The default scopes for communication are openid and sdk.social_layer.',
        'protocol/src/scopes.ts',
        'unit/bindings-ts/sign-in.test.ts > the package exports the parts of a sign-in | unit/daemon/rpc/handlers/authorization.test.ts > accepts scopes as',
      ),
      implemented(
        'The default scopes for presence are openid and sdk.social_layer_presence.',
        'protocol/src/scopes.ts',
        'unit/bindings-ts/sign-in.test.ts > the package exports the parts of a sign-in',
      ),
      implemented(
        'sdk.social_layer includes all scopes that communication needs.',
        'protocol/src/scopes.ts',
        'unit/protocol/scopes.test.ts > sdk.social_layer opens presence and communication | unit/daemon/rpc/handlers/authorization.test.ts > expands umbrella scopes',
      ),
      implemented(
        'sdk.social_layer_presence includes all scopes that presence needs.',
        'protocol/src/scopes.ts',
        'unit/protocol/scopes.test.ts > sdk.social_layer_presence opens presence, not communication',
      ),
      implemented(
        'A game can request additional scopes, each of which the user must grant.',
        'command:AUTHORIZE | daemon/src/auth/oauth/authorize-url.ts | daemon/sandbox/src/pages/consent.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | unit/sandbox/oauth/consent.test.ts > shows the application, its scopes and the users',
      ),
      implemented(
        'Scopes that were not requested are not granted.',
        'daemon/src/sessions/required-scopes.ts | daemon/src/auth/grants/grants.ts',
        'e2e/permissions.test.ts > $name names the scope | unit/daemon/rpc/handlers/silent-sign-in.test.ts > gives only the granted scopes, even if another program got more',
      ),
      implemented(
        'A state of the game is used and returned.',
        'command:AUTHORIZE',
        "unit/daemon/auth/oauth/authorizer.test.ts > uses the state of the game | conformance/vectors/authorize.json > AUTHORIZE returns the game's own state",
      ),
      implemented(
        'An absent state is generated securely, which is recommended.',
        'daemon/src/auth/oauth/authorizer.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > generates another state each time, also for an empty one | unit/daemon/rpc/handlers/authorization.test.ts > returns the state of the game, and no generated one',
      ),
      implemented(
        'The nonce is passed on and checked in the ID token; without an ID token it has no effect.',
        'command:AUTHORIZE | command:GET_TOKEN | daemon/src/auth/oauth/pending-nonces.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > notes which nonce the ID token for the code must carry | unit/daemon/auth/oauth/id-token.test.ts > the nonce of an authorization | e2e/authorize.test.ts > an ID token without the nonce of the authorization',
      ),
      implemented(
        'The code challenge of a verifier is passed on.',
        'command:AUTHORIZE | daemon/src/auth/oauth/authorize-url.ts',
        'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | unit/protocol/authorization.test.ts > accepts only valid S256 challenges',
      ),
      implemented(
        'GET_TOKEN needs the verifier, so the challenge is required in practice.',
        'command:GET_TOKEN',
        'unit/protocol/authorization.test.ts > GET_TOKEN requires code, verifier and redirect URI | unit/sandbox/oauth/flow.test.ts > refuses a public client whose code was requested without a challenge',
      ),
      implemented(
        'The verifier and its challenge are generated for the game.',
        'bindings/ts/src/pkce.ts',
        'unit/bindings-ts/sign-in.test.ts > the verifier of RFC 7636 appendix B has its challenge',
      ),
      implemented(
        'The integration type is the installation context: guild or user.',
        'command:AUTHORIZE | daemon/src/rpc/handlers/authorization-request.ts',
        'unit/daemon/rpc/handlers/authorization.test.ts > before a prompt | unit/sandbox/oauth/authorize-request.test.ts > keeps what is asked for the bot and the commands of the application',
      ),
      implemented(
        'A custom scheme results in the redirect <scheme>:/authorize/callback.',
        'protocol/src/custom-scheme.ts | command:DELIVER_AUTHORIZE_CALLBACK',
        'unit/daemon/auth/oauth/authorizer.test.ts > comes back to | e2e/authorize.test.ts > a custom scheme: the system brings the answer',
      ),
      implemented(
        'Without one, the default form is <platform prefix>-<application id>:/authorize/callback.',
        'protocol/src/custom-scheme.ts',
        'unit/protocol/custom-scheme.test.ts > the default scheme contains platform and application | e2e/authorize.test.ts > without a scheme of the game, the scheme of the platform and application',
      ),
      implemented(
        'A scheme belongs to one game, which separates games and other apps.',
        'protocol/src/custom-scheme.ts',
        'unit/protocol/custom-scheme.test.ts > %s is a valid custom scheme | unit/daemon/rpc/handlers/authorization.test.ts > with custom_scheme %j requests the scheme',
      ),
      implemented(
        'All fields except the scopes are optional.',
        'command:AUTHORIZE',
        'unit/daemon/auth/oauth/authorizer.test.ts > leaves out what was not asked for | unit/daemon/rpc/handlers/authorization.test.ts > accepts scopes as',
      ),
      unsupported('Each field has a getter and a setter.', NO_OBJECT, 'A game sets the fields of AUTHORIZE itself.'),
      unsupported('The arguments object can be copied and moved.', NO_OBJECT, 'A game manages its arguments itself.'),
      unsupported('The arguments object reports whether it is valid.', NO_OBJECT, CHECKED),
      unsupported('There is an uninitialized instance of the arguments object.', NO_OBJECT, CHECKED),
    ],
  },
  {
    number: '2.2',
    title: 'Other records',
    statements: [
      ...RECORDS,
      ...MESSAGE_RECORDS,
      unsupported('Clients are created with a CPU affinity mask.', NO_AUDIO, 'Nothing: a game sets it for its own threads.'),
      unsupported('Clients are created with a choice of the audio system.', NO_AUDIO, 'Nothing: a game chooses it in its own process.'),
      unsupported(
        'Clients on Android are created with a workaround for Bluetooth headsets.',
        NO_AUDIO,
        'Nothing: a game sets it in its own process.',
      ),
    ],
  },
]
