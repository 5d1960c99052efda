/** Coverage of section 5: who signs in, by which tokens, and how that ends. */
import { NO_PORTAL } from './reasons.ts'
import { beyond, held, type Statement } from './statement.ts'

const ACCOUNTS = 'unit/daemon/auth/accounts/machine.test.ts'
const BANS = 'e2e/bans.test.ts'
const SANDBOX = 'unit/sandbox'
const VECTORS = 'conformance/vectors'

export const AUTHENTICATION: readonly Statement[] = [
  held(
    '1. Authorization is OAuth 2.0, with the arguments of section 2.1.',
    'command:AUTHORIZE | daemon/src/auth/oauth/authorizer.ts',
    'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | e2e/browser.test.ts > signing in on the page, a restart',
  ),
  held(
    '2. The code flow has a proof key: a verifier is made, its challenge passed, the code exchanged with the verifier.',
    'command:GET_TOKEN | daemon/src/auth/oauth/pkce.ts | bindings/ts/src/sign-in.ts',
    'unit/daemon/auth/oauth/token-endpoint.test.ts > exchanges a code as a public client with its proof key | unit/bindings-ts/sign-in.test.ts > asks with the challenge, exchanges with the verifier',
  ),
  held(
    '3. The state is generated when it is unset.',
    'daemon/src/auth/oauth/authorizer.ts',
    'unit/daemon/auth/oauth/authorizer.test.ts > generates another state each time, also for an empty one',
  ),
  held(
    '4. openid brings an ID token, which is checked.',
    'protocol/src/scopes.ts | daemon/src/auth/oauth/token-endpoint.ts',
    `unit/daemon/auth/oauth/id-token.test.ts > is handed on when the platform made it for this application | ${SANDBOX}/oauth/flow.test.ts > gives an ID token for openid that the published keys verify`,
  ),
  held(
    '4. The two sdk scopes stand for all that their layer needs.',
    'protocol/src/scopes.ts',
    `unit/protocol/scopes.test.ts > expands sdk.social_layer to presence and communication | ${SANDBOX}/api/operations.test.ts > is opened by an umbrella scope`,
  ),
  held(
    '4. identify.premium is for approved partners; without it premium_type is 0.',
    'protocol/src/scopes.ts | protocol/src/answers/premium.ts',
    'unit/daemon/rpc/handlers/answers.test.ts > premium_type needs identify.premium | unit/protocol/answers.test.ts > is 0 without identify.premium',
  ),
  held(
    '4. relationships.read opens the relationships of the user.',
    'protocol/src/scopes.ts | command:GET_RELATIONSHIPS',
    `${VECTORS}/desktop-social.json > GET_RELATIONSHIPS`,
  ),
  beyond(
    '4. An app gets relationships.read by accepting the terms of the social SDK, without an approval.',
    NO_PORTAL,
    'AUTHORIZE asks for the scope like for any other; what the platform refuses is answered OAUTH2_ERROR.',
  ),
  held(
    '4. guilds opens the guilds of the user.',
    'protocol/src/scopes.ts | endpoint:GET_CURRENT_USER_GUILDS',
    `unit/protocol/endpoints.test.ts > ask the scopes of the token, or being signed in | ${VECTORS}/api.json > a scope that is missing is named`,
  ),
  held(
    '4. The provided install link asks for applications.commands in both installation contexts.',
    'daemon/sandbox/src/api/current-application.ts',
    `${SANDBOX}/api/record-fields.test.ts > asks for applications.commands in both contexts`,
  ),
  held(
    '5. Tokens are bearer tokens.',
    'daemon/src/platform/api/request.ts | daemon/src/auth/oauth/oauth-wire.ts',
    'unit/daemon/platform/api/request.test.ts > carries the token in the form of its kind | unit/daemon/auth/oauth/token-endpoint.test.ts > for the endpoint being away, and keeps nothing of it',
  ),
  held(
    '5. No log of any level holds one.',
    'daemon/core/src/secret.ts | daemon/core/src/pino-logger.ts',
    'e2e/secrets.test.ts > nothing leaks | unit/core/pino-logger.test.ts > is redacted at every depth that is logged | unit/core/pino-logger.test.ts > a Secret prints as redacted under any key',
  ),
  held(
    '5. Bots authenticate with a bot token.',
    'daemon/src/rpc/handlers/forward.ts | daemon/src/auth/tokens/bot-tokens.ts',
    'unit/daemon/rpc/handlers/forward.test.ts > goes out with the token of the operator | unit/daemon/platform/api/request.test.ts > carries the token in the form of its kind',
  ),
  held(
    '6. Server-side OIDC sign-in of a provisional account returns a refresh token.',
    'daemon/sandbox/src/oauth/external-identities.ts | endpoint:REQUEST_PROVISIONAL_TOKEN',
    `${SANDBOX}/oauth/partner.test.ts > of an OIDC identity can be refreshed, which is deprecated`,
  ),
  held(
    '6. Its refresh is deprecated: the bridge keeps no refresh token of a provisional account.',
    'command:GET_PROVISIONAL_TOKEN | daemon/src/rpc/handlers/account-tokens.ts',
    'unit/daemon/rpc/handlers/account-tokens.test.ts > asks in the name of the application and keeps the token, but no refresh token',
  ),
  held(
    '6. When the token expires, the game signs in anew with a fresh token of its provider.',
    'command:GET_PROVISIONAL_TOKEN | daemon/src/auth/accounts/machine.ts',
    `${ACCOUNTS} > an expired provisional account comes back by a fresh token of its provider alone`,
  ),
  held(
    '6. It passes the new access token to UPDATE_TOKEN.',
    'command:UPDATE_TOKEN',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > binds the connection anew, and a refused token changes nothing | ${VECTORS}/account-tokens.json > UPDATE_TOKEN`,
  ),
  beyond(
    '7. Linking at the level of a publisher needs an approval.',
    NO_PORTAL,
    'EXCHANGE_CHILD_TOKEN asks the platform; what it refuses is answered UNAUTHORIZED_FOR_APPLICATION.',
  ),
  held(
    '7. Applications form a hierarchy: a child account stands and ends with its parent.',
    'daemon/src/auth/accounts/accounts.ts',
    `${ACCOUNTS} > a child ends with its parent, survives a refresh of it | ${BANS} > a child application ends with its parent, at once`,
  ),
  held(
    '7. A parent’s access token is exchanged for a child’s.',
    'command:EXCHANGE_CHILD_TOKEN | endpoint:REQUEST_CHILD_TOKEN',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > asks without a token, answers without a refresh token | ${SANDBOX}/oauth/partner.test.ts > stands for the same user in the child application`,
  ),
  held(
    '7. Confidential clients exchange from server to server: the daemon holds no client secret, and the platform refuses it.',
    'command:EXCHANGE_CHILD_TOKEN | daemon/sandbox/src/oauth/partner.ts',
    `${SANDBOX}/control/accounts.test.ts > exchanges no token with a public one, nor the reverse | unit/daemon/auth/oauth/token-endpoint.test.ts > exchanges a code as a public client with its proof key`,
  ),
  held(
    '8. Public clients revoke by themselves.',
    'command:REVOKE_TOKEN',
    'unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients | unit/daemon/auth/oauth/token-endpoint.test.ts > revokes',
  ),
  held(
    '8. Public clients unmerge by themselves.',
    'command:UNMERGE_PROVISIONAL_ACCOUNT',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > ends what the platform no longer accepts, and tells every connection | ${VECTORS}/account-tokens.json > UNMERGE_PROVISIONAL_ACCOUNT`,
  ),
  held(
    '9. Account linking can start outside the game: what the platform’s client has an entry for, the dashboard and sallyport link have too.',
    'daemon/src/events/link-entry.ts | daemon/src/cli/link.ts | event:AUTHORIZE_REQUEST',
    'e2e/live.test.ts > a game that listens is asked to link the account, exactly once | e2e/pages.test.ts > Link account asks a game that waits for it',
  ),
  held(
    '9. The game is then told by AUTHORIZE_REQUEST, for which it need not be signed in.',
    'event:AUTHORIZE_REQUEST | daemon/src/events/link-entry.ts',
    `${VECTORS}/events.json > AUTHORIZE_REQUEST | unit/daemon/events/link-entry.test.ts > reaches every session of the application that listens`,
  ),
  held(
    '10. invalid_grant at a refresh is a sign that the authorization was revoked elsewhere.',
    'daemon/src/auth/tokens/token-keeper.ts | command:REFRESH_TOKEN',
    `unit/daemon/auth/tokens/token-keeper.test.ts > deletes a grant that the platform ended, says so once, and rejects | ${BANS} > the user removes the game: the next refresh ends the sign-in`,
  ),
  held(
    '10. APPLICATION_DEAUTHORIZED drives the same transition, whoever delivers it.',
    'daemon/src/auth/accounts/machine.ts',
    `${ACCOUNTS} > is the same end: try provisional, then OAuth 2 | unit/daemon/sessions/revocation.test.ts > an application that the user removed ends for every connection`,
  ),
  held(
    '11. OIDC issuer addresses follow strict rules for host names.',
    'protocol/src/oidc-rules.ts',
    `unit/protocol/oidc-rules.test.ts > breaks the rule | unit/protocol/oidc-rules.test.ts > has every rule shown broken above | ${SANDBOX}/oauth/oidc-provider.test.ts > is refused at %s`,
  ),
  held(
    '11. Redirects are refused when the configuration is read.',
    'protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
    `${SANDBOX}/oauth/oidc-provider.test.ts > is refused at %s`,
  ),
  held(
    '11. Redirects are refused when the key set is read.',
    'protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
    `unit/protocol/oidc-rules.test.ts > a key set is a JSON object with keys, answered without a redirect | ${SANDBOX}/oauth/oidc-provider.test.ts > is refused where the key set redirects or is none`,
  ),
  held(
    '11. Changes of a configuration are checked by the same rules, and one that breaks them is not taken.',
    'daemon/sandbox/src/oauth/oidc-provider.ts',
    `${SANDBOX}/oauth/oidc-provider.test.ts > that is changed is checked like a new one`,
  ),
  held(
    '12. Channel obfuscation is opted into by capability 1 << 15 of Identify.',
    'protocol/src/gateway-intents.ts | daemon/src/platform/gateway/payload.ts',
    'unit/daemon/platform/gateway/link.test.ts > names capabilities and presence where there are some',
  ),
  held(
    '12. It is opted into by the toggle for private channels in the settings of the bot.',
    'daemon/sandbox/src/control/control.ts | daemon/sandbox/src/api/guilds.ts',
    `${SANDBOX}/api/dated-rules.test.ts > say nothing of themselves to an application that asked for that`,
  ),
  held(
    '13. Apps that reach 10,000 users need an approval for privileged intents.',
    'protocol/src/intents.ts',
    `unit/protocol/intents.test.ts > is had by its own flag below 10,000 users | ${SANDBOX}/api/dated-rules.test.ts > is needed to search, and an application can give it up`,
  ),
  held('13. An approval holds for a year.', 'protocol/src/intents.ts', 'unit/protocol/intents.test.ts > is had by approval for a year'),
  beyond(
    '13. Apps are verified apart from the review of their intents.',
    NO_PORTAL,
    'GET_CURRENT_APPLICATION tells the flags that say which intents were approved.',
  ),
]
