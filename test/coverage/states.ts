/** Coverage of section 3: states and transitions. */
import { NO_AUDIO } from './reasons.ts'
import { unsupported, implemented, type Section } from './statement.ts'

export const STATES: Section = {
  number: '3',
  title: 'States and transitions',
  statements: [
    implemented(
      '3-1',
      'A bot without VIEW_CHANNEL sees the channel in its obfuscated form.',
      'obfuscatedChannel | protocol/src/responses/channels.ts | daemon/sandbox/src/api/guilds.ts',
    ),
    implemented(
      '3-2',
      'The gateway still dispatches a channel that a bot can no longer view, in its obfuscated form.',
      'daemon/src/events/providers/gateway/cache/guild-cache.ts#hiddenForm | obfuscatedChannel | daemon/src/events/providers/gateway/cache/guild-cache.ts | daemon/sandbox/src/gateway/gateway-events/channels.ts',
    ),
    implemented(
      '3-3',
      'A bot that gains access receives a Channel Update with all data.',
      'daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts#channelWhole | daemon/sandbox/src/gateway/gateway-events/visibility.ts#visibilityEvents | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts',
    ),
    implemented(
      '3-4',
      'An entitlement of an active subscription has no end; an entitlement of an ended subscription has ends_at.',
      'Entitlement.ends_at | protocol/src/records/entitlement.ts',
    ),
    implemented(
      '3-5',
      'ENTITLEMENT_UPDATE is dispatched when a subscription ends, and no event at its renewals.',
      'daemon/sandbox/src/gateway/gateway-events/monetization.ts#mapSubscription | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts',
    ),
    implemented(
      '3-6',
      'Entitlements were migrated at their renewal from 1 October to 1 November 2024, from type 8 to type 1.',
      'VERSIONS[entitlement-migration] | VERSIONS[entitlement-migration].until | protocol/src/versions.ts',
    ),
    implemented(
      '3-7',
      'ENTITLEMENT_CREATE is dispatched once for such a renewal, which is not a new entitlement.',
      'daemon/sandbox/src/gateway/gateway-events/monetization.ts#mapSubscription | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts | daemon/sandbox/src/gateway/gateway-events/monetization.ts',
    ),
    implemented(
      '3-8',
      'A ban of the linked account ends its tokens at once.',
      'daemon/src/auth/accounts/machine.ts#LINKED.banned.to | daemon/src/auth/accounts/machine.ts#LINKED.banned.effects | daemon/src/sessions/revocation.ts',
    ),
    implemented(
      '3-9',
      'A ban creates a new restricted provisional account with the external identity of the banned account.',
      'daemon/sandbox/src/oauth/ban-user.ts#banUser | daemon/sandbox/src/oauth/ban-user.ts',
    ),
    implemented(
      '3-10',
      'Merges of that account fail with 530017 until the ban is lifted.',
      'daemon/src/rpc/handlers/account-events.ts#MERGE_BANNED | daemon/sandbox/src/platform-error.ts#PLATFORM_ERRORS.mergeBanned.code | daemon/src/auth/accounts/machine.ts',
    ),
    implemented('3-11', 'A permanent ban rejects merges permanently.', 'daemon/sandbox/src/oauth/bans.ts#isBanned'),
    implemented(
      '3-12',
      'Unlinking, revoking and a ban make the token invalid.',
      'COMMANDS.REVOKE_TOKEN.handledBy | COMMANDS.UNMERGE_PROVISIONAL_ACCOUNT.handledBy | daemon/src/sessions/revocation.ts',
    ),
    implemented(
      '3-13',
      'A refresh of such a token fails with invalid_grant.',
      'COMMANDS.REFRESH_TOKEN.handledBy | daemon/src/auth/tokens/token-store.ts',
    ),
    implemented(
      '3-14',
      'The platform sends APPLICATION_DEAUTHORIZED to the webhook URL of the application.',
      'WEBHOOK_EVENTS.APPLICATION_DEAUTHORIZED | daemon/sandbox/src/webhooks/webhook-events.ts#mapAuthorization | daemon/src/events/providers/webhook/event-handlers.ts',
    ),
    unsupported(
      '3-15',
      'A call can become Disconnected after a short network loss; the caller ends it and joins again.',
      NO_AUDIO,
      'Voice commands fail with SERVICE_UNAVAILABLE without the desktop client.',
    ),
  ],
}
