/** Checks whether the caller may act on a guild or application. */
import type { PermissionName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredGuild } from '../store/records.ts'
import type { Operation } from './handlers.ts'
import { guildPermissions, holds } from './permissions.ts'

/** The guild, if the caller is a member with all these permissions. Throws unknownGuild, missingAccess or missingPermissions. */
export function guildFor({ platform, caller }: Operation, guildId: string, ...permissions: PermissionName[]): StoredGuild {
  const guild = platform.store.guilds.get(guildId)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  const bits = guildPermissions(platform, guild, caller)
  if (bits === undefined) throw new PlatformError('missingAccess')
  if (!permissions.every((name) => holds(bits, name))) throw new PlatformError('missingPermissions')
  return guild
}

/** Throws notAuthorizedForApplication for the application of another caller. */
export function checkOwnApplication({ caller }: Operation, applicationId: string): void {
  if (applicationId !== caller.applicationId) throw new PlatformError('notAuthorizedForApplication')
}
