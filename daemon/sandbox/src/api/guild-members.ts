/** Members of guilds: read, modify, remove, and their roles. */
import { DAY_MS } from '@sallyport/core/durations'
import { LIMITS, type Member, type PermissionName } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { CHANNEL_TYPES } from '../seed/world.ts'
import type { Write } from '../store/collection.ts'
import type { StoredGuild, StoredMember } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { moderatedProfileWrites } from './auto-moderation.ts'
import { invalidBody } from './form-errors.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { checkAbove, checkRoleBelow, isAdministrator } from './hierarchy.ts'
import { memberState, memberStateWrites, memberView, withoutMember } from './members.ts'
import { pageOf } from './pages.ts'
import { guildPermissions, holds } from './permissions.ts'
import { voiceWrites } from './voice-lifecycle.ts'

const isMember = (guild: StoredGuild, { caller }: Operation, userId: string): boolean =>
  Object.hasOwn(guild.members, userId) || userId === caller.applicationId

function memberIn(operation: Operation, guild: StoredGuild, userId: string): string {
  if (!isMember(guild, operation, userId)) throw new PlatformError('unknownMember')
  return userId
}

const listMembers: Handler<'LIST_GUILD_MEMBERS'> = ({ guild_id, after, limit = 1 }, operation): Member[] => {
  const guild = guildFor(operation, guild_id)
  const ids = [...Object.keys(guild.members), operation.caller.applicationId].map((id) => ({ id }))
  return pageOf(ids, { after, limit }).map(({ id }) => memberView(operation, guild, id))
}

const searchMembers: Handler<'SEARCH_GUILD_MEMBERS'> = ({ guild_id, query, limit = 1 }, operation): Member[] => {
  const guild = guildFor(operation, guild_id)
  const start = query.toLowerCase()
  const matches = ({ user, nick }: Member) => [user?.username, nick].some((name) => name?.toLowerCase().startsWith(start) === true)
  return Object.keys(guild.members)
    .map((id) => memberView(operation, guild, id))
    .filter(matches)
    .slice(0, limit)
}

const getMember: Handler<'GET_GUILD_MEMBER'> = ({ guild_id, user_id }, operation) => {
  const guild = guildFor(operation, guild_id)
  return memberView(operation, guild, memberIn(operation, guild, user_id))
}

type Changes = Parameters<Handler<'MODIFY_GUILD_MEMBER'>>[0]

/** The permission for each changed field. */
const FIELD_PERMISSIONS = [
  ['nick', 'MANAGE_NICKNAMES'],
  ['roles', 'MANAGE_ROLES'],
  ['communication_disabled_until', 'MODERATE_MEMBERS'],
  ['mute', 'MUTE_MEMBERS'],
  ['deaf', 'DEAFEN_MEMBERS'],
  ['channel_id', 'MOVE_MEMBERS'],
] as const satisfies readonly (readonly [keyof Changes, PermissionName])[]

/** A nick and a timeout need a member below the caller; administrators get no timeout. Throws missingPermissions. */
function checkTarget(
  operation: Operation,
  guild: StoredGuild,
  userId: string,
  { nick, communication_disabled_until: until }: Changes,
): void {
  if (nick !== undefined || until !== undefined) checkAbove(operation, guild, userId)
  if (until != null && isAdministrator(operation, guild, userId)) throw new PlatformError('missingPermissions')
}

function checkTimeout({ platform }: Operation, until: string | null | undefined): void {
  if (until === undefined || until === null) return
  if (!(Date.parse(until) <= platform.clock.now() + LIMITS.timeoutDays.value * DAY_MS))
    throw invalidBody([{ path: ['communication_disabled_until'], message: `must be at most ${LIMITS.timeoutDays.value} days from now` }])
}

/** Writes that give the member exactly these roles. Throws missingPermissions for a changed role that is not below the caller. */
function roleWrites(operation: Operation, guild: StoredGuild, userId: string, roleIds: readonly string[]): Write[] {
  const { store } = operation.platform
  const roles = store.roles.group(guild.id)
  if (roleIds.some((id) => roles.every((role) => role.id !== id))) throw new PlatformError('unknownRole')
  return roles.flatMap((role) => {
    const others = role.memberIds.filter((id) => id !== userId)
    const memberIds = roleIds.includes(role.id) ? [...others, userId] : others
    if (memberIds.length === role.memberIds.length) return []
    checkRoleBelow(operation, guild, role)
    return [store.roles.put(role.id, { ...role, memberIds })]
  })
}

/** Writes that take all roles from a member who leaves. */
const roleLossWrites = ({ platform: { store } }: Operation, guild: StoredGuild, userId: string): Write[] =>
  store.roles
    .group(guild.id)
    .filter(({ memberIds }) => memberIds.includes(userId))
    .map((role) => store.roles.put(role.id, { ...role, memberIds: role.memberIds.filter((id) => id !== userId) }))

