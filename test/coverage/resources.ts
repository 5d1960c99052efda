/** Coverage of sections 1 and 2: parts of the platform, and its records. */
import { MESSAGE_RECORDS } from './message-records.ts'
import { NO_AUDIO, OWN_PROCESS } from './reasons.ts'
import { RECORDS } from './records.ts'
import { implemented, unsupported, type Section } from './statement.ts'

export const RESOURCES: readonly Section[] = [
  {
    number: '1',
    title: 'What the service does',
    statements: [
      implemented('1-1', 'Games use the platform via a client library.', 'bindings/ts/src/client.ts'),
      implemented(
        '1-2',
        'That library is C++ with plugins for game engines and bindings for C#.',
        'bindings/cpp/include/sallyport/sdk.hpp | bindings/csharp/src/SallyportClient.cs | bindings/engines/unity/Runtime/SallyportBehaviour.cs | bindings/engines/unreal/Sallyport.uplugin | bindings/engines/godot/addons/sallyport/plugin.cfg',
      ),
      implemented('1-3', 'Games link accounts with OAuth 2.0.', 'COMMANDS.AUTHORIZE.handledBy | COMMANDS.GET_TOKEN.handledBy'),
      implemented('1-4', 'Games use provisional accounts.', 'COMMANDS.GET_PROVISIONAL_TOKEN.handledBy'),
      implemented('1-5', 'Games set rich presence.', 'COMMANDS.SET_ACTIVITY.handledBy'),
      implemented(
        '1-6',
        'Games send and accept activity invites.',
        'COMMANDS.ACTIVITY_INVITE_USER.handledBy | COMMANDS.ACCEPT_ACTIVITY_INVITE.handledBy | COMMANDS.SEND_ACTIVITY_JOIN_INVITE.handledBy | daemon/src/social/game-invites.ts | daemon/src/events/providers/desktop/client-sync.ts',
      ),
      implemented('1-7', 'Games use lobbies.', 'ENDPOINTS.CREATE_OR_JOIN_LOBBY.path'),
      implemented(
        '1-8',
        'Games send and read lobby messages, with history.',
        'ENDPOINTS.SEND_LOBBY_MESSAGE.path | ENDPOINTS.GET_LOBBY_MESSAGES.path',
      ),
      implemented(
        '1-9',
        'Games send and read direct messages, with history.',
        'ENDPOINTS.SEND_USER_MESSAGE.path | ENDPOINTS.GET_USER_MESSAGES.path | daemon/src/events/messages/stored-history.ts',
      ),
      unsupported(
        '1-10',
        'Games hold voice calls.',
        NO_AUDIO,
        'Commands and events of voice settings and voice states use the desktop client if it runs, else they fail with SERVICE_UNAVAILABLE, because only the client has the devices.',
      ),
      implemented(
        '1-11',
        'Games link guild channels to lobbies.',
        'ENDPOINTS.LINK_CHANNEL_TO_LOBBY.path | ENDPOINTS.UNLINK_CHANNEL_FROM_LOBBY.path',
      ),
      implemented(
        '1-12',
        'Apps and bots use an HTTP API below one configurable base URL.',
        'daemon/src/config/platforms.ts#loadPlatform | daemon/src/platform/api/request.ts | daemon/src/platform/api/rate-limit.ts',
      ),
      implemented(
        '1-13',
        'A gateway delivers events to bots.',
        'GATEWAY_OPCODES.DISPATCH | daemon/src/platform/gateway/connection.ts | daemon/src/platform/gateway/step.ts | daemon/sandbox/src/gateway/gateway.ts',
      ),
      implemented(
        '1-14',
        'The gateway accepts commands such as Request Guild Members.',
        'GATEWAY_OPCODES.REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/bot-requests.ts',
      ),
      implemented(
        '1-15',
        'Webhook events are sent to a URL of the application.',
        'ENDPOINTS.EDIT_CURRENT_APPLICATION.path | daemon/src/platform/webhook/listener.ts | daemon/sandbox/src/webhooks/webhooks.ts',
      ),
      implemented(
        '1-16',
        'Native apps connect to a local server over inter-process communication.',
        'daemon/src/ipc/transport/local.ts | daemon/src/ipc/connection/connection.ts',
      ),
      implemented(
        '1-17',
        'Applications respond to interactions.',
        'ENDPOINTS.CREATE_INTERACTION_RESPONSE.path | ENDPOINTS.CREATE_FOLLOWUP_MESSAGE.path',
      ),
      implemented(
        '1-18',
        'Messages and modals contain components.',
        'CREATE_BODY.components | INTERACTION_CALLBACKS.MODAL.type | protocol/src/records/components.ts | protocol/src/records/modal.ts',
      ),
      implemented(
        '1-19',
        'Activities in an iframe have their own commands. The bridge serves those with an equivalent to a page in the proxy; the others, and all of them over a local socket, fail with a reason.',
        'COMMANDS.SHARE_LINK.handledBy | daemon/src/rpc/handlers/embedded.ts#embeddedHandlers | protocol/src/commands/embedded.ts | daemon/src/rpc/handlers/embedded.ts',
      ),
      implemented('1-20', 'Premium apps sell SKUs.', 'ENDPOINTS.LIST_SKUS.path'),
      implemented('1-21', 'A purchase is an entitlement.', 'ENDPOINTS.LIST_ENTITLEMENTS.path | ENDPOINTS.CONSUME_ENTITLEMENT.path'),
      implemented('1-22', 'A recurring payment is a subscription.', 'ENDPOINTS.LIST_SKU_SUBSCRIPTIONS.path'),
      implemented(
        '1-23',
        'A lobby and its linked channel carry the messages of each other, also of authors who are no members; those of bots stay.',
        'daemon/sandbox/src/social/linked-channels.ts#toChannel | daemon/sandbox/src/social/linked-channels.ts#toLobbies',
      ),
      implemented(
        '1-24',
        'The rich presence of a user reaches the games of their friends, until it ends or expires.',
        'daemon/sandbox/src/gateway/headless-presences.ts | daemon/src/events/providers/gateway/dispatch-mappings/users.ts#relationshipPresence',
      ),
    ],
  },
  {
    number: '2.1',
    title: 'AuthorizationArgs',
    statements: [
      implemented(
        '2.1-1',
        'The client id is optional; the default is the id of the connection.',
        'COMMANDS.AUTHORIZE.args.client_id | daemon/src/rpc/handlers/authorize.ts',
      ),
      implemented(
        '2.1-2',
        'Scopes are one text, separated by spaces.',
        'COMMANDS.AUTHORIZE.args.scopes | daemon/src/rpc/handlers/authorization-request.ts',
      ),
      implemented(
        '2.1-3',
        'The default scopes for communication are openid and sdk.social_layer.',
        'DEFAULT_COMMUNICATION_SCOPES | protocol/src/scopes.ts',
      ),
      implemented(
        '2.1-4',
        'The default scopes for presence are openid and sdk.social_layer_presence.',
        'DEFAULT_PRESENCE_SCOPES | protocol/src/scopes.ts',
      ),
      implemented(
        '2.1-5',
        'sdk.social_layer includes all scopes that communication needs.',
        'SCOPES[sdk.social_layer].expandsTo | protocol/src/scopes.ts',
      ),
      implemented(
        '2.1-6',
        'sdk.social_layer_presence includes all scopes that presence needs.',
        'SCOPES[sdk.social_layer_presence].expandsTo | protocol/src/scopes.ts',
      ),
      implemented(
        '2.1-7',
        'A game can request additional scopes, each of which the user must grant.',
        'COMMANDS.AUTHORIZE.args.scopes | daemon/sandbox/src/oauth/authorize.ts#consentingUser | daemon/src/auth/oauth/authorize-url.ts | daemon/sandbox/src/pages/consent.ts',
      ),
      implemented(
        '2.1-8',
        'Scopes that were not requested are not granted.',
        'daemon/src/sessions/required-scopes.ts#requireScopes | daemon/src/auth/grants/grants.ts',
      ),
      implemented('2.1-9', 'A state of the game is used and returned.', 'COMMANDS.AUTHORIZE.args.state'),
      implemented('2.1-10', 'An absent state is generated securely, which is recommended.', 'daemon/src/auth/oauth/authorizer.ts'),
      implemented(
        '2.1-11',
        'The nonce is passed on and checked in the ID token; without an ID token it has no effect.',
        'COMMANDS.AUTHORIZE.args.nonce | daemon/src/auth/oauth/pending-nonces.ts',
      ),
      implemented(
        '2.1-12',
        'The code challenge of a verifier is passed on.',
        'COMMANDS.AUTHORIZE.args.code_challenge | daemon/src/auth/oauth/authorize-url.ts',
      ),
      implemented(
        '2.1-13',
        'GET_TOKEN needs the verifier, so the challenge is required in practice.',
        'COMMANDS.GET_TOKEN.args.code_verifier',
      ),
      implemented('2.1-14', 'The verifier and its challenge are generated for the game.', 'bindings/ts/src/pkce.ts#challengeOf'),
      implemented(
        '2.1-15',
        'The integration type is the installation context: guild or user.',
        'COMMANDS.AUTHORIZE.args.integration_type | daemon/src/rpc/handlers/authorization-request.ts',
      ),
      implemented(
        '2.1-16',
        'A custom scheme results in the redirect <scheme>:/authorize/callback.',
        'COMMANDS.AUTHORIZE.args.custom_scheme | customSchemeRedirect | protocol/src/custom-scheme.ts',
      ),
      implemented(
        '2.1-17',
        'Without one, the default form is <platform prefix>-<application id>:/authorize/callback.',
        'defaultCustomScheme | protocol/src/custom-scheme.ts',
      ),
      implemented(
        '2.1-18',
        'A scheme belongs to one game, which separates games and other apps.',
        'RESERVED_SCHEMES | isDefaultSchemeOfAnother | protocol/src/custom-scheme.ts | daemon/src/auth/oauth/authorizer.ts',
      ),
      implemented('2.1-19', 'All fields except the scopes are optional.', 'protocol/src/commands/authorize.ts'),
      implemented('2.1-20', 'Each field has a getter and a setter.', 'bindings/cpp/include/sallyport/sdk/authorization.hpp'),
      implemented('2.1-21', 'The arguments object can be copied and moved.', 'bindings/cpp/include/sallyport/sdk/object.hpp'),
      implemented('2.1-22', 'The arguments object reports whether it is valid.', 'bindings/cpp/include/sallyport/sdk/object.hpp'),
      implemented(
        '2.1-23',
        'There is an uninitialized instance of the arguments object.',
        'bindings/cpp/include/sallyport/sdk/authorization.hpp',
      ),
    ],
  },
  {
    number: '2.2',
    title: 'Other records',
    statements: [
      ...RECORDS,
      ...MESSAGE_RECORDS,
      unsupported('2.2-63', 'Clients are created with a CPU affinity mask.', OWN_PROCESS, 'Nothing: a game sets it for its own threads.'),
      unsupported(
        '2.2-64',
        'Clients are created with a choice of the audio system.',
        NO_AUDIO,
        'Nothing: a game chooses it in its own process.',
      ),
      unsupported(
        '2.2-65',
        'Clients on Android are created with a workaround for Bluetooth headsets.',
        'Apps on Android run no local bridge.',
        'Nothing: a game sets it in its own process.',
      ),
    ],
  },
]
