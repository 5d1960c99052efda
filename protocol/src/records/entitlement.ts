/** Entitlements and SKUs. */
import * as z from 'zod'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'

export const Entitlement = tolerant({
  id: Snowflake,
  sku_id: Snowflake,
  application_id: Snowflake,
  user_id: Snowflake.nullish(),
  guild_id: Snowflake.nullish(),
  type: z.number().int(),
  deleted: z.boolean().optional(),
  consumed: z.boolean().optional(),
  starts_at: IsoTime.nullish(),
  ends_at: IsoTime.nullish(),
}).meta({ id: 'Entitlement', description: 'What a user or guild may use.' })
export type Entitlement = z.output<typeof Entitlement>

export const Sku = tolerant({
  id: Snowflake,
  name: z.string(),
  type: z.number().int(),
  application_id: Snowflake.optional(),
  price: tolerant({ amount: z.number(), currency: z.string() }).nullish(),
  flags: z.number().int().optional(),
}).meta({ id: 'Sku', description: 'Something an application sells.' })
export type Sku = z.output<typeof Sku>
