/** Roles of guilds: create, modify, move and delete. */
import { LIMITS } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { checkHeld, checkRoleBelow } from './hierarchy.ts'
import { imageHash } from './images.ts'
import { rolesView, roleView } from './roles.ts'

type Body = Omit<Parameters<Handler<'CREATE_GUILD_ROLE'>>[0], 'guild_id' | 'audit_log_reason'>

const GRADIENT_FEATURE = 'ENHANCED_ROLE_COLORS'
const ICON_FEATURE = 'ROLE_ICONS'

/** Null stands for the default of a new role. */
function changed(role: StoredRole, { name, permissions, colors, color, icon, unicode_emoji: emoji, hoist, mentionable }: Body): StoredRole {
  const { primary_color: first = 0, secondary_color: second, tertiary_color: third } = colors ?? {}
  const gradient = [second, third].flatMap((one) => one ?? [])
  return {
    ...role,
    name: name === undefined ? role.name : (name ?? 'new role'),
    permissions: permissions === undefined ? role.permissions : (permissions ?? '0'),
    colors: colors !== undefined ? [first, ...gradient] : color === undefined ? role.colors : [color ?? 0],
    icon: imageHash(icon, role.icon ?? null),
    unicodeEmoji: emoji === undefined ? (role.unicodeEmoji ?? null) : emoji,
    isHoisted: hoist === undefined ? (role.isHoisted ?? role.position > 0) : (hoist ?? false),
    isMentionable: mentionable === undefined ? (role.isMentionable ?? role.position > 0) : (mentionable ?? false),
  }
}

/** Gradients and icons are for guilds with the feature. */
function requireFeatures({ features }: StoredGuild, { colors, icon, unicode_emoji: emoji }: Body): void {
  const isGradient = colors?.secondary_color != null || colors?.tertiary_color != null
  if (isGradient && !features.includes(GRADIENT_FEATURE)) throw new PlatformError('missingBoosts')
  if ((icon != null || emoji != null) && !features.includes(ICON_FEATURE)) throw new PlatformError('missingBoosts')
}

function roleIn({ platform }: Operation, guild: StoredGuild, roleId: string): StoredRole {
  const role = platform.store.roles.get(roleId)
  if (role === undefined || role.guildId !== guild.id) throw new PlatformError('unknownRole')
  return role
}

const createRole: Handler<'CREATE_GUILD_ROLE'> = ({ guild_id, audit_log_reason: reason, ...body }, operation) => {
  const { store, ids } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_ROLES')
  requireFeatures(guild, body)
  checkHeld(operation, guild, body.permissions ?? '0')
  const others = store.roles.group(guild.id)
  if (others.length >= LIMITS.guildRoles.value) throw new PlatformError('tooManyRoles')
  const plain: StoredRole = {
    id: ids.next(),
    guildId: guild.id,
    name: 'new role',
    position: 1,
    permissions: '0',
    colors: [0],
    memberIds: [],
    isHoisted: false,
    isMentionable: false,
  }
  const role = changed(plain, body)
  store.commit([
    ...others.map((one) => store.roles.put(one.id, { ...one, position: one.position + 1 })),
    store.roles.put(role.id, role),
    ...auditWrites(operation, guild.id, { event: 'ROLE_CREATE', targetId: role.id, reason }),
  ])
  return roleView(role)
}

const modifyRole: Handler<'MODIFY_GUILD_ROLE'> = ({ guild_id, role_id, audit_log_reason: reason, ...body }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_ROLES')
  requireFeatures(guild, body)
  const before = roleIn(operation, guild, role_id)
  checkRoleBelow(operation, guild, before)
  checkHeld(operation, guild, body.permissions ?? '0')
  const role = changed(before, body)
  store.commit([store.roles.put(role.id, role), ...auditWrites(operation, guild.id, { event: 'ROLE_UPDATE', targetId: role.id, reason })])
  return roleView(role)
}

const modifyPositions: Handler<'MODIFY_GUILD_ROLE_POSITIONS'> = ({ guild_id, roles, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_ROLES')
  const moved = roles.map(({ id, position }) => {
    const role = roleIn(operation, guild, id)
    checkRoleBelow(operation, guild, role)
    const after = { ...role, position: position ?? role.position }
    checkRoleBelow(operation, guild, after)
    return store.roles.put(id, after)
  })
  store.commit([...moved, ...auditWrites(operation, guild.id, { event: 'ROLE_UPDATE', targetId: roles[0]?.id ?? null, reason })])
  return rolesView(store, guild)
}

const deleteRole: Handler<'DELETE_GUILD_ROLE'> = ({ guild_id, role_id, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_ROLES')
  const role = roleIn(operation, guild, role_id)
  checkRoleBelow(operation, guild, role)
  store.commit([store.roles.delete(role.id), ...auditWrites(operation, guild.id, { event: 'ROLE_DELETE', targetId: role.id, reason })])
  return null
}

export const roleChangeHandlers = {
  CREATE_GUILD_ROLE: createRole,
  DELETE_GUILD_ROLE: deleteRole,
  MODIFY_GUILD_ROLE: modifyRole,
  MODIFY_GUILD_ROLE_POSITIONS: modifyPositions,
} satisfies Partial<Handlers>
