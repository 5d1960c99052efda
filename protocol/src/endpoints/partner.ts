/** Token endpoints outside OAuth 2: provisional accounts and child applications. Applications call them with their id, without a token. */
import * as z from 'zod'
import { once } from '../once.ts'
import { ExternalAuthToken, ExternalAuthType, ProvisionalToken, TokenResponse } from '../records/token.ts'
import { Snowflake, text } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEndpoint } from './define.ts'

/** Only confidential applications have a secret; they call from their own server. */
const clientSecret = once(() => z.string().max(1024).nullish())

/** Platform codes for a rejected external token. */
const EXTERNAL_TOKEN_ERRORS = [530000, 530001, 530002, 530003, 530004, 530007, 530008, 530009, 530020, 530027]

const identityBody = once(() => ({
  client_id: Snowflake(),
  client_secret: clientSecret(),
  external_auth_type: ExternalAuthType(),
  external_auth_token: ExternalAuthToken(),
}))

export const requestProvisionalToken = defineEndpoint({
  name: 'REQUEST_PROVISIONAL_TOKEN',
  summary: 'Get a token of a provisional account, which is created at the first use. Used via GET_PROVISIONAL_TOKEN only.',
  method: 'POST',
  path: '/partner-sdk/token',
  params: () => ({}),
  body: identityBody,
  response: ProvisionalToken,
  auth: 'client',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [...EXTERNAL_TOKEN_ERRORS, 530006, 530010],
  provenance: 'documented',
})

export const requestProvisionalAccountUnmerge = defineEndpoint({
  name: 'REQUEST_PROVISIONAL_ACCOUNT_UNMERGE',
  summary: 'Unlink an external identity from an account. Used via UNMERGE_PROVISIONAL_ACCOUNT only.',
  method: 'POST',
  path: '/partner-sdk/provisional-accounts/unmerge',
  params: () => ({}),
  body: identityBody,
  response: () => z.null(),
  success: [204],
  auth: 'client',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [10013, 50229, ...EXTERNAL_TOKEN_ERRORS],
  provenance: 'documented',
})

export const requestChildToken = defineEndpoint({
  name: 'REQUEST_CHILD_TOKEN',
  summary: 'Exchange a token of the parent application for a token of a child application. Used via EXCHANGE_CHILD_TOKEN only.',
  method: 'POST',
  path: '/partner-sdk/child-token',
  params: () => ({}),
  body: () => ({ parent_access_token: text(1, 10_240), child_application_id: Snowflake(), parent_client_secret: clientSecret() }),
  response: TokenResponse,
  auth: 'client',
  requires: NO_SCOPE,
  idempotency: 'none',
  platformErrors: [20012, 50025, 530007],
  provenance: 'documented',
})
