/** Data of the READY and ERROR messages of the bridge. */
import * as z from 'zod'
import { once } from '../once.ts'
import { AccountState, SignInMethod } from './account.ts'
import { tolerant } from '../schema/index.ts'
import { RpcUser } from './user.ts'

/** Limited in total size by LIMITS.readyBytes. */
export const ReadyData = once(() =>
  tolerant({
    v: z.literal(1),
    config: tolerant({
      cdn_host: z.string().optional(),
      api_endpoint: z.string().meta({ description: 'Without a scheme: //host/path' }),
      environment: z.string(),
    }),
    user: RpcUser().optional().meta({ description: 'Absent on websockets.' }),
    call_keys: z
      .literal(true)
      .optional()
      .meta({ description: 'Calls of this connection may have a `key`. Only for games that named a contract.' }),
  }).meta({ id: 'ReadyData', description: 'The first message of a connection.' }),
)
export type ReadyData = z.output<ReturnType<typeof ReadyData>>

/** An error: a code of ERRORS, a sentence, and optional details. */
export const ErrorData = once(() =>
  tolerant({
    code: z.number().int(),
    message: z.string().optional(),
    call_id: z
      .string()
      .optional()
      .meta({ description: 'Id of the call in the log and the traces of the bridge. Only for games that named a contract.' }),
    path: z.string().optional().meta({ description: 'Path of the invalid argument.' }),
    http_status: z.number().int().optional(),
    platform_code: z.number().int().optional(),
    errors: z.unknown().optional().meta({ description: 'Field errors of the platform, unchanged.' }),
    retry_after: z.number().optional().meta({ description: 'Seconds.' }),
    account_state: AccountState().optional(),
    sign_in: z.array(SignInMethod()).optional().meta({ description: 'Ways in which the game can sign in.' }),
  }).meta({ id: 'ErrorData', description: 'An error.' }),
)
export type ErrorData = z.output<ReturnType<typeof ErrorData>>
