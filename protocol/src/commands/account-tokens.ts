/** Commands of tokens that come neither from a code nor from a refresh: provisional accounts, child applications, and a token of the game's own. */
import * as z from 'zod'
import { Authentication } from '../records/application.ts'
import { ExternalAuthToken, ExternalAuthType, ProvisionalToken, TokenAnswer } from '../records/token.ts'
import { nothing, Snowflake, text } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

const externalIdentity = z.strictObject({
  external_auth_type: ExternalAuthType,
  external_auth_token: ExternalAuthToken,
  application_id: Snowflake.optional(),
})

export const exchangeChildToken = defineCommand({
  name: 'EXCHANGE_CHILD_TOKEN',
  summary:
    'Exchange a token of a parent application for one of a child application. It has no refresh token, ends with its parent, and is not kept.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ parent_token: text(1, 10_240), child_application_id: Snowflake }),
  data: TokenAnswer,
  errors: ['INVALID_TOKEN', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const getProvisionalToken = defineCommand({
  name: 'GET_PROVISIONAL_TOKEN',
  summary:
    'A token of the provisional account behind an identity elsewhere. The bridge keeps it for this program; it is not refreshed: call again with a fresh external token.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: externalIdentity,
  data: ProvisionalToken,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const unmergeProvisionalAccount = defineCommand({
  name: 'UNMERGE_PROVISIONAL_ACCOUNT',
  summary: 'Part a linked account from the identity elsewhere. Its tokens end; GET_PROVISIONAL_TOKEN then makes a new provisional account.',
  destructive: true,
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: externalIdentity,
  data: nothing,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'INVALID_USER', 'OAUTH2_ERROR', 'UNAUTHORIZED_FOR_APPLICATION', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const updateToken = defineCommand({
  name: 'UPDATE_TOKEN',
  summary: 'Bind this connection to another token, as AUTHENTICATE does. What it was signed in with holds until the new one is accepted.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ access_token: text(1, 10_240) }),
  data: Authentication,
  errors: ['INVALID_TOKEN', 'INVALID_CLIENTID'],
  provenance: 'sallyport',
})
