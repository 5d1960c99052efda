/** Who is above whom in a guild: the owner above all, others by their highest role. */
import { PlatformError } from '../platform-error.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredGuild } from '../store/records.ts'
import type { Operation } from './handlers.ts'
import { guildPermissions, holds } from './permissions.ts'
import { rolesOf } from './roles.ts'

/** The position of the highest role of a member; 0 without roles. */
const rankOf = ({ platform }: Operation, guild: StoredGuild, memberId: string): number =>
  memberId === guild.ownerId
    ? Number.POSITIVE_INFINITY
    : Math.max(0, ...rolesOf(platform.store, guild.id, memberId).map((role) => role.position))

/** Whether the caller may act on the member. Members may act on themselves, and no other on the owner. */
export const isAbove = (operation: Operation, guild: StoredGuild, memberId: string): boolean =>
  memberId === operation.caller.id || rankOf(operation, guild, operation.caller.id) > rankOf(operation, guild, memberId)

/** Throws missingPermissions unless the caller may act on the member. */
export function checkAbove(operation: Operation, guild: StoredGuild, memberId: string): void {
  if (!isAbove(operation, guild, memberId)) throw new PlatformError('missingPermissions')
}

/** Throws missingPermissions for a role that is not below the highest role of the caller. */
export function checkRoleBelow(operation: Operation, guild: StoredGuild, { id, position }: Pick<StoredRole, 'id' | 'position'>): void {
  if (id !== guild.id && position >= rankOf(operation, guild, operation.caller.id)) throw new PlatformError('missingPermissions')
}

/** Throws missingPermissions for permissions that the caller does not have, and so cannot give to a role. */
export function checkHeld({ platform, caller }: Operation, guild: StoredGuild, permissions: string): void {
  const own = guildPermissions(platform, guild, caller) ?? 0n
  if ((BigInt(permissions) & ~own) !== 0n) throw new PlatformError('missingPermissions')
}

/** Whether the member has the permission ADMINISTRATOR, as the owner has. */
export const isAdministrator = ({ platform }: Operation, guild: StoredGuild, memberId: string): boolean => {
  const kind = platform.store.users.get(memberId) === undefined ? 'bot' : 'user'
  return holds(guildPermissions(platform, guild, { kind, id: memberId }), 'ADMINISTRATOR')
}
