/** Events of scheduled events, emoji and stickers, for the members of the guild. */
import type { EventDataOf, GatewayIntentName } from '@sallyport/protocol'
import { emojiView } from '../../api/guild-emojis.ts'
import { eventView, seesEvent } from '../../api/scheduled-events.ts'
import { stickerView } from '../../api/stickers.ts'
import type { Platform } from '../../platform.ts'
import type { GuildItem, StoredGuildEmoji, StoredScheduledEvent, StoredSticker } from '../../store/guild-item-records.ts'
import type { StoredGuild } from '../../store/records.ts'
import { hasIntents, isVisible, operationFor, type Viewer } from '../viewer.ts'
import { type ChangeMapper, type EventMapper, isSame, NO_EVENTS } from './event-mapper.ts'

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

/** The event of a change that was stored for a guild; the data as the viewer sees it. */
export const guildContentMapper =
  <T extends GuildContentEvent>(guild: StoredGuild, t: T, dataFor: (viewer: Viewer) => EventDataOf<T>): EventMapper =>
  (viewer) =>
    isVisible(viewer, guild) && hasIntents(viewer, INTENTS[t]) ? [{ t, d: dataFor(viewer) }] : NO_EVENTS

/** An event with all items of the guild, like the one that changed. */
const listMapper =
  <Item extends GuildItem, T extends GuildContentEvent>(
    t: T,
    dataOf: (guildId: string, platform: Platform, viewer: Viewer) => EventDataOf<T>,
  ): ChangeMapper<Item> =>
  ({ before, after }, { platform }) => {
    const guild = platform.store.guilds.get((after ?? before)?.guildId ?? '')
    return guild && guildContentMapper(guild, t, (viewer) => dataOf(guild.id, platform, viewer))
  }

export const mapGuildEmoji = listMapper<StoredGuildEmoji, 'GUILD_EMOJIS_UPDATE'>('GUILD_EMOJIS_UPDATE', (guild_id, platform, viewer) => ({
  guild_id,
  emojis: platform.store.guildEmojis.group(guild_id).map((emoji) => emojiView(operationFor(platform, viewer), emoji)),
}))

export const mapSticker = listMapper<StoredSticker, 'GUILD_STICKERS_UPDATE'>('GUILD_STICKERS_UPDATE', (guild_id, platform, viewer) => ({
  guild_id,
  stickers: platform.store.stickers.group(guild_id).map((sticker) => stickerView(operationFor(platform, viewer), sticker)),
}))

/** The name of the change of a scheduled event itself; undefined if only the interest of users changed. */
function eventChange(before: StoredScheduledEvent | undefined, after: StoredScheduledEvent | undefined) {
  if (before === undefined) return 'GUILD_SCHEDULED_EVENT_CREATE'
  if (after === undefined) return 'GUILD_SCHEDULED_EVENT_DELETE'
  return isSame({ ...before, interestedIds: [] }, { ...after, interestedIds: [] }) ? undefined : 'GUILD_SCHEDULED_EVENT_UPDATE'
}

export const mapScheduledEvent: ChangeMapper<StoredScheduledEvent> = ({ before, after }, { platform }) => {
  const stored = after ?? before
  const guild = platform.store.guilds.get(stored?.guildId ?? '')
  if (stored === undefined || guild === undefined) return undefined
  const change = eventChange(before, after)
  const interest = (
    t: 'GUILD_SCHEDULED_EVENT_USER_ADD' | 'GUILD_SCHEDULED_EVENT_USER_REMOVE',
    one: StoredScheduledEvent,
    other: StoredScheduledEvent,
  ) =>
    one.interestedIds
      .filter((id) => !other.interestedIds.includes(id))
      .map((user_id) => guildContentMapper(guild, t, () => ({ guild_id: guild.id, guild_scheduled_event_id: one.id, user_id })))
  const mappers = [
    ...(change === undefined ? [] : [guildContentMapper(guild, change, (viewer) => eventView(operationFor(platform, viewer), stored))]),
    ...(before === undefined || after === undefined
      ? []
      : [...interest('GUILD_SCHEDULED_EVENT_USER_ADD', after, before), ...interest('GUILD_SCHEDULED_EVENT_USER_REMOVE', before, after)]),
  ]
  return (viewer) => (seesEvent(operationFor(platform, viewer), stored) ? mappers.flatMap((mapper) => mapper(viewer)) : NO_EVENTS)
}
