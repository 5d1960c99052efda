/** Commands of signing in on another device (RFC 8628), for machines where no browser can be opened. */
import * as z from 'zod'
import { ExternalAuthToken, ExternalAuthType, KeptTokens } from '../records/token.ts'
import { Snowflake, text } from '../schema/index.ts'
import { anyOf } from '../scopes.ts'
import { scopeList } from './authorize.ts'
import { defineCommand } from './define.ts'

export const authorizeDevice = defineCommand({
  name: 'AUTHORIZE_DEVICE',
  summary: 'Ask for a code that the user enters on another device. Answers at once; GET_TOKEN_FROM_DEVICE then waits for the tokens.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z.strictObject({ client_id: Snowflake.nullish(), scopes: scopeList, scope: scopeList }).nullish(),
  data: z.looseObject({
    user_code: z.string().meta({ description: 'To be shown to the user.' }),
    verification_uri: z.string().meta({ description: 'Where the user enters it.' }),
    verification_uri_complete: z.string().optional().meta({ description: 'The same with the code in it, for a QR code.' }),
    expires_in: z.number().meta({ description: 'Seconds.' }),
    interval: z.number().meta({ description: 'Seconds between two questions to the platform.' }),
  }),
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const getTokenFromDevice = defineCommand({
  name: 'GET_TOKEN_FROM_DEVICE',
  summary:
    'Wait until the user has answered on the other device, for five minutes at most. The bridge keeps the tokens for this program, as with GET_TOKEN.',
  answeredBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: z
    .strictObject({
      user_code: text(1, 64).optional().meta({ description: 'As AUTHORIZE_DEVICE answered it; the latest of this program when absent.' }),
      application_id: Snowflake.optional(),
      external_auth_type: ExternalAuthType.optional().meta({
        description: 'With external_auth_token: whose provisional account is merged.',
      }),
      external_auth_token: ExternalAuthToken.optional(),
    })
    .nullish(),
  data: KeptTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'RATE_LIMITED', 'UNAUTHORIZED_FOR_APPLICATION'],
  provenance: 'sallyport',
})
