/** Coverage of sections 5 to 7: authentication, events and errors. */
import { AUTHENTICATION } from './authentication.ts'
import { beyond, held, type Section } from './statement.ts'

const BANS = 'e2e/bans.test.ts'
const SANDBOX = 'unit/sandbox'
const INBOX = 'unit/daemon/platform/webhook/inbox.test.ts'
const WEBHOOKS = 'unit/sandbox/webhooks/webhooks.test.ts'
const VECTORS = 'conformance/vectors'

export const RULES: readonly Section[] = [
  { number: '5', title: 'Authentication', statements: AUTHENTICATION },
  {
    number: '6',
    title: 'Events',
    statements: [
      held(
        'Gateway: Channel Update comes with full data when an obfuscated channel becomes visible.',
        'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/tellings/guilds.ts',
        'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > is told when it comes into sight, in full, and when it hides | e2e/gateway.test.ts > a hidden channel says nothing of itself until it comes into sight, and hides again',
      ),
      held(
        'Gateway: channels without VIEW_CHANNEL are dispatched in their obfuscated form.',
        'event:CHANNEL_CREATE | event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/cache/guild-cache.ts',
        'unit/daemon/events/providers/gateway/cache/guild-cache.test.ts > that are hidden change only when their place does | e2e/gateway.test.ts > a hidden channel says nothing of itself until it comes into sight, and hides again',
      ),
      held(
        'Gateway: RATE_LIMITED answers too many requests for all members.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > that the platform refuses for their number are RATE_LIMITED',
      ),
      held(
        'Gateway: Guild Members Chunk answers such requests, and does not count against their limit.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > come in chunks, which make one answer, whatever is told twice or for others',
      ),
      held(
        'Gateway: GUILD_MEMBER_ADD, GUILD_MEMBER_UPDATE and GUILD_MEMBER_REMOVE keep a cache of members current.',
        'event:GUILD_MEMBER_ADD | event:GUILD_MEMBER_UPDATE | event:GUILD_MEMBER_REMOVE | daemon/src/events/providers/gateway/tellings/guilds.ts',
        'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > every row is shown above, and names an event that can be subscribed',
      ),
      held(
        'Gateway: Channel Info, asked for by opcode 43, carries status and voice_start_time.',
        'command:REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > what passes in channels is asked for and answered, the earliest question first | conformance/vectors/gateway.json > REQUEST_CHANNEL_INFO with a bot',
      ),
      held(
        'Gateway: ENTITLEMENT_CREATE and ENTITLEMENT_UPDATE tell of entitlements.',
        'event:ENTITLEMENT_CREATE | event:ENTITLEMENT_UPDATE | daemon/src/events/providers/gateway/tellings/owned.ts',
        'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > every row is shown above, and names an event that can be subscribed | e2e/gateway.test.ts > what somebody buys is told to them alone; a renewal says nothing, the end does',
      ),
      held(
        'Gateway: SUBSCRIPTION_CREATE and SUBSCRIPTION_UPDATE tell of subscriptions, with renewal_sku_ids.',
        'event:SUBSCRIPTION_CREATE | event:SUBSCRIPTION_UPDATE | daemon/src/events/providers/gateway/tellings/owned.ts',
        'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > every row is shown above, and names an event that can be subscribed | e2e/gateway.test.ts > what somebody buys is told to them alone; a renewal says nothing, the end does',
      ),
      held(
        'Audit log entries 192 and 193 tell that the status of a voice channel was set and deleted.',
        'protocol/src/audit-log.ts | daemon/sandbox/src/api/audit-writes.ts',
        `unit/protocol/administration.test.ts > has the status of voice channels | ${SANDBOX}/api/moderation.test.ts > tells the status of a voice channel when it is set, and that it was cleared`,
      ),
      held(
        'An entry of an update carries the new status among its options.',
        'protocol/src/audit-log.ts | daemon/sandbox/src/api/guilds.ts',
        `${SANDBOX}/api/moderation.test.ts > tells the status of a voice channel when it is set, and that it was cleared`,
      ),
      held(
        'Webhook: APPLICATION_AUTHORIZED, which the gateway does not have.',
        'protocol/src/records/webhook-events.ts | daemon/sandbox/src/webhooks/happenings.ts',
        `${WEBHOOKS} > a user allows the application, and removes it | ${INBOX} > is read, with what it has besides`,
      ),
      held(
        'Webhook: ENTITLEMENT_CREATE, the only event of monetization there.',
        'event:ENTITLEMENT_CREATE | daemon/src/events/providers/webhook/follow.ts',
        `${WEBHOOKS} > an entitlement is made, used up and deleted | e2e/webhooks.test.ts > a new entitlement is told to its owner, and to nobody else`,
      ),
      held(
        'Webhook: QUEST_USER_ENROLLMENT.',
        'protocol/src/records/webhook-events.ts | daemon/src/platform/webhook/inbox.ts',
        `${INBOX} > is read, with what it has besides`,
      ),
      held(
        'Webhook: APPLICATION_DEAUTHORIZED comes when a user unlinks or revokes in any way, with the user.',
        'daemon/src/events/providers/webhook/follow.ts | daemon/sandbox/src/webhooks/happenings.ts',
        `e2e/webhooks.test.ts > the user removes the game: its connections hear of it at once | ${WEBHOOKS} > is an end too`,
      ),
      held(
        'Webhook: events of game direct messages and lobbies serve moderation.',
        'daemon/src/events/providers/webhook/follow.ts | event:LOBBY_MESSAGE_CREATE | event:GAME_DIRECT_MESSAGE_CREATE | daemon/sandbox/src/webhooks/happenings.ts',
        `${WEBHOOKS} > a message is written in a lobby, edited and deleted | ${WEBHOOKS} > a direct message is written, changed and taken back | e2e/webhooks.test.ts > what the other side writes stands in a history | e2e/webhooks.test.ts > a message in a lobby is told to its members who asked for that lobby, once, with each edit and its end, and to nobody else | e2e/webhooks.test.ts > a direct message is told to both sides, once to each of their games, and to nobody else`,
      ),
      held(
        'RPC: READY is sent when the handshake is accepted, and cannot be subscribed.',
        'event:READY',
        `unit/daemon/rpc/handlers/bridge.test.ts > says what old readers need | ${VECTORS}/handshake.json > v as a number | ${VECTORS}/events-refused.json > READY`,
      ),
      held(
        'RPC: ERROR answers what cannot be done, and cannot be subscribed.',
        'event:ERROR',
        `unit/daemon/ipc/connection/connection.test.ts > that fails as expected says how | ${VECTORS}/answers.json > an unknown command | ${VECTORS}/events-refused.json > ERROR`,
      ),
      held(
        'RPC: GUILD_STATUS can be subscribed for a guild; it tells how the guild stands at once, and each change after that.',
        'event:GUILD_STATUS | daemon/src/events/providers/poll/guild-status-poll.ts',
        `${VECTORS}/guild-status.json > a guild of the user, and one of others | unit/daemon/events/providers/poll/guild-status-poll.test.ts > a change is told once, to those who are members and wanted it | e2e/live.test.ts > a game hears how its guild stands at once`,
      ),
      held(
        'AUTHORIZE_REQUEST is subscribed again after the link was lost and came back, while the game ran.',
        'event:AUTHORIZE_REQUEST | bindings/ts/src/restore.ts | daemon/src/events/providers/desktop/client-session.ts',
        'unit/bindings-ts/reconnect.test.ts > everything is put back in order: AUTHORIZE_REQUEST, sign-in, the rest, presence | e2e/live.test.ts > a game that listens is asked to link the account, exactly once | e2e/desktop-client.test.ts > after the client was killed and started again everything is back | unit/daemon/events/providers/desktop/source.test.ts > after the client came back all is there again, in order, once, within a second',
      ),
      beyond(
        'The callback for invites also runs when an invite was accepted on another device.',
        'No public source says by what the platform tells other devices that an invite was accepted.',
        'ACTIVITY_INVITE tells of the invite itself; accepted on the dashboard, or on the page of the sandbox, the game gets its ACTIVITY_JOIN.',
      ),
      held(
        'Interaction callback LAUNCH_ACTIVITY is 12, and answers commands, components and forms.',
        'protocol/src/interaction-callbacks.ts',
        `unit/protocol/interactions.test.ts > start the activity from commands, components and forms only | ${SANDBOX}/api/interactions.test.ts > can start the activity, and names its instance`,
      ),
      held(
        'Interaction callback PREMIUM_REQUIRED 10 is deprecated in favour of premium buttons.',
        'protocol/src/interaction-callbacks.ts',
        'unit/protocol/interactions.test.ts > refuse the deprecated one, and point to what replaces it',
      ),
      held(
        'Webhook events need an address, which the application sets together with their types.',
        'endpoint:EDIT_CURRENT_APPLICATION',
        `${SANDBOX}/api/record-fields.test.ts > keeps the address to which events are sent, and which | ${SANDBOX}/api/current-application.test.ts > that is not allowed`,
      ),
    ],
  },
  {
    number: '7',
    title: 'Errors',
    statements: [
      held(
        '530017: a merge of a provisional account while the linked account is banned.',
        'command:GET_TOKEN | daemon/src/auth/accounts/machine.ts',
        `unit/daemon/rpc/handlers/account-events.test.ts > that is refused with 530017 makes the provisional account in use restricted | ${BANS} > a ban: the next call ends the sign-in`,
      ),
      held(
        '160014: a forward of a message whose content the app cannot read.',
        'endpoint:CREATE_MESSAGE',
        `${SANDBOX}/api/messages.test.ts > a forward needs a channel, and that the bot can read it there`,
      ),
      held(
        'Its text says that the content cannot be read, and comes through.',
        'endpoint:CREATE_MESSAGE | daemon/src/platform/api/failure.ts',
        `${VECTORS}/messages.json > a forward of what the app cannot read`,
      ),
      held(
        '110000: a search in a guild that is not indexed yet.',
        'endpoint:SEARCH_GUILD_MESSAGES | daemon/src/platform/api/failure.ts',
        `${VECTORS}/messages.json > a guild that is not indexed yet | ${SANDBOX}/api/messages.test.ts > waits for the index, which the first search starts`,
      ),
      held(
        'invalid_grant: a refresh after the token was deleted.',
        'command:REFRESH_TOKEN',
        `unit/daemon/rpc/handlers/tokens.test.ts > that is no longer good is OAUTH2_ERROR | ${BANS} > the user removes the game: the next refresh ends the sign-in`,
      ),
      held(
        'HTTP 400: an edit that auto-moderation blocks.',
        'endpoint:EDIT_MESSAGE',
        `${VECTORS}/messages.json > an edit that auto-moderation blocks | ${SANDBOX}/api/moderation.test.ts > blocks messages and edits, until it is switched off`,
      ),
      held(
        'An embed with more than 25 fields is an error; nothing is dropped.',
        'protocol/src/records/embed.ts',
        'unit/protocol/messages.test.ts > have at most 25 fields',
      ),
      held(
        'A referrer_id for shareLink fails without a word on the platform; over a local socket it is refused by name.',
        'command:SHARE_LINK',
        'unit/protocol/embedded.test.ts > SHARE_LINK refuses referrer_id by name',
      ),
      held(
        'RATE_LIMITED answers too many requests for all members.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/asks.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > that the platform refuses for their number are RATE_LIMITED | e2e/gateway.test.ts > the bot is asked for members, as often as the platform allows',
      ),
      held(
        'A message with IS_COMPONENTS_V2 takes no content, embeds, poll or stickers.',
        'protocol/src/records/message-draft.ts',
        `unit/protocol/messages.test.ts > exclude %s | ${SANDBOX}/api/messages.test.ts > does not put content into a message of components v2`,
      ),
      held(
        'disabled on a string select of a form is an error.',
        'protocol/src/records/modal.ts',
        `unit/protocol/interactions.test.ts > have no label on a text input inside a Label, and nothing disabled | ${VECTORS}/interactions.json > forms`,
      ),
      held(
        'A text input inside a Label has no label of its own.',
        'protocol/src/records/modal.ts',
        `unit/protocol/interactions.test.ts > have no label on a text input inside a Label, and nothing disabled | ${VECTORS}/interactions.json > forms`,
      ),
    ],
  },
]
