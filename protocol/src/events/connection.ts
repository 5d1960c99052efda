/** Events about the connection and signing in. */
import * as z from 'zod'
import { AccountEndCause, AccountState, SignInMethod } from '../records/account.ts'
import { ErrorData, ReadyData } from '../records/ready.ts'
import { noArguments, Snowflake } from '../schema/index.ts'
import { NO_SCOPE } from '../scopes.ts'
import { defineEvent } from './define.ts'

export const ready = defineEvent({
  name: 'READY',
  summary: 'The handshake is complete.',
  delivery: 'automatic',
  requires: NO_SCOPE,
  args: noArguments,
  data: ReadyData,
  provenance: 'documented',
})

export const error = defineEvent({
  name: 'ERROR',
  summary: 'A call failed, or the connection has a problem.',
  delivery: 'automatic',
  requires: NO_SCOPE,
  args: noArguments,
  data: ErrorData,
  provenance: 'documented',
})

export const authorizeRequest = defineEvent({
  name: 'AUTHORIZE_REQUEST',
  summary: 'The user requested to link their account to this game; start signing in.',
  delivery: 'subscription',
  requires: NO_SCOPE,
  args: noArguments,
  data: () => z.null(),
  provenance: 'observed',
})

export const tokenRevoked = defineEvent({
  name: 'TOKEN_REVOKED',
  summary:
    'The authorization of this connection ended. Sent to peers that named a contract in the handshake; other connections are closed with 4003.',
  delivery: 'automatic',
  requires: NO_SCOPE,
  args: noArguments,
  data: () =>
    z.looseObject({
      application_id: Snowflake(),
      user_id: Snowflake().optional(),
      reason: z.string(),
      cause: AccountEndCause().optional(),
      account_state: AccountState().optional(),
      sign_in: z.array(SignInMethod()).optional(),
    }),
  provenance: 'sallyport',
})
