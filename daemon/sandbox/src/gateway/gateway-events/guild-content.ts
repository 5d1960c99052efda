/** Events of scheduled events, emoji and stickers, for the members of the guild. */
import type { EventDataOf, GatewayIntentName } from '@sallyport/protocol'
import type { StoredGuild } from '../../store/records.ts'
import { hasIntents, isVisible } from '../viewer.ts'
import { type EventMapper, NO_EVENTS } from './event-mapper.ts'

/** The intent of each. */
const INTENTS = {
  GUILD_EMOJIS_UPDATE: 'GUILD_EXPRESSIONS',
  GUILD_SCHEDULED_EVENT_CREATE: 'GUILD_SCHEDULED_EVENTS',
  GUILD_SCHEDULED_EVENT_DELETE: 'GUILD_SCHEDULED_EVENTS',
  GUILD_SCHEDULED_EVENT_UPDATE: 'GUILD_SCHEDULED_EVENTS',
  GUILD_SCHEDULED_EVENT_USER_ADD: 'GUILD_SCHEDULED_EVENTS',
  GUILD_SCHEDULED_EVENT_USER_REMOVE: 'GUILD_SCHEDULED_EVENTS',
  GUILD_STICKERS_UPDATE: 'GUILD_EXPRESSIONS',
} as const satisfies Readonly<Record<string, GatewayIntentName>>

export type GuildContentEvent = keyof typeof INTENTS

/** The event of a change that was stored for a guild. */
export const guildContentMapper =
  <T extends GuildContentEvent>(guild: StoredGuild, t: T, d: EventDataOf<T>): EventMapper =>
  (viewer) =>
    isVisible(viewer, guild) && hasIntents(viewer, INTENTS[t]) ? [{ t, d }] : NO_EVENTS
