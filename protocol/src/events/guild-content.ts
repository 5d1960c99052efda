/** Events about scheduled events, emoji and stickers of guilds. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Emoji, Sticker } from '../records/expression.ts'
import { ScheduledEvent } from '../records/scheduled-event.ts'
import { Snowflake } from '../schema/index.ts'
import { defineEvent, READS_GUILDS } from './define.ts'

const OF_GUILD = {
  delivery: 'subscription',
  requires: READS_GUILDS,
  args: () => z.strictObject({ guild_id: Snowflake() }),
  provenance: 'sallyport',
} as const

const interest = once(() => z.looseObject({ guild_id: Snowflake(), guild_scheduled_event_id: Snowflake(), user_id: Snowflake() }))

export const guildScheduledEventCreate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_SCHEDULED_EVENT_CREATE',
  summary: 'An event was scheduled in the guild.',
  data: ScheduledEvent,
})

export const guildScheduledEventUpdate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_SCHEDULED_EVENT_UPDATE',
  summary: 'A scheduled event of the guild changed, started, ended or was cancelled.',
  data: ScheduledEvent,
})

export const guildScheduledEventDelete = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_SCHEDULED_EVENT_DELETE',
  summary: 'A scheduled event of the guild was deleted.',
  data: ScheduledEvent,
})

export const guildScheduledEventUserAdd = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_SCHEDULED_EVENT_USER_ADD',
  summary: 'A user is interested in a scheduled event of the guild.',
  data: interest,
})

export const guildScheduledEventUserRemove = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_SCHEDULED_EVENT_USER_REMOVE',
  summary: 'A user is no longer interested in a scheduled event of the guild.',
  data: interest,
})

export const guildEmojisUpdate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_EMOJIS_UPDATE',
  summary: 'The emoji of the guild changed; contains all of them.',
  data: () => z.looseObject({ guild_id: Snowflake(), emojis: z.array(Emoji()) }),
})

export const guildStickersUpdate = defineEvent({
  ...OF_GUILD,
  name: 'GUILD_STICKERS_UPDATE',
  summary: 'The stickers of the guild changed; contains all of them.',
  data: () => z.looseObject({ guild_id: Snowflake(), stickers: z.array(Sticker()) }),
})
