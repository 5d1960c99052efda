/** Coverage of section 5: signing in, tokens, and the end of authorizations. */
import { implemented, type Statement } from './statement.ts'

export const AUTHENTICATION: readonly Statement[] = [
  implemented(
    '5-1',
    '1. Authorization is OAuth 2.0, with the arguments of section 2.1.',
    'COMMANDS.AUTHORIZE.args.scopes | daemon/src/auth/oauth/authorizer.ts',
  ),
  implemented(
    '5-2',
    '2. The code flow has a proof key: a verifier is created, its challenge is passed, and the code is exchanged with the verifier.',
    'bindings/ts/src/pkce.ts#challengeOf | COMMANDS.GET_TOKEN.args.code_verifier | bindings/ts/src/sign-in.ts',
  ),
  implemented('5-3', '3. The state is generated if it is not set.', 'daemon/src/auth/oauth/authorizer.ts'),
  implemented(
    '5-4',
    '4. openid adds an ID token, which is verified.',
    'SCOPES.openid.kind | protocol/src/scopes.ts | daemon/src/auth/oauth/token-endpoint.ts',
  ),
  implemented(
    '5-5',
    '4. The two sdk scopes include all scopes of their layer.',
    'SCOPES[sdk.social_layer].expandsTo | SCOPES[sdk.social_layer_presence].expandsTo | protocol/src/scopes.ts',
  ),
  implemented(
    '5-6',
    '4. identify.premium is for approved partners; without it premium_type is 0.',
    'protocol/src/responses/premium.ts#SCOPE | daemon/sandbox/src/oauth/portal-settings.ts#RESTRICTED[identify.premium] | protocol/src/scopes.ts',
  ),
  implemented(
    '5-7',
    '4. relationships.read gives access to the relationships of the user.',
    'COMMANDS.GET_RELATIONSHIPS.requires | EVENTS.RELATIONSHIP_UPDATE.requires | daemon/src/events/providers/gateway/user-requests.ts#createUserRequests | protocol/src/scopes.ts',
  ),
  implemented(
    '5-8',
    '4. An app gets relationships.read by accepting the terms of the social SDK, without approval.',
    'daemon/sandbox/src/oauth/portal-settings.ts#RESTRICTED[relationships.read] | daemon/sandbox/src/oauth/portal-settings.ts#checkScopes',
  ),
  implemented(
    '5-9',
    '4. guilds gives access to the guilds of the user.',
    'ENDPOINTS.GET_CURRENT_USER_GUILDS.requires | protocol/src/scopes.ts',
  ),
  implemented(
    '5-10',
    '4. The provided install link requests applications.commands in both installation contexts.',
    'daemon/sandbox/src/api/current-application.ts#COMMANDS',
  ),
  implemented(
    '5-11',
    '5. Tokens are bearer tokens.',
    'daemon/src/platform/api/request.ts#AUTHORIZATION_SCHEME.user | daemon/src/auth/oauth/oauth-wire.ts',
  ),
  implemented('5-12', '5. No log level contains tokens.', 'daemon/core/src/redacted.ts#redacted | daemon/core/src/secret.ts'),
  implemented(
    '5-13',
    '5. Bots authenticate with a bot token.',
    'daemon/src/platform/api/request.ts#AUTHORIZATION_SCHEME.bot | daemon/src/auth/credentials.ts | daemon/src/auth/tokens/bot-tokens.ts',
  ),
  implemented(
    '5-14',
    '6. Server-side OIDC sign-in of a provisional account returns a refresh token.',
    'daemon/sandbox/src/oauth/partner.ts#REFRESHABLE | daemon/sandbox/src/oauth/external-identities.ts',
  ),
  implemented(
    '5-15',
    '6. Its refresh is deprecated: the bridge stores no refresh token of a provisional account.',
    'COMMANDS.GET_PROVISIONAL_TOKEN.handledBy | daemon/src/rpc/handlers/provisional-accounts.ts',
  ),
  implemented(
    '5-16',
    '6. When the token expires, the game signs in again with a fresh token of its provider.',
    'daemon/src/auth/accounts/machine.ts#PROVISIONAL.token_expired.to | daemon/src/auth/tokens/token-store.ts',
  ),
  implemented('5-17', '6. It passes the new access token to UPDATE_TOKEN.', 'COMMANDS.UPDATE_TOKEN.args.access_token'),
  implemented(
    '5-18',
    '7. Account linking for a publisher needs approval.',
    'daemon/sandbox/src/oauth/portal-settings.ts#isChildOf | ENDPOINTS.REQUEST_CHILD_TOKEN.path',
  ),
  implemented(
    '5-19',
    '7. Applications form a hierarchy: a child account ends with its parent.',
    'daemon/src/auth/accounts/machine.ts#CHILD.parent_ended.to | daemon/src/auth/accounts/accounts.ts',
  ),
  implemented(
    '5-20',
    '7. A parent’s access token is exchanged for a child’s.',
    'ENDPOINTS.REQUEST_CHILD_TOKEN.path | COMMANDS.EXCHANGE_CHILD_TOKEN.args.parent_token',
  ),
  implemented(
    '5-21',
    '7. Confidential clients exchange from server to server: the daemon has no client secret, and the platform rejects the exchange.',
    'daemon/sandbox/src/oauth/partner.ts#checkSecret',
  ),
  implemented('5-22', '8. Public clients can revoke tokens.', 'COMMANDS.REVOKE_TOKEN.handledBy'),
  implemented('5-23', '8. Public clients can unmerge accounts.', 'COMMANDS.UNMERGE_PROVISIONAL_ACCOUNT.handledBy'),
  implemented(
    '5-24',
    '9. Account linking can start outside the game: like the platform’s client, the dashboard and `sallyport link` offer it.',
    'daemon/src/events/account-link.ts#LINK_EVENT.name | daemon/src/cli/link.ts',
  ),
  implemented(
    '5-25',
    '9. The game then receives AUTHORIZE_REQUEST, which needs no sign-in.',
    'EVENTS.AUTHORIZE_REQUEST.requires | daemon/src/events/account-link.ts',
  ),
  implemented(
    '5-26',
    '10. invalid_grant at a refresh means that the authorization was revoked elsewhere.',
    'COMMANDS.REFRESH_TOKEN.handledBy | daemon/src/auth/tokens/token-store.ts',
  ),
  implemented(
    '5-27',
    '10. APPLICATION_DEAUTHORIZED causes the same transition, from any provider.',
    'daemon/src/auth/accounts/machine.ts#LINKED.deauthorized.to | daemon/src/auth/accounts/machine.ts#LINKED.deauthorized.signIn',
  ),
  implemented(
    '5-28',
    '11. OIDC issuer URLs follow strict rules for host names.',
    'ISSUER_RULES[https].holds | ISSUER_RULES[no-address].holds | ISSUER_RULES[two-labels].holds | ISSUER_RULES[public-name].holds | protocol/src/oidc-rules.ts',
  ),
  implemented(
    '5-29',
    '11. Redirects of the discovery document are rejected.',
    'discoveryProblem | protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
  ),
  implemented(
    '5-30',
    '11. Redirects of the key set are rejected.',
    'keysOf | protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
  ),
  implemented(
    '5-31',
    '11. Changes of a configuration are checked by the same rules; an invalid change is rejected.',
    'daemon/sandbox/src/oauth/oidc-provider.ts#setOidcProvider',
  ),
  implemented(
    '5-32',
    '12. Capability 1 << 15 of Identify enables channel obfuscation.',
    'GATEWAY_CAPABILITIES.CHANNEL_OBFUSCATION | protocol/src/gateway-intents.ts | daemon/src/platform/gateway/payload.ts',
  ),
  implemented(
    '5-33',
    '12. The toggle for private channels in the settings of the bot also enables it.',
    'daemon/sandbox/src/api/guilds.ts#channelView | daemon/sandbox/src/control/control.ts',
  ),
  implemented(
    '5-34',
    '13. Apps with 10,000 users need approval for privileged intents.',
    'LIMITS.privilegedIntentUsers | protocol/src/intents.ts',
  ),
  implemented(
    '5-35',
    '13. An approval is valid for a year.',
    'LIMITS.privilegedIntentDays | protocol/src/intents.ts | daemon/sandbox/src/api/application-flags.ts',
  ),
  implemented(
    '5-36',
    '13. App verification is separate from the review of intents.',
    'daemon/sandbox/src/api/application-flags.ts#flagsOf | daemon/sandbox/src/api/application-flags.ts#hasIntentOf | ENDPOINTS.GET_CURRENT_APPLICATION.path',
  ),
]
