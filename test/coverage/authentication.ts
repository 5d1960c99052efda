/** Coverage of section 5: signing in, tokens, and the end of authorizations. */
import { implemented, type Statement } from './statement.ts'

const ACCOUNTS = 'unit/daemon/auth/accounts/machine.test.ts'
const BANS = 'e2e/bans.test.ts'
const SANDBOX = 'unit/sandbox'
const VECTORS = 'conformance/vectors'

export const AUTHENTICATION: readonly Statement[] = [
  implemented(
    '1. Authorization is OAuth 2.0, with the arguments of section 2.1.',
    'command:AUTHORIZE | daemon/src/auth/oauth/authorizer.ts',
    'unit/daemon/auth/oauth/authorizer.test.ts > asks for everything that was asked of it | e2e/browser.test.ts > signing in on the page, a restart',
  ),
  implemented(
    '2. The code flow has a proof key: a verifier is created, its challenge is passed, and the code is exchanged with the verifier.',
    'command:GET_TOKEN | daemon/src/auth/oauth/pkce.ts | bindings/ts/src/sign-in.ts',
    'unit/daemon/auth/oauth/token-endpoint.test.ts > exchanges a code as a public client with its proof key | unit/bindings-ts/sign-in.test.ts > authorizes with the challenge, exchanges with the verifier',
  ),
  implemented(
    '3. The state is generated if it is not set.',
    'daemon/src/auth/oauth/authorizer.ts',
    'unit/daemon/auth/oauth/authorizer.test.ts > generates another state each time, also for an empty one',
  ),
  implemented(
    '4. openid adds an ID token, which is verified.',
    'protocol/src/scopes.ts | daemon/src/auth/oauth/token-endpoint.ts',
    `unit/daemon/auth/oauth/id-token.test.ts > is handed on when the platform made it for this application | ${SANDBOX}/oauth/flow.test.ts > gives an ID token for openid that the published keys verify`,
  ),
  implemented(
    '4. The two sdk scopes include all scopes of their layer.',
    'protocol/src/scopes.ts',
    `unit/protocol/scopes.test.ts > sdk.social_layer opens presence and communication | ${SANDBOX}/api/operations.test.ts > is opened by an umbrella scope`,
  ),
  implemented(
    '4. identify.premium is for approved partners; without it premium_type is 0.',
    'protocol/src/scopes.ts | protocol/src/responses/premium.ts | daemon/sandbox/src/oauth/portal-settings.ts',
    'unit/sandbox/oauth/portal-settings.test.ts > is refused until the application has the setting, and names the scope | unit/sandbox/api/dated-rules.test.ts > is 0 again when the application loses its approval | unit/daemon/rpc/handlers/responses.test.ts > premium_type needs identify.premium | unit/protocol/responses.test.ts > is 0 without identify.premium, and unchanged with it',
  ),
  implemented(
    '4. relationships.read gives access to the relationships of the user.',
    'protocol/src/scopes.ts | command:GET_RELATIONSHIPS | event:RELATIONSHIP_UPDATE | daemon/src/events/providers/gateway/user-requests.ts',
    `${VECTORS}/without-client.json > GET_RELATIONSHIPS | unit/daemon/events/providers/gateway/user-requests.test.ts > are those of READY, with the presence of friends and the activity of this application | unit/daemon/rpc/handlers/client-first.test.ts > relationships come from the gateway`,
  ),
  implemented(
    '4. An app gets relationships.read by accepting the terms of the social SDK, without approval.',
    'daemon/sandbox/src/oauth/portal-settings.ts | command:AUTHORIZE',
    `${SANDBOX}/oauth/portal-settings.test.ts > is refused until the application has the setting, and names the scope | ${SANDBOX}/oauth/portal-settings.test.ts > is refused for devices and client credentials too`,
  ),
  implemented(
    '4. guilds gives access to the guilds of the user.',
    'protocol/src/scopes.ts | endpoint:GET_CURRENT_USER_GUILDS',
    `unit/protocol/endpoints.test.ts > require the scopes of the token, or a sign-in; unavailable rows require nothing, so every caller gets the reason | conformance/vectors/forwarding.json > a missing scope is named`,
  ),
  implemented(
    '4. The provided install link requests applications.commands in both installation contexts.',
    'daemon/sandbox/src/api/current-application.ts',
    `${SANDBOX}/api/record-fields.test.ts > requests applications.commands in both contexts`,
  ),
  implemented(
    '5. Tokens are bearer tokens.',
    'daemon/src/platform/api/request.ts | daemon/src/auth/oauth/oauth-wire.ts',
    'unit/daemon/platform/api/request.test.ts > has the authorization scheme of the token kind | unit/daemon/auth/oauth/token-endpoint.test.ts > for the endpoint being away, and keeps nothing of it',
  ),
  implemented(
    '5. No log level contains tokens.',
    'daemon/core/src/secret.ts | daemon/core/src/pino-logger.ts',
    'e2e/secrets.test.ts > nothing leaks | unit/core/pino-logger.test.ts > is redacted at every depth that is logged | unit/core/pino-logger.test.ts > a Secret prints as redacted under any key',
  ),
  implemented(
    '5. Bots authenticate with a bot token.',
    'daemon/src/auth/credentials.ts | daemon/src/auth/tokens/bot-tokens.ts',
    'unit/daemon/rpc/handlers/forward.test.ts > uses the token of the operator | unit/daemon/platform/api/request.test.ts > has the authorization scheme of the token kind',
  ),
  implemented(
    '6. Server-side OIDC sign-in of a provisional account returns a refresh token.',
    'daemon/sandbox/src/oauth/external-identities.ts | endpoint:REQUEST_PROVISIONAL_TOKEN',
    `${SANDBOX}/oauth/partner.test.ts > of an OIDC identity can be refreshed, which is deprecated`,
  ),
  implemented(
    '6. Its refresh is deprecated: the bridge stores no refresh token of a provisional account.',
    'command:GET_PROVISIONAL_TOKEN | daemon/src/rpc/handlers/provisional-accounts.ts',
    'unit/daemon/rpc/handlers/account-tokens.test.ts > requests as the application and stores the token, but no refresh token',
  ),
  implemented(
    '6. When the token expires, the game signs in again with a fresh token of its provider.',
    'command:GET_PROVISIONAL_TOKEN | daemon/src/auth/accounts/machine.ts',
    `${ACCOUNTS} > an expired provisional account needs a new token of its provider`,
  ),
  implemented(
    '6. It passes the new access token to UPDATE_TOKEN.',
    'command:UPDATE_TOKEN',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > signs the connection in again, and a rejected token changes nothing | ${VECTORS}/account-tokens.json > UPDATE_TOKEN`,
  ),
  implemented(
    '7. Account linking for a publisher needs approval.',
    'daemon/sandbox/src/oauth/portal-settings.ts | endpoint:REQUEST_CHILD_TOKEN',
    `${SANDBOX}/oauth/partner.test.ts > is for a child of the approved parent only: approval and hierarchy are settings`,
  ),
  implemented(
    '7. Applications form a hierarchy: a child account ends with its parent.',
    'daemon/src/auth/accounts/accounts.ts',
    `${ACCOUNTS} > a child ends with its parent, stays after a refresh of the parent | ${BANS} > a child application ends with its parent, at once`,
  ),
  implemented(
    '7. A parent’s access token is exchanged for a child’s.',
    'command:EXCHANGE_CHILD_TOKEN | endpoint:REQUEST_CHILD_TOKEN',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > requests without a token, returns no refresh token | ${SANDBOX}/oauth/partner.test.ts > stands for the same user in the child application`,
  ),
  implemented(
    '7. Confidential clients exchange from server to server: the daemon has no client secret, and the platform rejects the exchange.',
    'command:EXCHANGE_CHILD_TOKEN | daemon/sandbox/src/oauth/partner.ts',
    `${SANDBOX}/control/accounts.test.ts > exchanges no token with a public one, nor the reverse | unit/daemon/auth/oauth/token-endpoint.test.ts > exchanges a code as a public client with its proof key`,
  ),
  implemented(
    '8. Public clients can revoke tokens.',
    'command:REVOKE_TOKEN',
    'unit/daemon/rpc/handlers/tokens.test.ts > ends every use: 4003 for old clients | unit/daemon/auth/oauth/token-endpoint.test.ts > revokes',
  ),
  implemented(
    '8. Public clients can unmerge accounts.',
    'command:UNMERGE_PROVISIONAL_ACCOUNT',
    `unit/daemon/rpc/handlers/account-tokens.test.ts > ends the accounts whose tokens the platform no longer accepts, and notifies every connection | ${VECTORS}/account-tokens.json > UNMERGE_PROVISIONAL_ACCOUNT`,
  ),
  implemented(
    '9. Account linking can start outside the game: like the platform’s client, the dashboard and `sallyport link` offer it.',
    'daemon/src/events/account-link.ts | daemon/src/cli/link.ts | event:AUTHORIZE_REQUEST',
    'e2e/live.test.ts > a subscribed game gets AUTHORIZE_REQUEST exactly once | e2e/pages.test.ts > Link account asks a game that waits for it',
  ),
  implemented(
    '9. The game then receives AUTHORIZE_REQUEST, which needs no sign-in.',
    'event:AUTHORIZE_REQUEST | daemon/src/events/account-link.ts',
    'conformance/events.test.ts > $name arrives as published, only from SUBSCRIBE until UNSUBSCRIBE | unit/daemon/events/account-link.test.ts > reaches every subscribed session of the application',
  ),
  implemented(
    '10. invalid_grant at a refresh means that the authorization was revoked elsewhere.',
    'daemon/src/auth/tokens/token-store.ts | command:REFRESH_TOKEN',
    `unit/daemon/auth/tokens/token-store.test.ts > deletes a grant that the platform ended, says so once, and rejects | ${BANS} > the user removes the game: the next refresh ends the sign-in`,
  ),
  implemented(
    '10. APPLICATION_DEAUTHORIZED causes the same transition, from any provider.',
    'daemon/src/auth/accounts/machine.ts',
    `${ACCOUNTS} > has the same result: try provisional, then OAuth 2 | unit/daemon/sessions/revocation.test.ts > an application that the user removed ends for every session`,
  ),
  implemented(
    '11. OIDC issuer URLs follow strict rules for host names.',
    'protocol/src/oidc-rules.ts',
    `unit/protocol/oidc-rules.test.ts > %s violates the rule %s | unit/protocol/oidc-rules.test.ts > has a violation of every rule above | ${SANDBOX}/oauth/oidc-provider.test.ts > is refused at %s`,
  ),
  implemented(
    '11. Redirects of the discovery document are rejected.',
    'protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
    `${SANDBOX}/oauth/oidc-provider.test.ts > is refused at %s`,
  ),
  implemented(
    '11. Redirects of the key set are rejected.',
    'protocol/src/oidc-rules.ts | daemon/sandbox/src/oauth/oidc-provider.ts',
    `unit/protocol/oidc-rules.test.ts > a key set is a JSON object with keys, returned without a redirect | ${SANDBOX}/oauth/oidc-provider.test.ts > is refused where the key set redirects or is none`,
  ),
  implemented(
    '11. Changes of a configuration are checked by the same rules; an invalid change is rejected.',
    'daemon/sandbox/src/oauth/oidc-provider.ts',
    `${SANDBOX}/oauth/oidc-provider.test.ts > that is changed is checked like a new one`,
  ),
  implemented(
    '12. Capability 1 << 15 of Identify enables channel obfuscation.',
    'protocol/src/gateway-intents.ts | daemon/src/platform/gateway/payload.ts',
    'unit/daemon/platform/gateway/connection.test.ts > includes capabilities and presence if present',
  ),
  implemented(
    '12. The toggle for private channels in the settings of the bot also enables it.',
    'daemon/sandbox/src/control/control.ts | daemon/sandbox/src/api/guilds.ts',
    `${SANDBOX}/api/dated-rules.test.ts > are obfuscated for an application with the setting`,
  ),
  implemented(
    '13. Apps with 10,000 users need approval for privileged intents.',
    'protocol/src/intents.ts',
    `unit/protocol/intents.test.ts > is enabled by its own flag only below 10,000 users | ${SANDBOX}/api/dated-rules.test.ts > is needed to search, and an application can give it up`,
  ),
  implemented(
    '13. An approval is valid for a year.',
    'protocol/src/intents.ts | daemon/sandbox/src/api/application-flags.ts',
    `unit/protocol/intents.test.ts > is enabled by approval for a year | ${SANDBOX}/api/privileged-intents.test.ts > is needed from 10,000 users on, and lasts a year`,
  ),
  implemented(
    '13. App verification is separate from the review of intents.',
    'daemon/sandbox/src/api/application-flags.ts | endpoint:GET_CURRENT_APPLICATION',
    `${SANDBOX}/api/privileged-intents.test.ts > is not verification: neither gives the other`,
  ),
]
