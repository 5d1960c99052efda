/** Commands of signing in and of tokens. */
import * as z from 'zod'
import { Authentication } from '../records/application.ts'
import { ExternalAuthToken, ExternalAuthType, KeptTokens } from '../records/token.ts'
import { nothing, Snowflake, text } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

const CodeVerifier = z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~')

const Token = text(1, 10_240)

export const authenticate = defineCommand({
  name: 'AUTHENTICATE',
  summary:
    'Sign this connection in. Without a token the stored grant of this program and application is used: of user_id, or the newest that needs no question.',
  answeredBy: 'bridge',
  requires: NO_SCOPE,
  args: z.strictObject({ access_token: Token.nullish(), user_id: Snowflake.nullish() }).nullish(),
  data: Authentication,
  errors: ['INVALID_TOKEN', 'INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'documented',
})

export const getToken = defineCommand({
  name: 'GET_TOKEN',
  summary:
    'Exchange an authorization code for tokens. The bridge keeps them for this program and refreshes them. With an external identity its provisional account is merged.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({
    code: text(1, 2048),
    code_verifier: CodeVerifier,
    redirect_uri: text(1, 2048).meta({ description: 'As AUTHORIZE answered it.' }),
    application_id: Snowflake.optional(),
    external_auth_type: ExternalAuthType.optional().meta({ description: 'With external_auth_token: whose provisional account is merged.' }),
    external_auth_token: ExternalAuthToken.optional(),
  }),
  data: KeptTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION'],
  provenance: 'sallyport',
})

export const refreshToken = defineCommand({
  name: 'REFRESH_TOKEN',
  summary: 'New tokens for a refresh token. invalid_grant means that the authorization is gone.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ refresh_token: Token, application_id: Snowflake.optional() }),
  data: KeptTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})

export const revokeToken = defineCommand({
  name: 'REVOKE_TOKEN',
  summary: 'Revoke a token, and with it every token of this user and application.',
  destructive: true,
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ token: Token, application_id: Snowflake.optional() }),
  data: nothing,
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})

export const forgetTokens = defineCommand({
  name: 'FORGET_TOKENS',
  summary: 'Sign out: revoke and delete the stored tokens of the application of this connection.',
  destructive: true,
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ application_id: Snowflake.optional() }).nullish(),
  data: nothing,
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})
