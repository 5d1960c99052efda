/** Joins and leaves of voice channels, and their start times. */
import type { Platform } from '../platform.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredChannel } from '../store/records.ts'

const isEmpty = ({ connectedUsers, botsConnected }: Pick<StoredChannel, 'connectedUsers' | 'botsConnected'>): boolean =>
  connectedUsers.length === 0 && !botsConnected

/** Moves a user, or all bots, to a voice channel of the guild or out of all; the first member sets the start time. */
export const voiceWrites = ({ store, clock }: Platform, guildId: string, who: string, channelId: string | undefined): Write[] =>
  store.channels
    .group(guildId)
    .filter(({ type }) => type === CHANNEL_TYPES.voice)
    .flatMap((channel) => {
      const isHere = channel.id === channelId
      const wasHere = who === 'bots' ? channel.botsConnected : channel.connectedUsers.includes(who)
      if (isHere === wasHere) return []
      const others = channel.connectedUsers.filter((id) => id !== who)
      const inside =
        who === 'bots'
          ? { connectedUsers: channel.connectedUsers, botsConnected: isHere }
          : { connectedUsers: isHere ? [...others, who] : others, botsConnected: channel.botsConnected }
      const voiceStartedAt = isEmpty(inside) ? null : isEmpty(channel) ? clock.now() : (channel.voiceStartedAt ?? null)
      return [store.channels.put(channel.id, { ...channel, ...inside, voiceStartedAt })]
    })
