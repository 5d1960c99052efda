/** Entitlements and SKUs. */
import * as z from 'zod'
import { once } from '../once.ts'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'

export const Entitlement = once(() =>
  tolerant({
    id: Snowflake(),
    sku_id: Snowflake(),
    application_id: Snowflake(),
    user_id: Snowflake().nullish(),
    guild_id: Snowflake().nullish(),
    type: z.number().int().meta({
      description:
        '1 purchase (also subscriptions since their migration), 2 premium subscription, 3 gift of the developer, 4 test purchase, 5 free, 6 gift of a user, 7 premium purchase, 8 application subscription, 10 quest reward',
    }),
    deleted: z.boolean().optional(),
    consumed: z.boolean().optional(),
    starts_at: IsoTime().nullish(),
    ends_at: IsoTime().nullish().meta({ description: 'null while a subscription is active.' }),
    fulfilled_at: IsoTime().nullish(),
    fulfillment_status: z.number().int().nullish(),
    gifter_user_id: Snowflake().nullish(),
    parent_id: Snowflake().nullish(),
  }).meta({ id: 'Entitlement', description: 'The right of a user or guild to use a SKU.' }),
)
export type Entitlement = z.output<ReturnType<typeof Entitlement>>

export const Sku = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    type: z.number().int().meta({ description: '2 durable, 3 consumable, 5 subscription, 6 group of subscriptions' }),
    application_id: Snowflake().optional(),
    slug: z.string().optional(),
    price: tolerant({ amount: z.number(), currency: z.string() }).nullish(),
    flags: z
      .number()
      .int()
      .optional()
      .meta({ description: '1 << 2 available, 1 << 7 subscription of a guild, 1 << 8 subscription of a user' }),
  }).meta({ id: 'Sku', description: 'A product that an application sells.' }),
)
export type Sku = z.output<ReturnType<typeof Sku>>