/** Moves a member who is in voice; null: out of it. */
function moveWrites({ platform }: Operation, guild: StoredGuild, userId: string, channelId: string | null): Write[] {
  const channels = platform.store.channels.group(guild.id)
  const target = channels.find(({ id, type }) => id === channelId && type === CHANNEL_TYPES.voice)
  if (channelId !== null && target === undefined) throw new PlatformError('unknownChannel')
  if (!channels.some(({ connectedUsers }) => connectedUsers.includes(userId))) throw new PlatformError('notInVoice')
  return voiceWrites(platform, guild.id, userId, target?.id)
}

const modifyMember: Handler<'MODIFY_GUILD_MEMBER'> = (args, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, args.guild_id)
  const userId = memberIn(operation, guild, args.user_id)
  const bits = guildPermissions(operation.platform, guild, operation.caller)
  if (FIELD_PERMISSIONS.some(([field, permission]) => args[field] !== undefined && !holds(bits, permission)))
    throw new PlatformError('missingPermissions')
  checkTarget(operation, guild, userId, args)
  checkTimeout(operation, args.communication_disabled_until)
  const { timeoutUntil: before, ...state } = memberState(store, guild, userId)
  const timeout = args.communication_disabled_until
  const timeoutUntil = timeout === undefined ? before : timeout === null ? undefined : Date.parse(timeout)
  const after: StoredMember = {
    ...state,
    nick: args.nick === undefined ? (state.nick ?? null) : args.nick || null,
    ...(timeoutUntil === undefined ? {} : { timeoutUntil }),
    isMuted: args.mute ?? state.isMuted ?? false,
    isDeafened: args.deaf ?? state.isDeafened ?? false,
  }
  store.commit([
    ...memberStateWrites(store, guild, userId, after),
    ...(args.channel_id === undefined ? [] : moveWrites(operation, guild, userId, args.channel_id)),
    ...(args.roles === undefined ? [] : roleWrites(operation, guild, userId, args.roles ?? [])),
    ...auditWrites(operation, guild.id, {
      event: args.roles === undefined ? 'MEMBER_UPDATE' : 'MEMBER_ROLE_UPDATE',
      targetId: userId,
      reason: args.audit_log_reason,
    }),
  ])
  const changed = guildFor(operation, args.guild_id)
  const user = store.users.get(userId)
  // The rules for names of members.
  if (args.nick !== undefined && user !== undefined) {
    const actor = { platform: operation.platform, caller: { kind: 'user', id: userId } } as const
    store.commit(moderatedProfileWrites(actor, changed, [user.username, user.globalName, after.nick]))
  }
  return memberView(operation, guildFor(operation, args.guild_id), userId)
}

const removeMember: Handler<'REMOVE_GUILD_MEMBER'> = ({ guild_id, user_id, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'KICK_MEMBERS')
  if (!Object.hasOwn(guild.members, user_id)) throw new PlatformError('unknownMember')
  checkAbove(operation, guild, user_id)
  store.commit([
    store.guilds.put(guild.id, withoutMember(guild, user_id)),
    ...roleLossWrites(operation, guild, user_id),
    ...auditWrites(operation, guild.id, { event: 'MEMBER_KICK', targetId: user_id, reason }),
  ])
  return null
}

interface RoleOfMember {
  readonly guild_id: string
  readonly user_id: string
  readonly role_id: string
  readonly audit_log_reason?: string | undefined
}

function setRole(operation: Operation, { guild_id, user_id, role_id, audit_log_reason: reason }: RoleOfMember, isHeld: boolean): null {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'MANAGE_ROLES')
  const userId = memberIn(operation, guild, user_id)
  const role = store.roles.get(role_id)
  if (role === undefined || role.guildId !== guild.id) throw new PlatformError('unknownRole')
  checkRoleBelow(operation, guild, role)
  const others = role.memberIds.filter((id) => id !== userId)
  store.commit([
    store.roles.put(role.id, { ...role, memberIds: isHeld ? [...others, userId] : others }),
    ...auditWrites(operation, guild.id, { event: 'MEMBER_ROLE_UPDATE', targetId: userId, reason }),
  ])
  return null
}

const addRole: Handler<'ADD_GUILD_MEMBER_ROLE'> = (args, operation) => setRole(operation, args, true)
const removeRole: Handler<'REMOVE_GUILD_MEMBER_ROLE'> = (args, operation) => setRole(operation, args, false)

export const guildMemberHandlers = {
  ADD_GUILD_MEMBER_ROLE: addRole,
  GET_GUILD_MEMBER: getMember,
  LIST_GUILD_MEMBERS: listMembers,
  MODIFY_GUILD_MEMBER: modifyMember,
  REMOVE_GUILD_MEMBER: removeMember,
  REMOVE_GUILD_MEMBER_ROLE: removeRole,
  SEARCH_GUILD_MEMBERS: searchMembers,
} satisfies Partial<Handlers>
