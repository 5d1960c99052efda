/** Coverage of sections 5 to 7: authentication, events and errors. */
import { AUTHENTICATION } from './authentication.ts'
import { implemented, planned, type Section } from './statement.ts'

export const RULES: readonly Section[] = [
  { number: '5', title: 'Authentication', statements: AUTHENTICATION },
  {
    number: '6',
    title: 'Events',
    statements: [
      implemented(
        '6-1',
        'Gateway: Channel Update comes with full data when an obfuscated channel becomes visible.',
        'daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts#channelWhole | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts',
      ),
      implemented(
        '6-2',
        'Gateway: channels without VIEW_CHANNEL are dispatched in their obfuscated form.',
        'daemon/src/events/providers/gateway/cache/guild-cache.ts#hiddenForm | obfuscatedChannel | daemon/src/events/providers/gateway/cache/guild-cache.ts',
      ),
      implemented(
        '6-3',
        'Gateway: too many requests for all members result in RATE_LIMITED.',
        'daemon/src/events/providers/gateway/requests.ts#rateLimited | daemon/src/events/providers/gateway/requests.ts',
      ),
      implemented(
        '6-4',
        'Gateway: the response to such requests is Guild Members Chunk, which does not count against their limit.',
        'daemon/src/events/providers/gateway/requests.ts#isForAllMembers | daemon/src/events/providers/gateway/requests.ts',
      ),
      implemented(
        '6-5',
        'Gateway: GUILD_MEMBER_ADD, GUILD_MEMBER_UPDATE and GUILD_MEMBER_REMOVE keep a cache of members current.',
        'EVENTS.GUILD_MEMBER_ADD.delivery | EVENTS.GUILD_MEMBER_UPDATE.delivery | EVENTS.GUILD_MEMBER_REMOVE.delivery | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts',
      ),
      implemented(
        '6-6',
        'Gateway: Channel Info, requested with opcode 43, contains status and voice_start_time.',
        'GATEWAY_OPCODES.REQUEST_CHANNEL_INFO | daemon/src/events/providers/gateway/requests.ts',
      ),
      implemented(
        '6-7',
        'Gateway: ENTITLEMENT_CREATE and ENTITLEMENT_UPDATE are sent for entitlements.',
        'EVENTS.ENTITLEMENT_CREATE.delivery | EVENTS.ENTITLEMENT_UPDATE.delivery | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts',
      ),
      implemented(
        '6-8',
        'Gateway: SUBSCRIPTION_CREATE and SUBSCRIPTION_UPDATE are sent for subscriptions, with renewal_sku_ids.',
        'EVENTS.SUBSCRIPTION_CREATE.delivery | EVENTS.SUBSCRIPTION_UPDATE.delivery | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts',
      ),
      implemented(
        '6-9',
        'Audit log entries 192 and 193 record that the status of a voice channel was set and deleted.',
        'AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_UPDATE | AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_DELETE | protocol/src/audit-log.ts | daemon/sandbox/src/api/audit-writes.ts',
      ),
      implemented(
        '6-10',
        'An entry of an update carries the new status among its options.',
        'AUDIT_LOG_EVENTS.VOICE_CHANNEL_STATUS_UPDATE.options | protocol/src/audit-log.ts | daemon/sandbox/src/api/guilds.ts',
      ),
      implemented(
        '6-11',
        'Webhook: APPLICATION_AUTHORIZED, which the gateway does not have.',
        'WEBHOOK_EVENTS.APPLICATION_AUTHORIZED | daemon/src/events/providers/webhook/event-handlers.ts#notifyInstaller | EVENTS.APPLICATION_AUTHORIZED.delivery | protocol/src/records/webhook-events.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
      ),
      implemented(
        '6-12',
        'Webhook: ENTITLEMENT_CREATE, its only monetization event. The bridge also accepts the two that later lists of the platform add.',
        'WEBHOOK_EVENTS.ENTITLEMENT_CREATE | daemon/sandbox/src/webhooks/webhook-events.ts#mapEntitlement | daemon/sandbox/src/webhooks/webhook-events.ts#mapSubscription | daemon/src/events/providers/webhook/event-handlers.ts',
      ),
      implemented(
        '6-13',
        'Webhook: QUEST_USER_ENROLLMENT.',
        'WEBHOOK_EVENTS.QUEST_USER_ENROLLMENT | daemon/src/events/providers/webhook/event-handlers.ts#notifyEnrolled | EVENTS.QUEST_USER_ENROLLMENT.delivery | EVENTS.QUEST_ENROLLMENT_STATUS_UPDATE.delivery | protocol/src/records/webhook-events.ts | daemon/src/events/providers/webhook/event-handlers.ts',
      ),
      implemented(
        '6-14',
        'Webhook: APPLICATION_DEAUTHORIZED is sent when a user unlinks or revokes in any way, and contains the user.',
        'WEBHOOK_EVENTS.APPLICATION_DEAUTHORIZED | daemon/src/events/providers/webhook/event-handlers.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
      ),
      implemented(
        '6-15',
        'Webhook: events of game direct messages and lobbies serve moderation.',
        'WEBHOOK_EVENTS.LOBBY_MESSAGE_CREATE | WEBHOOK_EVENTS.GAME_DIRECT_MESSAGE_CREATE | daemon/src/events/providers/webhook/event-handlers.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
      ),
      implemented('6-16', 'RPC: READY is sent when the handshake is accepted, and cannot be subscribed.', 'EVENTS.READY.delivery'),
      implemented('6-17', 'RPC: ERROR is the response to a failed call, and cannot be subscribed.', 'EVENTS.ERROR.delivery'),
      implemented(
        '6-18',
        'RPC: GUILD_STATUS can be subscribed for a guild; it is sent once immediately, and then after each change.',
        'EVENTS.GUILD_STATUS.retained | daemon/src/events/providers/poll/guild-status-poll.ts',
      ),
      implemented(
        '6-19',
        'AUTHORIZE_REQUEST is subscribed again after a reconnect while the game runs.',
        'bindings/ts/src/subscriptions.ts#FIRST_EVENT | bindings/ts/src/restore.ts | daemon/src/events/providers/desktop/client-sync.ts',
      ),
      planned(
        '6-20',
        'The callback for invites also runs when an invite was accepted on another device.',
        'ACTIVITY_INVITE is sent for the invite, and not again when another device accepts it. The game that joins receives ACTIVITY_JOIN.',
      ),
      implemented(
        '6-21',
        'Interaction callback LAUNCH_ACTIVITY is 12, for commands, components and modals.',
        'INTERACTION_CALLBACKS.LAUNCH_ACTIVITY | INTERACTION_CALLBACKS.LAUNCH_ACTIVITY.answers | protocol/src/interaction-callbacks.ts',
      ),
      implemented(
        '6-22',
        'Interaction callback PREMIUM_REQUIRED 10 is deprecated in favour of premium buttons.',
        'INTERACTION_CALLBACKS.PREMIUM_REQUIRED | protocol/src/interaction-callbacks.ts',
      ),
      implemented(
        '6-23',
        'Webhook events need a URL, which the application sets together with their types.',
        'ENDPOINTS.EDIT_CURRENT_APPLICATION.args.event_webhooks_url | ENDPOINTS.EDIT_CURRENT_APPLICATION.args.event_webhooks_types',
      ),
    ],
  },
  {
    number: '7',
    title: 'Errors',
    statements: [
      implemented(
        '7-1',
        '530017: a merge of a provisional account while the linked account is banned.',
        'daemon/src/rpc/handlers/account-events.ts#MERGE_BANNED | daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.mergeBanned.code | daemon/src/auth/accounts/machine.ts',
      ),
      implemented(
        '7-2',
        '160014: a forward of a message whose content the app cannot read.',
        'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.unreadableForward.code | daemon/sandbox/src/api/message-content.ts#mayReadContent',
      ),
      implemented('7-3', 'Its message about the unreadable content is returned.', 'daemon/src/platform/api/failure.ts#sentence'),
      implemented(
        '7-4',
        '110000: a search in a guild that is not indexed yet.',
        'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.indexNotReady.code | daemon/src/platform/api/failure.ts#BY_PLATFORM_CODE.110000',
      ),
      implemented('7-5', 'invalid_grant: a refresh after the token was deleted.', 'ERRORS.OAUTH2_ERROR'),
      implemented(
        '7-6',
        'HTTP 400: an edit that auto-moderation blocks.',
        'daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.blockedByModeration.status | ENDPOINTS.EDIT_MESSAGE.path',
      ),
      implemented(
        '7-7',
        'An embed with more than 25 fields is an error; nothing is dropped.',
        'LIMITS.embedFields | protocol/src/records/embed.ts',
      ),
      implemented(
        '7-8',
        'A referrer_id for shareLink fails silently on the platform; the bridge rejects it by name to an activity.',
        'COMMANDS.SHARE_LINK.args.link_id',
      ),
      implemented(
        '7-9',
        'Too many requests for all members result in RATE_LIMITED.',
        'daemon/src/events/providers/gateway/requests.ts#rateLimited | daemon/src/events/providers/gateway/requests.ts',
      ),
      implemented(
        '7-10',
        'A message with IS_COMPONENTS_V2 has no content, embeds, poll or stickers.',
        'protocol/src/records/message-draft.ts#NOT_WITH_V2',
      ),
      implemented('7-11', 'disabled on a string select of a modal is an error.', 'protocol/src/records/modal.ts#inLabel'),
      implemented('7-12', 'A text input inside a Label has no own label.', 'protocol/src/records/modal.ts#inLabel'),
    ],
  },
]
