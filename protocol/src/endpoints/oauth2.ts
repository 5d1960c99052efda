/** Endpoints of OAuth 2. */
import * as z from 'zod'
import { withAllowedPremium } from '../responses/premium.ts'
import { AuthorizationInformation, UserInfo } from '../records/application.ts'
import { ExternalAuthToken, ExternalAuthType, TokenResponse } from '../records/token.ts'
import { Snowflake, text } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

export const getCurrentAuthorizationInformation = defineEndpoint({
  name: 'GET_CURRENT_AUTHORIZATION_INFORMATION',
  summary: 'Get the application, scopes and expiry of the token and, with identify, the user.',
  method: 'GET',
  path: '/oauth2/@me',
  params: () => ({}),
  response: AuthorizationInformation,
  auth: 'user',
  requires: NO_SCOPE,
  idempotency: 'safe',
  platformErrors: [40001, 50025],
  shapeResponse: ({ user, ...rest }, { scopes }) => ({
    ...rest,
    ...(user === undefined ? {} : { user: withAllowedPremium(user, scopes) }),
  }),
  provenance: 'documented',
})

/**
 * The token endpoint. It has no own command, because a game must not choose grant types and client secrets freely:
 * GET_TOKEN and REFRESH_TOKEN are its commands. Its errors are shaped by RFC 6749, not by the platform's JSON codes;
 * `invalid_grant` at a refresh means the same as a revoked authorization.
 */
export const getOpenidConnectUserInfo = defineEndpoint({
  name: 'GET_OPENID_CONNECT_USER_INFO',
  summary: 'Get the OpenID Connect claims of the user. The e-mail address requires the scope email.',
  method: 'GET',
  path: '/oauth2/userinfo',
  params: () => ({}),
  response: UserInfo,
  auth: 'user',
  requires: anyOf('openid'),
  idempotency: 'safe',
  platformErrors: [50025],
  provenance: 'api-description',
})

export const requestToken = defineEndpoint({
  name: 'REQUEST_TOKEN',
  summary:
    'Exchange an authorization code or a device code, or refresh. Used through GET_TOKEN, GET_TOKEN_FROM_DEVICE and REFRESH_TOKEN only.',
  method: 'POST',
  path: '/oauth2/token',
  params: () => ({}),
  body: () => ({
    grant_type: z.enum(['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']),
    client_id: Snowflake(),
    client_secret: z.string().optional(),
    code: z.string().optional(),
    redirect_uri: z.string().optional(),
    code_verifier: text(43, 128).optional(),
    refresh_token: z.string().optional(),
    device_code: z.string().optional(),
    external_auth_type: ExternalAuthType().optional(),
    external_auth_token: ExternalAuthToken().optional(),
  }),
  encoding: 'form',
  response: TokenResponse,
  auth: 'client',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [50025, 530014, 530016, 530017, 530023],
  provenance: 'documented',
})
