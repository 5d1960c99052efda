/** Opcodes 43, 31 and 4: voice channel info, soundboard sounds of guilds, and voice state changes. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { channelPermissions, holds } from '../../api/permissions.ts'
import { listGuildSoundboardSounds } from '../../api/soundboard.ts'
import { voiceWrites } from '../../api/voice-lifecycle.ts'
import type { Platform } from '../../platform.ts'
import { CHANNEL_TYPES } from '../../seed/world.ts'
import { startSeconds } from '../gateway-events/channels.ts'
import { guildsOf, isVisible, operationFor, canSee, type Viewer } from '../viewer.ts'

export const ChannelInfoRequest = once(() => z.looseObject({ guild_id: z.string(), fields: z.array(z.string()).max(16) }))

/** Unknown fields are ignored. */
export function channelInfo(platform: Platform, viewer: Viewer, { guild_id, fields }: z.output<ReturnType<typeof ChannelInfoRequest>>) {
  const { store } = platform
  const guild = store.guilds.get(guild_id)
  if (guild === undefined || !isVisible(viewer, guild)) return []
  const channels = store.channels
    .group(guild.id)
    .filter((channel) => channel.type === CHANNEL_TYPES.voice && canSee(platform, viewer, guild, channel))
    .map((channel) => ({
      id: channel.id,
      ...(fields.includes('status') ? { status: channel.voiceStatus } : {}),
      ...(fields.includes('voice_start_time') ? { voice_start_time: startSeconds(channel) } : {}),
    }))
  return [{ t: 'CHANNEL_INFO', d: { guild_id: guild.id, channels } }]
}

export const SoundsRequest = once(() => z.looseObject({ guild_ids: z.array(z.string()).max(200) }))

export const soundboardSounds = (platform: Platform, viewer: Viewer, { guild_ids: guildIds }: z.output<ReturnType<typeof SoundsRequest>>) =>
  guildsOf(platform, viewer)
    .filter(({ id }) => guildIds.includes(id))
    .map(({ id }) => ({
      t: 'SOUNDBOARD_SOUNDS',
      d: { guild_id: id, soundboard_sounds: listGuildSoundboardSounds({ guild_id: id }, operationFor(platform, viewer)).items },
    }))

export const VoiceRequest = once(() =>
  z.looseObject({
    guild_id: z.string(),
    channel_id: z.string().nullable(),
    self_mute: z.boolean().optional(),
    self_deaf: z.boolean().optional(),
  }),
)

/** Joins a voice channel, or leaves all of the guild for null. Ignores a change that the caller may not make. */
export function changeVoice(platform: Platform, viewer: Viewer, { guild_id, channel_id }: z.output<ReturnType<typeof VoiceRequest>>): void {
  const { store } = platform
  const guild = store.guilds.get(guild_id)
  const channel = channel_id === null ? undefined : store.channels.get(channel_id)
  if (guild === undefined || !isVisible(viewer, guild)) return
  if (channel_id !== null) {
    if (channel?.guildId !== guild.id || channel.type !== CHANNEL_TYPES.voice || !canSee(platform, viewer, guild, channel)) return
    if (!holds(channelPermissions(platform, guild, channel, viewer.caller), 'CONNECT')) return
  }
  const { kind, id } = viewer.caller
  store.commit(voiceWrites(platform, guild.id, kind === 'bot' ? 'bots' : id, channel?.id))
}
