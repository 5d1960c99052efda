/** Guilds: their channels, the status of voice channels, and the refusal to make new guilds. */
import { type Channel, ENDPOINTS, holdsOn } from '@sallyport/protocol'
import { CHANNEL_TYPES } from '../seed/world.ts'
import { PlatformError } from '../platform-error.ts'
import { compareIds } from '../snowflake.ts'
import type { StoredChannel } from '../store/records.ts'
import type { Handler } from './handlers.ts'
import { channelPermissions, guildPermissions, holds } from './permissions.ts'

export const getGuildChannels: Handler<'GET_GUILD_CHANNELS'> = ({ guild_id }, { platform, caller }) => {
  const guild = platform.store.guilds.get(guild_id)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  if (guildPermissions(guild, caller) === undefined) throw new PlatformError('missingAccess')
  const omitHidden = holdsOn('hidden-channels-omitted', platform.clock.now())
  return platform.store.channels
    .group(guild.id)
    .filter((channel) => !omitHidden || holds(channelPermissions(guild, channel, caller), 'VIEW_CHANNEL'))
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map(channelView)
}

/** The status is not part of a channel: it is told by the gateway only. */
export const channelView = (channel: StoredChannel): Channel => ({
  id: channel.id,
  type: channel.type,
  guild_id: channel.guildId,
  name: channel.name,
  position: channel.position,
  parent_id: channel.parentId,
  flags: 0,
  permission_overwrites: channel.overwrites.map(({ id, type, allow, deny }) => ({ id, type, allow, deny })),
  ...(channel.type === CHANNEL_TYPES.text ? { topic: channel.topic, nsfw: false, rate_limit_per_user: 0, last_message_id: null } : {}),
  ...(channel.type === CHANNEL_TYPES.voice ? { bitrate: 64_000, user_limit: 0, nsfw: false, rtc_region: null } : {}),
})

export const setVoiceChannelStatus: Handler<'SET_VOICE_CHANNEL_STATUS'> = ({ channel_id, status }, { platform, caller }) => {
  const { store } = platform
  const channel = store.channels.get(channel_id)
  const guild = store.guilds.get(channel?.guildId ?? '')
  if (channel === undefined || guild === undefined) throw new PlatformError('unknownChannel')
  const bits = channelPermissions(guild, channel, caller)
  if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
  if (channel.type !== CHANNEL_TYPES.voice) throw new PlatformError('wrongChannelType')
  const connected = caller.kind === 'bot' ? channel.botsConnected : channel.connectedUsers.includes(caller.id)
  if (!holds(bits, 'SET_VOICE_CHANNEL_STATUS') || !(connected || holds(bits, 'MANAGE_CHANNELS')))
    throw new PlatformError('missingPermissions')
  store.commit([store.channels.put(channel.id, { ...channel, voiceStatus: status === '' ? null : status })])
  return null
}

export const createGuild: Handler<'CREATE_GUILD'> = () => {
  const reason = ENDPOINTS.CREATE_GUILD.unavailable?.reason
  throw new PlatformError('botsCannot', reason === undefined ? {} : { message: reason })
}
