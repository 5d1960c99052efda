/** Mappings for scheduled events, emoji, stickers, roles, bans and invites of guilds. */
import { type EventName, GATEWAY_INTENTS } from '@sallyport/protocol'
import { idOf } from '@sallyport/core/json-read'
import type { DispatchMapping } from './dispatch-mapping.ts'

const { GUILDS, GUILD_EXPRESSIONS, GUILD_INVITES, GUILD_MODERATION, GUILD_SCHEDULED_EVENTS } = GATEWAY_INTENTS
/** Roles come with the guilds. */
const NO_MORE = 0

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
  ofGuild('GUILD_ROLE_CREATE', NO_MORE),
  ofGuild('GUILD_ROLE_UPDATE', NO_MORE),
  ofGuild('GUILD_ROLE_DELETE', NO_MORE),
  ofGuild('GUILD_BAN_ADD', GUILD_MODERATION),
  ofGuild('GUILD_BAN_REMOVE', GUILD_MODERATION),
  ofGuild('INVITE_CREATE', GUILD_INVITES),
  ofGuild('INVITE_DELETE', GUILD_INVITES),
]
