/** Tokens, as the token endpoint answers them. */
import * as z from 'zod'
import { tolerant } from '../schema/index.ts'

export const TokenAnswer = tolerant({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.number().meta({ description: 'Seconds.' }),
  refresh_token: z.string().nullish(),
  scope: z.string(),
  id_token: z.string().nullish(),
}).meta({ id: 'TokenAnswer', description: 'Tokens, as the token endpoint answers them.' })
export type TokenAnswer = z.output<typeof TokenAnswer>
