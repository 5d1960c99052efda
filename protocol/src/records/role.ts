/** Roles of a guild. */
import * as z from 'zod'
import { once } from '../once.ts'
import { BitFieldText, Snowflake, tolerant } from '../schema/index.ts'

const RoleColors = once(() =>
  tolerant({
    primary_color: z.number().int(),
    secondary_color: z.number().int().nullable().meta({ description: 'Second color of a gradient.' }),
    tertiary_color: z.number().int().nullable().meta({ description: 'Third color of a gradient.' }),
  }),
)

const RoleTags = once(() =>
  tolerant({
    bot_id: Snowflake().optional(),
    integration_id: Snowflake().optional(),
    subscription_listing_id: Snowflake().optional(),
    premium_subscriber: z.null().optional().meta({ description: 'Present (as null) means true.' }),
    available_for_purchase: z.null().optional().meta({ description: 'Present (as null) means true.' }),
    guild_connections: z.null().optional().meta({ description: 'Present (as null) means true.' }),
  }),
)

export const Role = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    permissions: BitFieldText(),
    permissions_new: BitFieldText().optional(),
    position: z.number().int(),
    color: z.number().int().meta({ description: 'Deprecated; read colors.' }),
    colors: RoleColors(),
    hoist: z.boolean(),
    managed: z.boolean(),
    mentionable: z.boolean(),
    icon: z.string().nullish(),
    unicode_emoji: z.string().nullish(),
    tags: RoleTags().optional(),
    flags: z.number().int(),
  }).meta({ id: 'Role', description: 'A role of a guild.' }),
)
export type Role = z.output<ReturnType<typeof Role>>
