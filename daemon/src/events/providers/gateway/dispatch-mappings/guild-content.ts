/** Mappings for scheduled events, emoji and stickers of guilds. */
import { type EventName, GATEWAY_INTENTS } from '@sallyport/protocol'
import { idOf } from '@sallyport/core/json-read'
import type { DispatchMapping } from './dispatch-mapping.ts'

const { GUILDS, GUILD_EXPRESSIONS, GUILD_SCHEDULED_EVENTS } = GATEWAY_INTENTS

/** Maps a dispatch of a guild to the subscriptions to that guild. */
const ofGuild = (event: EventName, intent: number): DispatchMapping => ({
  event,
  intents: GUILDS | intent,
  from: {
    [event]: ({ d }) => {
      const guildId = idOf(d['guild_id'])
      return guildId === undefined ? undefined : { args: { guild_id: guildId }, data: d }
    },
  },
})

export const GUILD_CONTENT_MAPPINGS: readonly DispatchMapping[] = [
  ofGuild('GUILD_SCHEDULED_EVENT_CREATE', GUILD_SCHEDULED_EVENTS),
  ofGuild('GUILD_SCHEDULED_EVENT_UPDATE', GUILD_SCHEDULED_EVENTS),
  ofGuild('GUILD_SCHEDULED_EVENT_DELETE', GUILD_SCHEDULED_EVENTS),
  ofGuild('GUILD_SCHEDULED_EVENT_USER_ADD', GUILD_SCHEDULED_EVENTS),
  ofGuild('GUILD_SCHEDULED_EVENT_USER_REMOVE', GUILD_SCHEDULED_EVENTS),
  ofGuild('GUILD_EMOJIS_UPDATE', GUILD_EXPRESSIONS),
  ofGuild('GUILD_STICKERS_UPDATE', GUILD_EXPRESSIONS),
]
