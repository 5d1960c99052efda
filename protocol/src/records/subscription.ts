/** Subscriptions to SKUs. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'

export const Subscription = once(() =>
  tolerant({
    id: Snowflake(),
    user_id: Snowflake(),
    sku_ids: z.array(Snowflake()),
    entitlement_ids: z.array(Snowflake()),
    renewal_sku_ids: z.array(Snowflake()).nullish().meta({ description: 'SKUs of the user from the next renewal on.' }),
    current_period_start: IsoTime(),
    current_period_end: IsoTime(),
    status: z.number().int().meta({ description: '0 active, 1 inactive, 2 active but ending' }),
    canceled_at: IsoTime().nullable(),
    country: z.string().nullish(),
  }).meta({ id: 'Subscription', description: "A user's subscription to SKUs." }),
)
export type Subscription = z.output<ReturnType<typeof Subscription>>
