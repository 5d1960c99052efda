/** Checks whether the caller may act in a channel. */
import type { PermissionName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { StoredChannel } from '../store/records.ts'
import type { Operation } from './handlers.ts'
import { channelPermissions, holds } from './permissions.ts'

/** Whether the caller sees the channel and has all these permissions there. */
export function mayIn({ platform, caller }: Operation, channel: StoredChannel, ...permissions: PermissionName[]): boolean {
  const guild = platform.store.guilds.get(channel.guildId)
  const bits = guild === undefined ? undefined : channelPermissions(platform, guild, channel, caller)
  return (['VIEW_CHANNEL', ...permissions] as const).every((name) => holds(bits, name))
}

/** A channel with messages, which the caller sees. Throws unknownChannel, missingAccess, wrongChannelType or missingPermissions. */
export function textChannelFor(operation: Operation, channelId: string, ...permissions: PermissionName[]): StoredChannel {
  const channel = operation.platform.store.channels.get(channelId)
  if (channel === undefined) throw new PlatformError('unknownChannel')
  if (!mayIn(operation, channel)) throw new PlatformError('missingAccess')
  if (channel.type === CHANNEL_TYPES.category) throw new PlatformError('wrongChannelType')
  if (!mayIn(operation, channel, ...permissions)) throw new PlatformError('missingPermissions')
  return channel
}
