/** Discovery documents of RFC 8414 and OpenID Connect, and the key set. */
import { SCOPES } from '@sallyport/protocol'
import { type RouteHandler, reply } from '../http/exchange.ts'
import type { Platform } from '../platform.ts'
import type { IdTokens } from './id-token.ts'

export const metadata =
  (platform: Platform): RouteHandler =>
  () => {
    const origin = platform.origin()
    return reply.json(200, {
      issuer: origin,
      authorization_endpoint: `${origin}/oauth2/authorize`,
      token_endpoint: `${origin}/api/oauth2/token`,
      device_authorization_endpoint: `${origin}/api/oauth2/device/authorize`,
      revocation_endpoint: `${origin}/api/oauth2/token/revoke`,
      userinfo_endpoint: `${origin}/api/oauth2/userinfo`,
      jwks_uri: `${origin}/api/oauth2/keys`,
      scopes_supported: Object.entries(SCOPES).flatMap(([name, { kind }]) => (kind === 'oauth' ? [name] : [])),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
  }

export const keys =
  (idTokens: IdTokens): RouteHandler =>
  async () =>
    reply.json(200, await idTokens.keySet(), { 'cache-control': 'public, max-age=3600' })
