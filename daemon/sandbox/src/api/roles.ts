/** Guild roles and their members. */
import type { Role } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredGuild } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { guildFor } from './access.ts'
import type { Handler, Handlers } from './handlers.ts'
import { everyonePermissions } from './permissions.ts'

/** The @everyone role, which has the guild's id. */
export const everyone = (guild: StoredGuild): StoredRole => ({
  id: guild.id,
  guildId: guild.id,
  name: '@everyone',
  position: 0,
  permissions: everyonePermissions(guild).toString(),
  colors: [0],
  memberIds: Object.keys(guild.members),
})

const getGuildRole: Handler<'GET_GUILD_ROLE'> = ({ guild_id, role_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  const role = role_id === guild.id ? everyone(guild) : operation.platform.store.roles.get(role_id)
  if (role === undefined || role.guildId !== guild.id) throw new PlatformError('unknownRole')
  return roleView(role)
}

const getGuildRoles: Handler<'GET_GUILD_ROLES'> = ({ guild_id }, operation) =>
  rolesView(operation.platform.store, guildFor(operation, guild_id))

const getGuildRoleMemberCounts: Handler<'GET_GUILD_ROLE_MEMBER_COUNTS'> = ({ guild_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  const roles = operation.platform.store.roles.group(guild.id)
  return Object.fromEntries(
    roles.map(({ id, memberIds, hasBots }) => [
      id,
      memberIds.filter((member) => Object.hasOwn(guild.members, member)).length + (hasBots === true ? 1 : 0),
    ]),
  )
}

/** Roles of a member without @everyone. A member who is no user is a bot. */
export const rolesOf = (store: Store, guildId: string, memberId: string): StoredRole[] =>
  store.roles
    .group(guildId)
    .filter(({ memberIds, hasBots }) => memberIds.includes(memberId) || (hasBots === true && store.users.get(memberId) === undefined))

/** All roles of a guild, @everyone first. */
export const rolesView = (store: Store, guild: StoredGuild): Role[] => [everyone(guild), ...store.roles.group(guild.id)].map(roleView)

/** The wire form of a role. */
export const roleView = ({ id, name, position, permissions, colors, isHoisted, isMentionable, icon, unicodeEmoji }: StoredRole): Role => ({
  id,
  name,
  permissions,
  permissions_new: permissions,
  position,
  color: colors[0],
  colors: { primary_color: colors[0], secondary_color: colors[1] ?? null, tertiary_color: colors[2] ?? null },
  hoist: isHoisted ?? position > 0,
  managed: false,
  mentionable: isMentionable ?? position > 0,
  icon: icon ?? null,
  unicode_emoji: unicodeEmoji ?? null,
  flags: 0,
})

export const roleHandlers = {
  GET_GUILD_ROLE: getGuildRole,
  GET_GUILD_ROLES: getGuildRoles,
  GET_GUILD_ROLE_MEMBER_COUNTS: getGuildRoleMemberCounts,
} satisfies Partial<Handlers>
