/** Voice states of guild members. */
import type { UserVoiceState } from '@sallyport/protocol'
import { createHash } from 'node:crypto'
import { PlatformError } from '../platform-error.ts'
import type { StoredChannel, StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { memberView } from './members.ts'
import { channelPermissions, holds } from './permissions.ts'

const getCurrentUserVoiceState: Handler<'GET_CURRENT_USER_VOICE_STATE'> = ({ guild_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  return stateOf(operation, guild, operation.caller.id)
}

const getUserVoiceState: Handler<'GET_USER_VOICE_STATE'> = ({ guild_id, user_id }, operation) =>
  stateOf(operation, guildFor(operation, guild_id), user_id)

function stateOf(operation: Operation, guild: StoredGuild, userId: string): UserVoiceState {
  const { platform, caller } = operation
  const channel = channelOf(operation, guild, userId)
  if (channel === undefined) throw new PlatformError('unknownVoiceState')
  if (userId !== caller.id) {
    const bits = channelPermissions(platform, guild, channel, caller)
    if (!holds(bits, 'VIEW_CHANNEL')) throw new PlatformError('missingAccess')
    if (!holds(bits, 'CONNECT')) throw new PlatformError('missingPermissions')
  }
  return voiceStateView(operation, guild, channel.id, userId)
}

const channelOf = ({ platform, caller }: Operation, guild: StoredGuild, userId: string): StoredChannel | undefined =>
  platform.store.channels.group(guild.id).find((one) => isIn(one, userId, caller.applicationId))

/** Voice states of all members in a voice channel of the guild. */
export const voiceStatesOf = (operation: Operation, guild: StoredGuild): UserVoiceState[] =>
  [...Object.keys(guild.members), operation.caller.applicationId].flatMap((userId) => {
    const channel = channelOf(operation, guild, userId)
    return channel === undefined ? [] : [voiceStateView(operation, guild, channel.id, userId)]
  })

/** A null channel means that the member left. */
export const voiceStateView = (operation: Operation, guild: StoredGuild, channelId: string | null, userId: string): UserVoiceState => ({
  guild_id: guild.id,
  channel_id: channelId,
  user_id: userId,
  member: memberView(operation, guild, userId),
  session_id: createHash('md5').update(`${operation.platform.seed} voice ${guild.id} ${userId}`).digest('hex'),
  deaf: false,
  mute: false,
  self_deaf: false,
  self_mute: false,
  self_video: false,
  self_stream: false,
  suppress: false,
  request_to_speak_timestamp: null,
})

/** A voice channel with bots has the bot of every application. */
const isIn = (channel: StoredChannel, userId: string, applicationId: string): boolean =>
  userId === applicationId ? channel.botsConnected : channel.connectedUsers.includes(userId)

export const voiceStateHandlers = {
  GET_CURRENT_USER_VOICE_STATE: getCurrentUserVoiceState,
  GET_USER_VOICE_STATE: getUserVoiceState,
} satisfies Partial<Handlers>
