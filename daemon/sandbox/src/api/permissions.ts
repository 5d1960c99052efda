/** Permissions of a caller in a guild and its channels. */
import { PERMISSIONS, type PermissionName } from '@sallyport/protocol'
import type { StoredChannel, StoredGuild } from '../store/records.ts'
import type { ApiCaller } from './authentication.ts'

const ALL = (1n << 64n) - 1n

/** Permission bits in the guild; undefined for a non-member. */
export function guildPermissions(guild: StoredGuild, caller: Pick<ApiCaller, 'kind' | 'id'>): bigint | undefined {
  if (caller.kind === 'bot') return guild.botPermissions === null ? undefined : BigInt(guild.botPermissions)
  if (caller.id === guild.ownerId) return ALL
  const bits = guild.members[caller.id]
  return bits === undefined ? undefined : BigInt(bits)
}

/** Permission bits in the channel: those of the guild, then the overwrites of @everyone, then those of the member. */
export function channelPermissions(guild: StoredGuild, channel: StoredChannel, caller: Pick<ApiCaller, 'kind' | 'id'>): bigint | undefined {
  const base = guildPermissions(guild, caller)
  if (base === undefined || base === ALL) return base
  let bits = base
  for (const target of [guild.id, caller.id]) {
    const overwrite = channel.overwrites.find(({ id }) => id === target)
    if (overwrite !== undefined) bits = (bits & ~BigInt(overwrite.deny)) | BigInt(overwrite.allow)
  }
  return bits
}

export const holds = (bits: bigint | undefined, name: PermissionName): boolean =>
  bits !== undefined && (bits & PERMISSIONS[name].bit) !== 0n
