/** Coverage of section 3: states and what leads from one to another. */
import { NO_AUDIO } from './reasons.ts'
import { beyond, held, type Section } from './statement.ts'

export const STATES: Section = {
  number: '3',
  title: 'States and transitions',
  statements: [
    held(
      'A bot without VIEW_CHANNEL sees the channel in its obfuscated form.',
      'protocol/src/answers/channels.ts | daemon/sandbox/src/api/guilds.ts',
      'unit/protocol/answers.test.ts > that are hidden say only that they are there | unit/sandbox/api/dated-rules.test.ts > say nothing of themselves to an application that asked for that, until they are left out',
    ),
    held(
      'The gateway still dispatches a channel of which a bot lost sight, in its obfuscated form.',
      'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/cache/guild-cache.ts | daemon/sandbox/src/gateway/occurrences/channels.ts',
      'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > is told when it comes into sight, in full, and when it hides | e2e/gateway.test.ts > a hidden channel says nothing of itself until it comes into sight, and hides again',
    ),
    held(
      'A bot that gains access gets a Channel Update with all data.',
      'event:CHANNEL_UPDATE | daemon/src/events/providers/gateway/tellings/guilds.ts',
      'unit/daemon/events/providers/gateway/tellings/tellings.test.ts > is told when it comes into sight, in full, and when it hides | e2e/gateway.test.ts > a hidden channel says nothing of itself until it comes into sight, and hides again',
    ),
    held(
      'An entitlement of a subscription that goes on has no end; one of a subscription that ended has ends_at.',
      'protocol/src/records/entitlement.ts | endpoint:LIST_ENTITLEMENTS',
      'unit/sandbox/api/monetization.test.ts > come from subscriptions: open while they go on, with an end when they ended | unit/protocol/records.test.ts > Entitlement knows ends_at',
    ),
    held(
      'ENTITLEMENT_UPDATE is dispatched when a subscription ends, and no event at its renewals.',
      'event:ENTITLEMENT_UPDATE | daemon/src/events/providers/gateway/tellings/owned.ts | daemon/sandbox/src/gateway/occurrences/monetization.ts',
      'e2e/gateway.test.ts > what somebody buys is told to them alone; a renewal says nothing, the end does',
    ),
    held(
      'Entitlements were migrated at their renewal from 1 October to 1 November 2024, from type 8 to type 1.',
      'protocol/src/versions.ts | endpoint:LIST_ENTITLEMENTS',
      'unit/sandbox/api/dated-rules.test.ts > is an application subscription before the migration, and a purchase from then on | unit/protocol/versions.test.ts > ends where a change was for a time only',
    ),
    held(
      'ENTITLEMENT_CREATE is dispatched once for such a renewal, which is no new entitlement.',
      'event:ENTITLEMENT_CREATE | daemon/src/events/providers/gateway/tellings/owned.ts | daemon/sandbox/src/gateway/occurrences/monetization.ts',
      'e2e/gateway.test.ts > what somebody buys is told to them alone; a renewal says nothing, the end does | unit/sandbox/gateway/people-goods.test.ts > renewed in the days of the migration tell of their entitlement once, as if it were new',
    ),
    held(
      'A ban of the linked account ends its tokens at once.',
      'daemon/src/auth/accounts/machine.ts | daemon/src/sessions/revocation.ts',
      'unit/daemon/auth/accounts/machine.test.ts > a ban of a linked account: tokens deleted at once, sessions ended, the provisional path offered | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    held(
      'A banned account leaves a new provisional account behind, restricted, with the external identity it had.',
      'command:GET_PROVISIONAL_TOKEN | daemon/sandbox/src/oauth/ban-user.ts',
      'unit/sandbox/control/accounts.test.ts > gives the identity that was linked a new provisional account, which stays the same and is restricted | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    held(
      'Merges of that account are answered 530017 until the ban is lifted.',
      'command:GET_TOKEN | daemon/src/auth/accounts/machine.ts',
      'unit/daemon/rpc/handlers/account-events.test.ts > that is refused with 530017 makes the provisional account in use restricted, and says so | unit/daemon/auth/accounts/machine.test.ts > the provisional account made after a ban refuses merges until the ban is lifted | e2e/bans.test.ts > a ban: the next call ends the sign-in; provisional goes on, merges wait until the ban is lifted',
    ),
    held(
      'A ban without an end refuses merges for good.',
      'daemon/sandbox/src/oauth/bans.ts',
      'unit/sandbox/control/accounts.test.ts > with an end is over by itself; one without never',
    ),
    held(
      'Unlinking, revoking and a ban make the token invalid.',
      'command:REVOKE_TOKEN | command:UNMERGE_PROVISIONAL_ACCOUNT | daemon/src/sessions/revocation.ts',
      'unit/daemon/sessions/revocation.test.ts > which is stored ends the authorization everywhere | unit/daemon/rpc/handlers/account-tokens.test.ts > ends what the platform no longer accepts, and tells every connection | unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients, TOKEN_REVOKED for ours, nothing for others | unit/sandbox/control/accounts.test.ts > loses all tokens and the link to the identity',
    ),
    held(
      'A refresh of such a token is answered invalid_grant.',
      'command:REFRESH_TOKEN | daemon/src/auth/tokens/token-keeper.ts',
      'unit/daemon/auth/tokens/token-keeper.test.ts > deletes a grant that the platform ended, says so once, and rejects | e2e/bans.test.ts > the user removes the game: the next refresh ends the sign-in',
    ),
    held(
      'The platform sends APPLICATION_DEAUTHORIZED to the webhook address of the application.',
      'daemon/src/events/providers/webhook/follow.ts | daemon/sandbox/src/webhooks/happenings.ts',
      'e2e/webhooks.test.ts > the user removes the game: its connections hear of it at once | unit/sandbox/webhooks/webhooks.test.ts > the last sign-in ends it, once',
    ),
    beyond(
      'A call may become Disconnected after a short loss of network; the caller ends it and joins again.',
      NO_AUDIO,
      'Commands about voice answer SERVICE_UNAVAILABLE without the desktop client.',
    ),
  ],
}
