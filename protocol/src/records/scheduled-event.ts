/** Scheduled events of guilds. */
import * as z from 'zod'
import { IsoTime, Snowflake, tolerant } from '../schema/index.ts'
import { User } from './user.ts'

export const ScheduledEvent = tolerant({
  id: Snowflake,
  guild_id: Snowflake,
  channel_id: Snowflake.nullable().meta({ description: 'null for an event elsewhere.' }),
  creator_id: Snowflake.nullish(),
  creator: User.optional(),
  name: z.string(),
  description: z.string().nullish(),
  image: z.string().nullish(),
  scheduled_start_time: IsoTime,
  scheduled_end_time: IsoTime.nullable(),
  privacy_level: z.number().int().meta({ description: '2 members of the guild only' }),
  status: z.number().int().meta({ description: '1 scheduled, 2 active, 3 completed, 4 cancelled' }),
  entity_type: z.number().int().meta({ description: '1 stage, 2 voice channel, 3 elsewhere' }),
  entity_id: Snowflake.nullable(),
  entity_metadata: tolerant({ location: z.string().nullish() }).nullish(),
  recurrence_rule: z.unknown().optional().meta({ description: 'null if it does not recur.' }),
  user_count: z.number().int().optional().meta({ description: 'Number of interested users.' }),
}).meta({ id: 'ScheduledEvent', description: 'A scheduled event of a guild.' })
export type ScheduledEvent = z.output<typeof ScheduledEvent>
