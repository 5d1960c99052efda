/** Coverage of section 3: states and transitions. */
import { NO_AUDIO } from './reasons.ts'
import { unsupported, implemented, type Section } from './statement.ts'

export const STATES: Section = {
  number: '3',
  title: 'States and transitions',
  statements: [
    implemented(
      'A bot without VIEW_CHANNEL sees the channel in its obfuscated form.',
      'protocol/src/responses/channels.ts | daemon/sandbox/src/api/guilds.ts',
      'unit/protocol/responses.test.ts > that are hidden have an obfuscated form | unit/sandbox/api/dated-rules.test.ts > are obfuscated for an application with the setting, until they are left out',
    ),
    implemented(
      'The gateway still dispatches a channel that a bot can no longer view, in its obfuscated form.',
      'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/cache/guild-cache.ts | daemon/sandbox/src/gateway/gateway-events/channels.ts',
      'unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > is published in full when it becomes visible, and when it becomes hidden | unit/sandbox/gateway/guilds-channels.test.ts > are shown and hidden by a change of roles | e2e/gateway.test.ts > a hidden channel reveals nothing until it becomes visible, and can be hidden again',
    ),
    implemented(
      'A bot that gains access receives a Channel Update with all data.',
      'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/dispatch-mappings/guilds.ts | daemon/sandbox/src/gateway/gateway-events/visibility.ts',
      'unit/sandbox/gateway/guilds-channels.test.ts > are shown and hidden by a change of roles | unit/sandbox/api/permissions.test.ts > shows a channel, and its end hides it again | unit/daemon/events/providers/gateway/dispatch-mappings/dispatch-mappings.test.ts > is published in full when it becomes visible, and when it becomes hidden | e2e/gateway.test.ts > a hidden channel reveals nothing until it becomes visible, and can be hidden again',
    ),
    implemented(
      'An entitlement of an active subscription has no end; an entitlement of an ended subscription has ends_at.',
      'protocol/src/records/entitlement.ts | endpoint:LIST_ENTITLEMENTS',
      'unit/sandbox/api/monetization.test.ts > come from subscriptions: open while they go on, with an end when they ended | unit/protocol/records.test.ts > Entitlement knows ends_at',
    ),
    implemented(
      'ENTITLEMENT_UPDATE is dispatched when a subscription ends, and no event at its renewals.',
      'event:ENTITLEMENT_UPDATE | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts | daemon/sandbox/src/gateway/gateway-events/monetization.ts',
      'e2e/gateway.test.ts > a purchase reaches its buyer alone; a renewal sends no event, the end sends one',
    ),
    implemented(
      'Entitlements were migrated at their renewal from 1 October to 1 November 2024, from type 8 to type 1.',
      'protocol/src/versions.ts | endpoint:LIST_ENTITLEMENTS',
      'unit/sandbox/api/dated-rules.test.ts > is an application subscription before the migration, and a purchase from then on | unit/protocol/versions.test.ts > ends for a temporary change',
    ),
    implemented(
      'ENTITLEMENT_CREATE is dispatched once for such a renewal, which is not a new entitlement.',
      'event:ENTITLEMENT_CREATE | daemon/src/events/providers/gateway/dispatch-mappings/monetization.ts | daemon/sandbox/src/gateway/gateway-events/monetization.ts',
      'e2e/gateway.test.ts > a purchase reaches its buyer alone; a renewal sends no event, the end sends one | unit/sandbox/gateway/relationships-monetization.test.ts > renewed during the migration send their entitlement once, as if it were new',
    ),
    implemented(
      'A ban of the linked account ends its tokens at once.',
      'daemon/src/auth/accounts/machine.ts | daemon/src/sessions/revocation.ts',
      'unit/daemon/auth/accounts/machine.test.ts > a ban of a linked account: tokens deleted at once, sessions ended, the provisional path offered | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    implemented(
      'A ban creates a new restricted provisional account with the external identity of the banned account.',
      'command:GET_PROVISIONAL_TOKEN | daemon/sandbox/src/oauth/ban-user.ts',
      'unit/sandbox/control/accounts.test.ts > gives the identity that was linked a new provisional account, which stays the same and is restricted | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    implemented(
      'Merges of that account fail with 530017 until the ban is lifted.',
      'command:GET_TOKEN | daemon/src/auth/accounts/machine.ts',
      'unit/daemon/rpc/handlers/account-events.test.ts > rejected with 530017 makes the provisional account in use restricted, and the error contains that state | unit/daemon/auth/accounts/machine.test.ts > the provisional account made after a ban refuses merges until the ban is lifted | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    implemented(
      'A permanent ban rejects merges permanently.',
      'daemon/sandbox/src/oauth/bans.ts',
      'unit/sandbox/control/accounts.test.ts > with an end is over by itself; one without never',
    ),
    implemented(
      'Unlinking, revoking and a ban make the token invalid.',
      'command:REVOKE_TOKEN | command:UNMERGE_PROVISIONAL_ACCOUNT | daemon/src/sessions/revocation.ts',
      'unit/daemon/sessions/revocation.test.ts > that is stored ends the authorization everywhere | unit/daemon/rpc/handlers/account-tokens.test.ts > ends the accounts whose tokens the platform no longer accepts, and notifies every connection | unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients, TOKEN_REVOKED for ours, nothing for others | unit/sandbox/control/accounts.test.ts > loses all tokens and the link to the identity',
    ),
    implemented(
      'A refresh of such a token fails with invalid_grant.',
      'command:REFRESH_TOKEN | daemon/src/auth/tokens/token-store.ts',
      'unit/daemon/auth/tokens/token-store.test.ts > deletes a grant that the platform ended, says so once, and rejects | e2e/bans.test.ts > the user removes the game: the next refresh ends the sign-in',
    ),
    implemented(
      'The platform sends APPLICATION_DEAUTHORIZED to the webhook URL of the application.',
      'daemon/src/events/providers/webhook/event-handlers.ts | daemon/sandbox/src/webhooks/webhook-events.ts',
      'e2e/webhooks.test.ts > the user removes the game: its connections hear of it at once | unit/sandbox/webhooks/webhooks.test.ts > the last sign-in ends it, once',
    ),
    unsupported(
      'A call can become Disconnected after a short network loss; the caller ends it and joins again.',
      NO_AUDIO,
      'Voice commands fail with SERVICE_UNAVAILABLE without the desktop client.',
    ),
  ],
}
