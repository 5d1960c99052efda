/** Commands for signing in on another device (RFC 8628), for machines without a browser. */
import * as z from 'zod'
import { ExternalAuthToken, ExternalAuthType, StoredTokens } from '../records/token.ts'
import { Snowflake, text } from '../schema/index.ts'
import { scopeList } from '../schema/scope-list.ts'
import { anyOf } from '../scopes.ts'
import { defineCommand } from './define.ts'

export const authorizeDevice = defineCommand({
  name: 'AUTHORIZE_DEVICE',
  summary: 'Request a code that the user enters on another device. Returns immediately; GET_TOKEN_FROM_DEVICE then waits for the tokens.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () => z.strictObject({ client_id: Snowflake().nullish(), scopes: scopeList(), scope: scopeList() }).nullish(),
  data: () =>
    z.looseObject({
      user_code: z.string().meta({ description: 'Code to show to the user.' }),
      verification_uri: z.string().meta({ description: 'URL where the user enters the code.' }),
      verification_uri_complete: z.string().optional().meta({ description: 'The URL with the code, for example for a QR code.' }),
      expires_in: z.number().meta({ description: 'Seconds.' }),
      interval: z.number().meta({ description: 'Seconds between two polling requests to the platform.' }),
    }),
  errors: ['INVALID_CLIENTID', 'OAUTH2_ERROR', 'RATE_LIMITED'],
  provenance: 'sallyport',
})

export const getTokenFromDevice = defineCommand({
  name: 'GET_TOKEN_FROM_DEVICE',
  summary:
    'Wait up to five minutes until the user completes the authorization on the other device. The bridge stores the tokens for this program, as with GET_TOKEN.',
  handledBy: 'bridge',
  requires: anyOf('rpc.local'),
  args: () =>
    z
      .strictObject({
        user_code: text(1, 64)
          .optional()
          .meta({ description: 'As returned by AUTHORIZE_DEVICE; default: the latest code of this program.' }),
        application_id: Snowflake().optional(),
        external_auth_type: ExternalAuthType().optional().meta({
          description: 'Type of external_auth_token; the provisional account of this identity is merged.',
        }),
        external_auth_token: ExternalAuthToken().optional(),
      })
      .nullish(),
  data: StoredTokens,
  errors: ['INVALID_CLIENTID', 'INVALID_TOKEN', 'OAUTH2_ERROR', 'RATE_LIMITED', 'UNAUTHORIZED_FOR_APPLICATION'],
  provenance: 'sallyport',
})
