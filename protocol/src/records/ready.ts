/** What the bridge tells a connection of itself: that it is ready, and that something failed. */
import * as z from 'zod'
import { AccountState, SignInWay } from './account.ts'
import { tolerant } from '../schema/index.ts'
import { RpcUser } from './user.ts'

/** Must stay small as a whole: see LIMITS.readyBytes. */
export const ReadyData = tolerant({
  v: z.literal(1),
  config: tolerant({
    cdn_host: z.string().optional(),
    api_endpoint: z.string().meta({ description: 'Without a scheme: //host/path' }),
    environment: z.string(),
  }),
  user: RpcUser.optional().meta({ description: 'Absent on websockets.' }),
}).meta({ id: 'ReadyData', description: 'The first thing a connection hears.' })
export type ReadyData = z.output<typeof ReadyData>

/** What went wrong: a code of ERRORS, a sentence, and details for those that can use them. */
export const ErrorData = tolerant({
  code: z.number().int(),
  message: z.string().optional(),
  path: z.string().optional().meta({ description: 'Path of the argument that is wrong.' }),
  http_status: z.number().int().optional(),
  platform_code: z.number().int().optional(),
  errors: z.unknown().optional().meta({ description: 'Field errors as the platform gave them.' }),
  retry_after: z.number().optional().meta({ description: 'Seconds.' }),
  account_state: AccountState.optional(),
  sign_in: z.array(SignInWay).optional().meta({ description: 'How the game gets in from here.' }),
}).meta({ id: 'ErrorData', description: 'What went wrong.' })
export type ErrorData = z.output<typeof ErrorData>
