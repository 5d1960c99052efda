/** Token commands without an authorization code or refresh token: provisional accounts, child applications, and tokens of the game. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Authentication } from '../records/application.ts'
import { ExternalAuthToken, ExternalAuthType, ProvisionalToken, TokenResponse } from '../records/token.ts'
import { empty, Snowflake, text } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const externalIdentity = once(() =>
  z.strictObject({
    external_auth_type: ExternalAuthType(),
    external_auth_token: ExternalAuthToken(),
    application_id: Snowflake().optional(),
  }),
)

export const exchangeChildToken = defineCommand({
  name: 'EXCHANGE_CHILD_TOKEN',
  summary:
    'Exchange a token of a parent application for a token of a child application. It has no refresh token, expires with the parent token, and is not stored.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ parent_token: text(1, 10_240), child_application_id: Snowflake() }),
  data: TokenResponse,
  errors: ['INVALID_TOKEN', 'INVALID_PERMISSIONS', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const getProvisionalToken = defineCommand({
  name: 'GET_PROVISIONAL_TOKEN',
  summary:
    'Get a token of the provisional account of an external identity. The bridge stores it for this program but cannot refresh it; call again with a fresh external token.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: externalIdentity,
  data: ProvisionalToken,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const unmergeProvisionalAccount = defineCommand({
  name: 'UNMERGE_PROVISIONAL_ACCOUNT',
  summary: 'Unlink the external identity from an account. Its tokens end; GET_PROVISIONAL_TOKEN then creates a new provisional account.',
  destructive: true,
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: externalIdentity,
  data: empty,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'INVALID_USER', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const updateToken = defineCommand({
  name: 'UPDATE_TOKEN',
  summary:
    'Replace the token of this connection, as AUTHENTICATE does. The current sign-in stays valid until the platform accepts the new token.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ access_token: text(1, 10_240) }),
  data: Authentication,
  errors: ['INVALID_TOKEN', 'INVALID_CLIENTID'],
  provenance: 'sallyport',
})
