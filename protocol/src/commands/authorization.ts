/** Commands for signing in and for tokens. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Authentication } from '../records/application.ts'
import { ExternalAuthToken, ExternalAuthType, StoredTokens } from '../records/token.ts'
import { empty, Snowflake, text } from '../schema/index.ts'
import { anyOf, NO_SCOPE } from '../scopes.ts'
import { defineCommand } from './define.ts'

const CodeVerifier = once(() => z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~'))

const Token = once(() => text(1, 10_240))

/** Programs without a stored token send an empty one, and expect INVALID_TOKEN. */
const TokenOrEmpty = once(() => text(0, 10_240))

export const authenticate = defineCommand({
  name: 'AUTHENTICATE',
  summary:
    'Sign this connection in. Without access_token, the bridge uses a stored grant of this program and application: of user_id, or the newest that needs no consent prompt. If nothing is stored and the client has no contract, the bridge asks the user to authorize the default scopes for presence. An access_token that is null or empty is INVALID_TOKEN.',
  handledBy: 'bridge',
  requires: NO_SCOPE,
  args: () => z.strictObject({ access_token: TokenOrEmpty().nullish(), user_id: Snowflake().nullish() }).nullish(),
  data: Authentication,
  errors: ['INVALID_TOKEN', 'INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'documented',
})

export const getToken = defineCommand({
  name: 'GET_TOKEN',
  summary:
    'Exchange an authorization code for tokens. The bridge stores and refreshes them for this program. With an external identity, its provisional account is merged.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z.strictObject({
      code: text(1, 2048),
      code_verifier: CodeVerifier(),
      redirect_uri: text(1, 2048).meta({ description: 'As returned by AUTHORIZE.' }),
      application_id: Snowflake().optional(),
      external_auth_type: ExternalAuthType().optional().meta({
        description: 'Type of external_auth_token; the provisional account of this identity is merged.',
      }),
      external_auth_token: ExternalAuthToken().optional(),
    }),
  data: StoredTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION'],
  provenance: 'sallyport',
})

export const refreshToken = defineCommand({
  name: 'REFRESH_TOKEN',
  summary: 'Exchange a refresh token for new tokens. invalid_grant means that the authorization was revoked.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ refresh_token: Token(), application_id: Snowflake().optional() }),
  data: StoredTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})

export const revokeToken = defineCommand({
  name: 'REVOKE_TOKEN',
  summary: 'Revoke a token and all other tokens of this user and application.',
  destructive: true,
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ token: Token(), application_id: Snowflake().optional() }),
  data: empty,
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})

export const forgetTokens = defineCommand({
  name: 'FORGET_TOKENS',
  summary: 'Sign out: revoke and delete the stored tokens of the application of this connection.',
  destructive: true,
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ application_id: Snowflake().optional() }).nullish(),
  data: empty,
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR'],
  provenance: 'sallyport',
})
