/** Token endpoints beside OAuth 2: provisional accounts, their unmerge, and child applications. Requests and replies are JSON without a token. */
import { ENDPOINTS, type TokenResponse } from '@sallyport/protocol'
import type * as z from 'zod'
import { type ObjectRow, parseArguments } from '../api/arguments.ts'
import { ACCESS_TOKEN_SECONDS } from '../constants.ts'
import { type RouteHandler, type Call, reply } from '../http/exchange.ts'
import { PlatformError } from '../platform-error.ts'
import { clientSecretOf, type Platform } from '../platform.ts'
import { findIdentity, identityOf, provisionalAccount } from './external-identities.ts'
import type { IdTokens } from './id-token.ts'
import { isChildOf, isConfidential } from './portal-settings.ts'
import { bearerOf, openWithoutCode, revokeAll } from './sign-ins.ts'

const PROVISIONAL_SCOPES = ['openid', 'sdk.social_layer', 'account.global_name.update']
/** OIDC tokens still have a refresh token, although its use is deprecated. */
const REFRESHABLE = 'OIDC'

const argumentsOf = <Row extends { readonly args: z.ZodObject }>(row: Row, call: Call): z.output<Row['args']> =>
  parseArguments(row as unknown as ObjectRow, call) as z.output<Row['args']>

/** Refuses a wrong secret. Confidential applications need one. */
function checkSecret(platform: Platform, applicationId: string, secret: string | null | undefined): void {
  if (secret == null ? isConfidential(platform, applicationId) : secret !== clientSecretOf(applicationId))
    throw new PlatformError('wrongSecret')
}

export const requestProvisionalToken =
  (platform: Platform, idTokens: IdTokens): RouteHandler =>
  async (call) => {
    const args = argumentsOf(ENDPOINTS.REQUEST_PROVISIONAL_TOKEN, call)
    const applicationId = args.client_id
    checkSecret(platform, applicationId, args.client_secret)
    const identity = identityOf(platform, applicationId, args.external_auth_type, args.external_auth_token)
    const { userId, writes } = provisionalAccount(platform, identity)
    const { accessToken, refreshToken, scopes, authorization } = openWithoutCode(
      platform,
      { applicationId, userId, scopes: PROVISIONAL_SCOPES },
      writes,
      args.external_auth_type === REFRESHABLE,
    )
    return reply.json(200, {
      access_token: accessToken,
      id_token: await idTokens.sign(authorization, null),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken ?? null,
      scope: scopes.join(' '),
    })
  }

/** Ends the tokens of the account; the identity gets a new provisional account at its next use. */
export const unmergeProvisionalAccount =
  (platform: Platform): RouteHandler =>
  (call) => {
    const args = argumentsOf(ENDPOINTS.REQUEST_PROVISIONAL_ACCOUNT_UNMERGE, call)
    checkSecret(platform, args.client_id, args.client_secret)
    const known = findIdentity(platform, identityOf(platform, args.client_id, args.external_auth_type, args.external_auth_token))
    if (known === undefined) throw new PlatformError('unknownUser')
    if (!known.linked) throw new PlatformError('notMerged')
    revokeAll(platform, known.applicationId, known.userId)
    return reply.empty()
  }

/** For the children of the application, once the platform approved its hierarchy. */
export const requestChildToken =
  (platform: Platform): RouteHandler =>
  (call) => {
    const { parent_access_token, child_application_id, parent_client_secret } = argumentsOf(ENDPOINTS.REQUEST_CHILD_TOKEN, call)
    const parent = bearerOf(platform, parent_access_token)
    const expiresAt = parent?.token.expiresAt
    // A child token is not valid as a parent token.
    if (parent === undefined || expiresAt == null || parent.authorization.parentId !== undefined)
      throw new PlatformError('invalidAccessToken')
    const { id, applicationId, userId } = parent.authorization
    checkSecret(platform, applicationId, parent_client_secret)
    if (!isChildOf(platform, child_application_id, applicationId)) throw new PlatformError('notAuthorizedForApplication')
    const { scopes } = parent.token
    const child = openWithoutCode(platform, { applicationId: child_application_id, userId, scopes, parentId: id, accessUntil: expiresAt })
    const answer: TokenResponse = {
      access_token: child.accessToken,
      token_type: 'Bearer',
      expires_in: Math.floor((expiresAt - platform.clock.now()) / 1000),
      scope: scopes.join(' '),
    }
    return reply.json(200, answer)
  }
