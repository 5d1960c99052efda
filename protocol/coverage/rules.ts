/** Coverage of sections 5 to 7: authentication, events and errors. */
import { NO_GATEWAY } from './operations.ts'
import { beyond, held, type Section } from './statement.ts'

const NO_WEBHOOK = 'The bridge has no webhook listener in this version.'

export const RULES: readonly Section[] = [
  {
    number: '5',
    title: 'Authentication',
    statements: [
      held('1. Authorization is OAuth 2.0.', 'command:AUTHORIZE', ''),
      held('2. The code flow uses a proof key: verifier, challenge, exchange.', 'command:GET_TOKEN | daemon/src/auth/pkce.ts', ''),
      held('3. The state is generated when it is unset.', 'daemon/src/auth/authorizer.ts', ''),
      held('4. identify.premium is for approved partners; without it premium_type is 0.', '', ''),
      held('4. relationships.read is a scope of its own for activities.', 'protocol/src/scopes.ts', ''),
      held('4. guilds is a scope of its own.', 'protocol/src/scopes.ts', ''),
      held('4. applications.commands belongs to both installation contexts of the provided install link.', '', ''),
      held('5. Tokens are bearer tokens, and no log of any level holds one.', 'daemon/src/core/secret.ts', ''),
      held('5. Bots authenticate with a bot token.', 'daemon/src/commands/forward.ts', ''),
      held(
        '6. Server-side OIDC sign-in of a provisional account returns a refresh token, whose refresh grant is deprecated.',
        'command:GET_PROVISIONAL_TOKEN',
        '',
      ),
      held(
        '6. When the token expires, the game signs in anew at its provider and passes the new access token to UPDATE_TOKEN.',
        'command:UPDATE_TOKEN',
        '',
      ),
      held('7. A parent’s access token is exchanged for a child’s.', 'command:EXCHANGE_CHILD_TOKEN', ''),
      held('7. Confidential clients exchange server to server: the daemon holds no client secret of theirs.', '', ''),
      held('8. Public clients revoke and unmerge by themselves.', 'command:REVOKE_TOKEN | command:UNMERGE_PROVISIONAL_ACCOUNT', ''),
      held('9. Account linking can start outside the game, which then gets AUTHORIZE_REQUEST.', 'event:AUTHORIZE_REQUEST', ''),
      held('10. invalid_grant at a refresh is an out-of-band sign of revocation.', '', ''),
      held('10. APPLICATION_DEAUTHORIZED drives the same transition.', '', ''),
      held('11. OIDC issuer addresses follow strict rules for host names.', '', ''),
      held('11. Redirects are refused at discovery and at the key set.', '', ''),
      held('11. Changes of a configuration are checked by the same rules.', '', ''),
      beyond(
        '12. Channel obfuscation is opted into by capability 1 << 15 of Identify.',
        NO_GATEWAY,
        'The sandbox has the toggle; answers of the HTTP API are taken as they come.',
      ),
      held('13. Apps that reach 10,000 users must apply for privileged intents, and again each year.', '', ''),
    ],
  },
  {
    number: '6',
    title: 'Events',
    statements: [
      beyond(
        'Gateway: Channel Update, obfuscated channel dispatches, RATE_LIMITED, Guild Members Chunk, member events, Channel Info.',
        NO_GATEWAY,
        'The rows stand in the events table where games can subscribe to them.',
      ),
      beyond(
        'Gateway: ENTITLEMENT_CREATE, ENTITLEMENT_UPDATE, SUBSCRIPTION_CREATE and SUBSCRIPTION_UPDATE.',
        NO_GATEWAY,
        'LIST_ENTITLEMENTS and LIST_SKU_SUBSCRIPTIONS.',
      ),
      held('Audit log entries 192 and 193 tell of voice channel statuses; an update carries the status.', '', ''),
      beyond(
        'Webhook: APPLICATION_AUTHORIZED, ENTITLEMENT_CREATE, QUEST_USER_ENROLLMENT, game direct message and lobby events.',
        NO_WEBHOOK,
        'A studio’s backend receives them.',
      ),
      held('Webhook: APPLICATION_DEAUTHORIZED ends the account; the transition is there for whoever delivers it.', '', ''),
      held('RPC: READY is sent when the handshake is accepted.', 'event:READY', ''),
      held('RPC: ERROR answers what cannot be done.', 'event:ERROR', ''),
      held('RPC: GUILD_STATUS can be subscribed.', 'event:GUILD_STATUS', ''),
      held(
        'AUTHORIZE_REQUEST is subscribed again after the link to the bridge was lost and came back.',
        'event:AUTHORIZE_REQUEST | bindings/ts/src',
        '',
      ),
      beyond('The invite callback also runs when an invite was accepted on another device.', NO_GATEWAY, 'Nothing reaches this machine.'),
      held('Interaction callback LAUNCH_ACTIVITY is 12, and answers commands, components and modals.', '', ''),
      held('Interaction callback PREMIUM_REQUIRED 10 is deprecated in favour of premium buttons.', '', ''),
      held('Webhook delivery needs a configured address.', 'endpoint:EDIT_CURRENT_APPLICATION', ''),
    ],
  },
  {
    number: '7',
    title: 'Errors',
    statements: [
      held('530017: a merge while the linked account is banned.', '', ''),
      held('160014: a forward of a message whose content cannot be read; the text says so.', 'endpoint:CREATE_MESSAGE', ''),
      held('110000: a search in a guild that is not indexed yet.', 'endpoint:SEARCH_GUILD_MESSAGES', ''),
      held('invalid_grant: a refresh after the token was deleted.', '', ''),
      held('HTTP 400: an edit that auto-moderation blocks.', 'endpoint:EDIT_MESSAGE', ''),
      held('An embed with more than 25 fields is an error.', 'protocol/src/records/embed.ts', ''),
      held(
        'A referrer_id for shareLink fails without a word on the platform; over a local socket the command is refused with a reason.',
        'command:SHARE_LINK',
        '',
      ),
      beyond('RATE_LIMITED answers too many requests for all members.', NO_GATEWAY, 'No command asks the gateway.'),
      held('A message with IS_COMPONENTS_V2 takes no content, embeds, poll or stickers.', 'protocol/src/records/message-draft.ts', ''),
      held('disabled on a string select of a modal is an error.', '', ''),
      held('A text input inside a Label has no label of its own.', '', ''),
    ],
  },
]
