/** Bans of guilds. */
import { type Ban, LIMITS } from '@sallyport/protocol'
import { SECOND_MS } from '@sallyport/core/durations'
import { PlatformError } from '../platform-error.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { Write } from '../store/collection.ts'
import type { StoredGuildBan } from '../store/guild-item-records.ts'
import type { StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { checkAbove, isAbove } from './hierarchy.ts'
import { withoutMember } from './members.ts'
import { pageOf } from './pages.ts'
import { userView } from './user-view.ts'

const keyOf = (guildId: string, userId: string): string => `${guildId}:${userId}`

function banView({ platform }: Operation, { userId, reason }: StoredGuildBan): readonly Ban[] {
  const user = platform.store.users.get(userId)
  return user === undefined ? [] : [{ user: userView(platform, user), reason }]
}

const getBans: Handler<'GET_GUILD_BANS'> = ({ guild_id, ...page }, operation) => {
  const guild = guildFor(operation, guild_id, 'BAN_MEMBERS')
  const bans = operation.platform.store.guildBans.group(guild.id).map((ban) => ({ id: ban.userId, ban }))
  return pageOf(bans, { limit: LIMITS.membersPage.value, ...page }).flatMap(({ ban }) => banView(operation, ban))
}

function banOf(operation: Operation, guild: StoredGuild, userId: string): StoredGuildBan {
  const ban = operation.platform.store.guildBans.get(keyOf(guild.id, userId))
  if (ban === undefined) throw new PlatformError('unknownBan')
  return ban
}

const getBan: Handler<'GET_GUILD_BAN'> = ({ guild_id, user_id }, operation) => {
  const [ban] = banView(operation, banOf(operation, guildFor(operation, guild_id, 'BAN_MEMBERS'), user_id))
  if (ban === undefined) throw new PlatformError('unknownBan')
  return ban
}

interface BanRequest {
  readonly guild: StoredGuild
  readonly userId: string
  readonly seconds: number
  readonly reason: string | undefined
}

/** The writes of a ban, without the guild, and with its audit entry. */
function banWrites(operation: Operation, { guild, userId, seconds, reason }: BanRequest): Write[] {
  const { store, clock } = operation.platform
  const since = clock.now() - seconds * SECOND_MS
  const messages = store.channels
    .group(guild.id)
    .flatMap(({ id }) => store.channelMessages.group(id))
    .filter(({ id, authorId }) => authorId === userId && snowflakeTime(id) >= since)
  return [
    store.guildBans.put(keyOf(guild.id, userId), { guildId: guild.id, userId, reason: reason ?? null }),
    ...(seconds === 0 ? [] : messages.map(({ id }) => store.channelMessages.delete(id))),
    ...auditWrites(operation, guild.id, { event: 'MEMBER_BAN_ADD', targetId: userId, reason }),
  ]
}

const createBan: Handler<'CREATE_GUILD_BAN'> = (args, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, args.guild_id, 'BAN_MEMBERS')
  if (store.users.get(args.user_id) === undefined) throw new PlatformError('unknownUser')
  checkAbove(operation, guild, args.user_id)
  const request = { guild, userId: args.user_id, seconds: args.delete_message_seconds ?? 0, reason: args.audit_log_reason }
  store.commit([store.guilds.put(guild.id, withoutMember(guild, args.user_id)), ...banWrites(operation, request)])
  return null
}

const removeBan: Handler<'REMOVE_GUILD_BAN'> = ({ guild_id, user_id, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'BAN_MEMBERS')
  const { userId } = banOf(operation, guild, user_id)
  store.commit([
    store.guildBans.delete(keyOf(guild.id, userId)),
    ...auditWrites(operation, guild.id, { event: 'MEMBER_BAN_REMOVE', targetId: userId, reason }),
  ])
  return null
}

/** Users who do not exist, are banned already or are above the caller are not banned. */
const bulkBan: Handler<'BULK_GUILD_BAN'> = (args, operation) => {
  const { store } = operation.platform
  const guild = guildFor(operation, args.guild_id, 'BAN_MEMBERS', 'MANAGE_GUILD')
  const { seconds, reason } = { seconds: args.delete_message_seconds ?? 0, reason: args.audit_log_reason }
  const ids = [...new Set(args.user_ids)]
  const isBannable = (id: string) =>
    store.users.get(id) !== undefined && isAbove(operation, guild, id) && store.guildBans.get(keyOf(guild.id, id)) === undefined
  const banned = ids.filter(isBannable)
  if (banned.length === 0) throw new PlatformError('nothingBanned')
  const remaining = banned.reduce(withoutMember, guild)
  store.commit([
    store.guilds.put(guild.id, remaining),
    ...banned.flatMap((userId) => banWrites(operation, { guild, userId, seconds, reason })),
  ])
  return { banned_users: banned, failed_users: ids.filter((id) => !banned.includes(id)) }
}

export const banHandlers = {
  BULK_GUILD_BAN: bulkBan,
  CREATE_GUILD_BAN: createBan,
  GET_GUILD_BAN: getBan,
  GET_GUILD_BANS: getBans,
  REMOVE_GUILD_BAN: removeBan,
} satisfies Partial<Handlers>
