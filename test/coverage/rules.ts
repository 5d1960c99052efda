/** Coverage of sections 5 to 7: authentication, events and errors. */
import { AUTHENTICATION } from './authentication.ts'
import { unsupported, implemented, type Section } from './statement.ts'

const BANS = 'e2e/bans.test.ts'
const SANDBOX = 'unit/sandbox'
const WEBHOOK_HANDLERS = 'unit/daemon/events/providers/webhook/event-handlers.test.ts'
const WEBHOOKS = 'unit/sandbox/webhooks/webhooks.test.ts'
const VECTORS = 'conformance/vectors'

export const RULES: readonly Section[] = [
  { number: '5', title: 'Authentication', statements: AUTHENTICATION },
  {
    number: '6',
    title: 'Events',
    statements: [
      implemented(
        'Gateway: Channel Update comes with full data when an obfuscated channel becomes visible.',
        'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts',
        'unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > is published in full when it becomes visible, and when it becomes hidden | e2e/gateway.test.ts > a hidden channel reveals nothing until it becomes visible, and can be hidden again',
      ),
      implemented(
        'Gateway: channels without VIEW_CHANNEL are dispatched in their obfuscated form.',
        'event:CHANNEL_CREATE | event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/cache/guild-cache.ts',
        'unit/daemon/events/providers/gateway/cache/guild-cache.test.ts > that are hidden change only with their position | e2e/gateway.test.ts > a hidden channel reveals nothing until it becomes visible, and can be hidden again',
      ),
      implemented(
        'Gateway: too many requests for all members result in RATE_LIMITED.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > that the platform limits are RATE_LIMITED',
      ),
      implemented(
        'Gateway: the response to such requests is Guild Members Chunk, which does not count against their limit.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > come in chunks, which form one response, despite repeated and foreign chunks',
      ),
      implemented(
        'Gateway: GUILD_MEMBER_ADD, GUILD_MEMBER_UPDATE and GUILD_MEMBER_REMOVE keep a cache of members current.',
        'event:GUILD_MEMBER_ADD | event:GUILD_MEMBER_UPDATE | event:GUILD_MEMBER_REMOVE | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts',
        'unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > every mapping is tested above, and names an event that can be subscribed',
      ),
      implemented(
        'Gateway: Channel Info, requested with opcode 43, contains status and voice_start_time.',
        'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > channel info is requested and received, the earliest request first | conformance/vectors/gateway.json > REQUEST_CHANNEL_INFO with a bot',
      ),
      implemented(
        'Gateway: ENTITLEMENT_CREATE and ENTITLEMENT_UPDATE are sent for entitlements.',
        'event:ENTITLEMENT_CREATE | event:ENTITLEMENT_UPDATE | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts',
        'unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > every mapping is tested above, and names an event that can be subscribed | e2e/gateway.test.ts > a purchase reaches its buyer alone; a renewal sends no event, the end sends one',
      ),
      implemented(
        'Gateway: SUBSCRIPTION_CREATE and SUBSCRIPTION_UPDATE are sent for subscriptions, with renewal_sku_ids.',
        'event:SUBSCRIPTION_CREATE | event:SUBSCRIPTION_UPDATE | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts',
        'unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > every mapping is tested above, and names an event that can be subscribed | e2e/gateway.test.ts > a purchase reaches its buyer alone; a renewal sends no event, the end sends one',
      ),
      implemented(
        'Audit log entries 192 and 193 record that the status of a voice channel was set and deleted.',
        'protocol/src/audit-log.ts | daemon/sandbox/src/api/audit-writes.ts',
        `unit/protocol/administration.test.ts > has voice channel status entries, with the new status in options | ${SANDBOX}/api/moderation.test.ts > has the set and the cleared status of a voice channel`,
      ),
      implemented(
        'An entry of an update carries the new status among its options.',
        'protocol/src/audit-log.ts | daemon/sandbox/src/api/guilds.ts',
        `${SANDBOX}/api/moderation.test.ts > has the set and the cleared status of a voice channel`,
      ),
      implemented(
        'Webhook: APPLICATION_AUTHORIZED, which the gateway does not have.',
        'event:APPLICATION_AUTHORIZED | protocol/src/records/webhook-events.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
        `${WEBHOOKS} > a user allows the application, and removes it | ${WEBHOOK_HANDLERS} > is published to the user who made it, without private fields`,
      ),
      implemented(
        'Webhook: ENTITLEMENT_CREATE, its only monetization event. The bridge also accepts the two that later lists of the platform add.',
        'event:ENTITLEMENT_CREATE | daemon/src/events/providers/webhook/event-handlers.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
        `${WEBHOOKS} > an entitlement is made; that it is used up and deleted is sent by the gateway alone | ${WEBHOOKS} > the start of a subscription is the only event of it | e2e/webhooks.test.ts > a new entitlement reaches its owner, and no other user`,
      ),
      implemented(
        'Webhook: QUEST_USER_ENROLLMENT.',
        'event:QUEST_USER_ENROLLMENT | event:QUEST_ENROLLMENT_STATUS_UPDATE | daemon/src/events/providers/webhook/event-handlers.ts',
        `${WEBHOOK_HANDLERS} > is published to the user, named %s, and is the status of the quest | ${WEBHOOKS} > a user enrolls in a quest`,
      ),
      implemented(
        'Webhook: APPLICATION_DEAUTHORIZED is sent when a user unlinks or revokes in any way, and contains the user.',
        'daemon/src/events/providers/webhook/event-handlers.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
        `e2e/webhooks.test.ts > the user removes the game: its connections hear of it at once | ${WEBHOOKS} > is an end too`,
      ),
      implemented(
        'Webhook: events of game direct messages and lobbies serve moderation.',
        'daemon/src/events/providers/webhook/event-handlers.ts | event:LOBBY_MESSAGE_CREATE | event:GAME_DIRECT_MESSAGE_CREATE | daemon/sandbox/src/webhooks/webhook-events.ts',
        `${WEBHOOKS} > a message is written in a lobby, edited and deleted | ${WEBHOOKS} > a direct message is written, changed and taken back | e2e/webhooks.test.ts > a new message of the other user appears in a cached history | e2e/webhooks.test.ts > a lobby message, its edits and its deletion reach the subscribed members once, and no other user | e2e/webhooks.test.ts > a direct message reaches each game of both users once, and no other game`,
      ),
      implemented(
        'RPC: READY is sent when the handshake is accepted, and cannot be subscribed.',
        'event:READY',
        `unit/daemon/rpc/handlers/bridge.test.ts > contains the fields that old clients need | ${VECTORS}/handshake.json > v as a number | ${VECTORS}/events-refused.json > READY`,
      ),
      implemented(
        'RPC: ERROR is the response to a failed call, and cannot be subscribed.',
        'event:ERROR',
        `unit/daemon/ipc/connection/connection.test.ts > that fails with a BridgeError returns it | ${VECTORS}/responses.json > an unknown command | ${VECTORS}/events-refused.json > ERROR`,
      ),
      implemented(
        'RPC: GUILD_STATUS can be subscribed for a guild; it is sent once immediately, and then after each change.',
        'event:GUILD_STATUS | daemon/src/events/providers/poll/guild-status-poll.ts',
        `${VECTORS}/guild-status.json > a guild of the user, and one of others | unit/daemon/events/providers/poll/guild-status-poll.test.ts > a change is published once, to subscribed members | e2e/live.test.ts > a game gets the state of its guild at once`,
      ),
      implemented(
        'AUTHORIZE_REQUEST is subscribed again after a reconnect while the game runs.',
        'event:AUTHORIZE_REQUEST | bindings/ts/src/restore.ts | daemon/src/events/providers/desktop/client-sync.ts',
        'unit/bindings-ts/reconnect.test.ts > restores everything in order: AUTHORIZE_REQUEST, sign-in, other subscriptions, presence | e2e/live.test.ts > a subscribed game gets AUTHORIZE_REQUEST exactly once | e2e/desktop-client.test.ts > after the client was killed and started again everything is back | unit/daemon/events/providers/desktop/provider.test.ts > restores all state in order, once, within a second after the client restarts',
      ),
      unsupported(
        'The callback for invites also runs when an invite was accepted on another device.',
        'It is undocumented how the platform notifies other devices that an invite was accepted.',
        'ACTIVITY_INVITE is sent for the invite; if it is accepted on the dashboard or the sandbox page, the game receives ACTIVITY_JOIN.',
      ),
      implemented(
        'Interaction callback LAUNCH_ACTIVITY is 12, for commands, components and modals.',
        'protocol/src/interaction-callbacks.ts',
        `unit/protocol/interactions.test.ts > start the activity only from commands, components and modals | ${SANDBOX}/api/interactions.test.ts > can start the activity, and names its instance`,
      ),
      implemented(
        'Interaction callback PREMIUM_REQUIRED 10 is deprecated in favour of premium buttons.',
        'protocol/src/interaction-callbacks.ts',
        'unit/protocol/interactions.test.ts > reject the deprecated callback and name its replacement',
      ),
      implemented(
        'Webhook events need a URL, which the application sets together with their types.',
        'endpoint:EDIT_CURRENT_APPLICATION',
        `${SANDBOX}/api/record-fields.test.ts > keeps the address to which events are sent, and which | ${SANDBOX}/api/current-application.test.ts > that is not allowed`,
      ),
    ],
  },
  {
    number: '7',
    title: 'Errors',
    statements: [
      implemented(
        '530017: a merge of a provisional account while the linked account is banned.',
        'command:GET_TOKEN | daemon/src/auth/accounts/machine.ts',
        `unit/daemon/rpc/handlers/account-events.test.ts > rejected with 530017 makes the provisional account in use restricted | ${BANS} > a ban: the next call ends the sign-in`,
      ),
      implemented(
        '160014: a forward of a message whose content the app cannot read.',
        'endpoint:CREATE_MESSAGE | daemon/sandbox/src/api/message-content.ts',
        `${SANDBOX}/api/message-content.test.ts > cannot be forwarded: 160014; with the intent it can | ${SANDBOX}/api/messages.test.ts > a forward needs a channel, and that the bot can read it there`,
      ),
      implemented(
        'Its message about the unreadable content is returned.',
        'endpoint:CREATE_MESSAGE | daemon/src/platform/api/failure.ts',
        `conformance/vectors/forwarding.json > a forward of a message that the app cannot read`,
      ),
      implemented(
        '110000: a search in a guild that is not indexed yet.',
        'endpoint:SEARCH_GUILD_MESSAGES | daemon/src/platform/api/failure.ts',
        `conformance/vectors/forwarding.json > a guild that is not indexed yet | ${SANDBOX}/api/messages.test.ts > waits for the index, which the first search starts`,
      ),
      implemented(
        'invalid_grant: a refresh after the token was deleted.',
        'command:REFRESH_TOKEN',
        `unit/daemon/rpc/handlers/tokens.test.ts > with an invalid token is OAUTH2_ERROR | ${BANS} > the user removes the game: the next refresh ends the sign-in`,
      ),
      implemented(
        'HTTP 400: an edit that auto-moderation blocks.',
        'endpoint:EDIT_MESSAGE',
        `conformance/endpoints.test.ts > of $name that is an error reaches the game with its status, code, message and fields | ${SANDBOX}/api/moderation.test.ts > blocks messages and edits, until it is switched off`,
      ),
      implemented(
        'An embed with more than 25 fields is an error; nothing is dropped.',
        'protocol/src/records/embed.ts',
        'unit/protocol/messages.test.ts > have at most 25 fields',
      ),
      implemented(
        'A referrer_id for shareLink fails silently on the platform; the bridge rejects it by name to an activity.',
        'command:SHARE_LINK',
        'unit/daemon/ipc/transport/rpc-websocket.test.ts > of the activity proxy may call what the bridge serves to activities | unit/protocol/embedded.test.ts > SHARE_LINK rejects referrer_id by name, which other bridges ignore silently',
      ),
      implemented(
        'Too many requests for all members result in RATE_LIMITED.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > that the platform limits are RATE_LIMITED | e2e/gateway.test.ts > the bot requests members, as often as the platform allows',
      ),
      implemented(
        'A message with IS_COMPONENTS_V2 has no content, embeds, poll or stickers.',
        'protocol/src/records/message-draft.ts',
        `unit/protocol/messages.test.ts > exclude %s | ${SANDBOX}/api/messages.test.ts > does not put content into a message of components v2`,
      ),
      implemented(
        'disabled on a string select of a modal is an error.',
        'protocol/src/records/modal.ts',
        'unit/protocol/interactions.test.ts > allow no label on a text input inside a Label, and no disabled components',
      ),
      implemented(
        'A text input inside a Label has no own label.',
        'protocol/src/records/modal.ts',
        'unit/protocol/interactions.test.ts > allow no label on a text input inside a Label, and no disabled components',
      ),
    ],
  },
]
