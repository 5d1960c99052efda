/** Guilds: channels, voice channel status, and the refusal to create guilds. */
import { type Channel, ENDPOINTS, isInEffect, inClientOrder, obfuscatedChannel } from '@sallyport/protocol'
import { CHANNEL_TYPES } from '../seed/world.ts'
import { PlatformError } from '../platform-error.ts'
import type { StoredChannel } from '../store/records.ts'
import { auditWrites } from './audit-writes.ts'
import type { Handler, Handlers } from './handlers.ts'
import { channelPermissions, guildPermissions, holds } from './permissions.ts'

const getGuildChannels: Handler<'GET_GUILD_CHANNELS'> = ({ guild_id }, { platform, caller }) => {
  const guild = platform.store.guilds.get(guild_id)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  if (guildPermissions(platform, guild, caller) === undefined) throw new PlatformError('missingAccess')
  const omitsHidden = isInEffect('hidden-channels-omitted', platform.clock.now())
  // Before hidden channels are omitted, an application may request them without their content.
  const obfuscates = platform.store.applications.get(caller.applicationId)?.obfuscatesPrivateChannels ?? false
  const shown = platform.store.channels.group(guild.id).flatMap((channel): Channel[] => {
    const view = channelView(channel)
    if (holds(channelPermissions(platform, guild, channel, caller), 'VIEW_CHANNEL')) return [view]
    if (omitsHidden) return []
    return [obfuscates ? obfuscatedChannel(view, guild.id) : view]
  })
  return inClientOrder(shown)
}

const DEFAULT_BITRATE = 64_000

/** The wire form of a channel. The voice status is not part of it; only the gateway sends it. */
export const channelView = (channel: StoredChannel): Channel => ({
  id: channel.id,
  type: channel.type,
  guild_id: channel.guildId,
  name: channel.name,
  position: channel.position,
  parent_id: channel.parentId,
  flags: 0,
  permission_overwrites: channel.overwrites.map(({ id, type, allow, deny }) => ({
    id,
    type,
    allow,
    allow_new: allow,
    deny,
    deny_new: deny,
  })),
  ...(channel.type === CHANNEL_TYPES.text
    ? { topic: channel.topic, nsfw: channel.isForAdults ?? false, rate_limit_per_user: channel.slowmodeSeconds ?? 0, last_message_id: null }
    : {}),
  ...(channel.type === CHANNEL_TYPES.voice
    ? {
        bitrate: channel.bitrate ?? DEFAULT_BITRATE,
        user_limit: channel.userLimit ?? 0,
        nsfw: channel.isForAdults ?? false,
        rtc_region: channel.rtcRegion ?? null,
        video_quality_mode: channel.videoQualityMode ?? 1,
      }
    : {}),
})

const setVoiceChannelStatus: Handler<'SET_VOICE_CHANNEL_STATUS'> = ({ channel_id, status, audit_log_reason: reason }, operation) => {
  const { platform, caller } = operation
  const { store } = platform
  const channel = store.channels.get(channel_id)
  const guild = store.guilds.get(channel?.guildId ?? '')
  if (channel === undefined || guild === undefined) throw new PlatformError('unknownChannel')
  const bits = channelPermissions(platform, guild, channel, caller)
  if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
  if (channel.type !== CHANNEL_TYPES.voice) throw new PlatformError('wrongChannelType')
  const connected = caller.kind === 'bot' ? channel.botsConnected : channel.connectedUsers.includes(caller.id)
  if (!holds(bits, 'SET_VOICE_CHANNEL_STATUS') || !(connected || holds(bits, 'MANAGE_CHANNELS')))
    throw new PlatformError('missingPermissions')
  const voiceStatus = status === '' ? null : status
  const options = { channel_id: channel.id, ...(voiceStatus === null ? {} : { status: voiceStatus }) }
  const event = voiceStatus === null ? 'VOICE_CHANNEL_STATUS_DELETE' : 'VOICE_CHANNEL_STATUS_UPDATE'
  store.commit([
    store.channels.put(channel.id, { ...channel, voiceStatus }),
    ...auditWrites(operation, guild.id, { event, targetId: channel.id, options, reason }),
  ])
  return null
}

const createGuild: Handler<'CREATE_GUILD'> = () => {
  const reason = ENDPOINTS.CREATE_GUILD.unavailable?.reason
  throw new PlatformError('botsCannot', reason === undefined ? {} : { message: reason })
}

export const guildHandlers = {
  CREATE_GUILD: createGuild,
  GET_GUILD_CHANNELS: getGuildChannels,
  SET_VOICE_CHANNEL_STATUS: setVoiceChannelStatus,
} satisfies Partial<Handlers>
