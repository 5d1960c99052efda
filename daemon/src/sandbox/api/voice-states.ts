/** Who is in which voice channel of a guild. */
import type { UserVoiceState } from '@sallyport/protocol'
import { createHash } from 'node:crypto'
import { PlatformError } from '../platform-error.ts'
import type { StoredChannel, StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import type { Handler, Operation } from './handlers.ts'
import { memberView } from './members.ts'
import { channelPermissions, holds } from './permissions.ts'

export const getCurrentUserVoiceState: Handler<'GET_CURRENT_USER_VOICE_STATE'> = ({ guild_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  return stateOf(operation, guild, operation.caller.id)
}

export const getUserVoiceState: Handler<'GET_USER_VOICE_STATE'> = ({ guild_id, user_id }, operation) =>
  stateOf(operation, guildFor(operation, guild_id), user_id)

function stateOf(operation: Operation, guild: StoredGuild, userId: string): UserVoiceState {
  const { platform, caller } = operation
  const channel = platform.store.channels.group(guild.id).find((one) => isIn(one, userId, caller.applicationId))
  if (channel === undefined) throw new PlatformError('unknownVoiceState')
  if (userId !== caller.id) {
    const bits = channelPermissions(guild, channel, caller)
    if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
    if (!holds(bits, 'CONNECT')) throw new PlatformError('missingPermissions')
  }
  return {
    guild_id: guild.id,
    channel_id: channel.id,
    user_id: userId,
    member: memberView(operation, guild, userId),
    session_id: createHash('md5').update(`${platform.seed} voice ${guild.id} ${userId}`).digest('hex'),
    deaf: false,
    mute: false,
    self_deaf: false,
    self_mute: false,
    self_video: false,
    suppress: false,
    request_to_speak_timestamp: null,
  }
}

/** Where bots stand connected, that of every application does. */
const isIn = (channel: StoredChannel, userId: string, applicationId: string): boolean =>
  userId === applicationId ? channel.botsConnected : channel.connectedUsers.includes(userId)
