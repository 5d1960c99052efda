/** Mappings for reactions, votes and typing in channels. */
import { type EventName, EVENTS, type EventRow, GATEWAY_INTENTS } from '@sallyport/protocol'
import { idOf } from '@sallyport/core/json-read'
import type { DispatchMapping } from './dispatch-mapping.ts'

const { GUILDS, GUILD_MESSAGE_REACTIONS, GUILD_MESSAGE_POLLS, GUILD_MESSAGE_TYPING } = GATEWAY_INTENTS

/** In a channel that the application did not create, it requires the scope of its row. */
const inChannel = (event: EventName, intent: number): DispatchMapping => ({
  event,
  intents: GUILDS | intent,
  from: {
    [event]: ({ d, guilds, identity }) => {
      const guildId = idOf(d['guild_id'])
      const channelId = idOf(d['channel_id'])
      if (guildId === undefined || channelId === undefined) return undefined
      const { narrowed }: EventRow = EVENTS[event]
      const isOwn = guilds.isOfApplication(guildId, channelId, identity.applicationId)
      return {
        args: { channel_id: channelId },
        data: d,
        ...(isOwn || narrowed === undefined ? {} : { scope: narrowed.without }),
      }
    },
  },
})

export const MESSAGE_ACTIVITY_MAPPINGS: readonly DispatchMapping[] = [
  inChannel('MESSAGE_REACTION_ADD', GUILD_MESSAGE_REACTIONS),
  inChannel('MESSAGE_REACTION_REMOVE', GUILD_MESSAGE_REACTIONS),
  inChannel('MESSAGE_REACTION_REMOVE_ALL', GUILD_MESSAGE_REACTIONS),
  inChannel('MESSAGE_REACTION_REMOVE_EMOJI', GUILD_MESSAGE_REACTIONS),
  inChannel('MESSAGE_POLL_VOTE_ADD', GUILD_MESSAGE_POLLS),
  inChannel('MESSAGE_POLL_VOTE_REMOVE', GUILD_MESSAGE_POLLS),
  inChannel('TYPING_START', GUILD_MESSAGE_TYPING),
]
