/** Roles of guilds and overwrites of channels, which no API operation of the sandbox changes. */
import { PERMISSIONS, type PermissionName } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { everyone, roleView } from '../api/roles.ts'
import { ROLES_MAX } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredChannel, StoredGuild, StoredOverwrite } from '../store/records.ts'
import { guildOf, Named, userOf } from './named.ts'

const EVERYONE = '@everyone'
const Permissions = once(() => z.array(z.enum(Object.keys(PERMISSIONS) as [PermissionName, ...PermissionName[]])))
/** The holders of a role; null stands for the bots. */
const Holders = once(() => z.array(Named().nullable()).max(100))

/** With `name` a new role, with `role` an existing one. Omitted fields stay unchanged. */
export const RoleInput = once(() =>
  z
    .strictObject({
      guild: Named(),
      role: Named().optional(),
      name: z.string().min(1).max(100).optional(),
      permissions: Permissions().optional(),
      members: Holders().optional(),
      deleted: z.literal(true).optional(),
    })
    .refine(({ role, name }) => role !== undefined || name !== undefined, { message: 'must have a role or a name' }),
)

/** An overwrite of a role, or of a user or a bot by id. */
export const OverwriteInput = once(() =>
  z
    .strictObject({ role: Named().optional(), user: Named().optional(), allow: Permissions().default([]), deny: Permissions().default([]) })
    .refine(({ role, user }) => (role === undefined) !== (user === undefined), { message: 'must have a role or a user' }),
)

const bitsOf = (names: readonly PermissionName[]): string => names.reduce((sum, name) => sum | PERMISSIONS[name].bit, 0n).toString()

/** Throws unknownRole. */
function roleOf({ store }: Platform, guild: StoredGuild, named: string): StoredRole {
  if (named === EVERYONE || named === guild.id) return everyone(guild)
  const role = store.roles.group(guild.id).find(({ id, name }) => id === named || name === named)
  if (role === undefined) throw new PlatformError('unknownRole')
  return role
}

/** Returns the changed role; null for a deleted one. Throws unknownGuild, unknownRole, unknownUser, or invalidForm for too many roles. */
export function changeRole(
  platform: Platform,
  { guild: guildName, role: named, name, permissions, members, deleted }: z.output<ReturnType<typeof RoleInput>>,
) {
  const { store } = platform
  const guild = guildOf(platform, guildName)
  const before = named === undefined ? newRole(platform, guild) : roleOf(platform, guild, named)
  if (before.id === guild.id) {
    const changed = { ...guild, ...(permissions === undefined ? {} : { everyonePermissions: bitsOf(permissions) }) }
    store.commit([store.guilds.put(guild.id, changed)])
    return roleView(everyone(changed))
  }
  if (deleted === true) {
    store.commit([store.roles.delete(before.id)])
    return null
  }
  const role: StoredRole = {
    ...before,
    ...(name === undefined ? {} : { name }),
    ...(permissions === undefined ? {} : { permissions: bitsOf(permissions) }),
    ...(members === undefined
      ? {}
      : { memberIds: members.flatMap((one) => (one === null ? [] : [userOf(platform, one).id])), hasBots: members.includes(null) }),
  }
  store.commit([store.roles.put(role.id, role)])
  return roleView(role)
}

function newRole({ store, ids }: Platform, guild: StoredGuild): StoredRole {
  const others = store.roles.group(guild.id)
  if (others.length >= ROLES_MAX) throw new PlatformError('invalidForm', { message: 'The guild has too many roles.' })
  return { id: ids.next(), guildId: guild.id, name: '', position: others.length + 1, permissions: '0', colors: [0], memberIds: [] }
}

/** The stored overwrites of the channel. Throws unknownRole or unknownUser. */
export function overwritesFor(
  platform: Platform,
  { guildId }: StoredChannel,
  overwrites: readonly z.output<ReturnType<typeof OverwriteInput>>[],
): readonly StoredOverwrite[] {
  const guild = guildOf(platform, guildId)
  const target = (role: string | undefined, user: string) =>
    role === undefined ? { id: memberId(platform, user), type: 1 as const } : { id: roleOf(platform, guild, role).id, type: 0 as const }
  return overwrites.map(({ role, user = '', allow, deny }) => ({ ...target(role, user), allow: bitsOf(allow), deny: bitsOf(deny) }))
}

/** A user by id or name, or the bot of a registered application by its id. */
const memberId = (platform: Platform, named: string): string =>
  platform.store.applications.get(named) === undefined ? userOf(platform, named).id : named
