/** Stickers of guilds. */
import * as z from 'zod'
import { Snowflake, tolerant } from '../schema/index.ts'
import { User } from './user.ts'

export const Sticker = tolerant({
  id: Snowflake,
  guild_id: Snowflake.optional(),
  name: z.string(),
  description: z.string().nullable(),
  tags: z.string().meta({ description: 'The name of a related emoji.' }),
  type: z.number().int().meta({ description: '1 standard, 2 of a guild' }),
  format_type: z.number().int().nullable().meta({ description: '1 PNG, 2 APNG, 3 Lottie, 4 GIF' }),
  available: z.boolean().optional(),
  user: User.optional().meta({ description: 'The user who uploaded it.' }),
}).meta({ id: 'Sticker', description: 'A sticker of a guild.' })
export type Sticker = z.output<typeof Sticker>
