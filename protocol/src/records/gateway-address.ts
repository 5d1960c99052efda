/** The gateway URL, and the limits for session starts. */
import * as z from 'zod'
import { once } from '../once.ts'
import { tolerant } from '../schema/index.ts'

export const GatewayAddress = once(() => tolerant({ url: z.url() }).meta({ id: 'GatewayAddress', description: 'The gateway URL.' }))
export type GatewayAddress = z.output<ReturnType<typeof GatewayAddress>>

const SessionStartLimit = once(() =>
  tolerant({
    total: z.number().int(),
    remaining: z.number().int(),
    reset_after: z.number().int().meta({ description: 'Milliseconds.' }),
    max_concurrency: z.number().int().meta({ description: 'Number of sessions that can start within 5 seconds.' }),
  }),
)

export const GatewayBot = once(() =>
  tolerant({ url: z.url(), shards: z.number().int(), session_start_limit: SessionStartLimit() }).meta({
    id: 'GatewayBot',
    description: 'The gateway URL, and how a bot should use it.',
  }),
)
export type GatewayBot = z.output<ReturnType<typeof GatewayBot>>
