/** Emoji and soundboard sounds. */
import * as z from 'zod'
import { Snowflake, tolerant } from '../schema/index.ts'
import { User } from './user.ts'

export const Emoji = tolerant({
  id: Snowflake,
  name: z.string(),
  user: User.optional().meta({ description: 'The user who uploaded it.' }),
  roles: z.array(Snowflake).optional(),
  require_colons: z.boolean().optional(),
  managed: z.boolean().optional(),
  animated: z.boolean().optional(),
  available: z.boolean().optional(),
}).meta({ id: 'Emoji', description: 'A custom emoji.' })
export type Emoji = z.output<typeof Emoji>

export const SoundboardSound = tolerant({
  sound_id: Snowflake,
  name: z.string(),
  volume: z.number().meta({ description: '0 to 1' }),
  emoji_id: Snowflake.nullable(),
  emoji_name: z.string().nullable(),
  guild_id: Snowflake.optional(),
  available: z.boolean(),
  user: User.optional().meta({ description: 'The user who uploaded it.' }),
}).meta({ id: 'SoundboardSound', description: 'A sound that can be played in voice channels.' })
export type SoundboardSound = z.output<typeof SoundboardSound>
