/** Guild members: the bot's own profile, and pruning. */
import { DAY_MS } from '@sallyport/core/durations'
import { isInEffect, type Member } from '@sallyport/protocol'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { StoredBotMember } from '../store/guild-application-records.ts'
import type { Write } from '../store/collection.ts'
import type { StoredGuild, StoredMember } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { moderatedProfileWrites } from './auto-moderation.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { imageHash } from './images.ts'
import { botMemberKey, PLAIN_BOT } from './member-restrictions.ts'
import { rolesOf } from './roles.ts'
import { personView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

const PRUNE_DAYS_DEFAULT = 7
/** Member flag: a rule blocks the member for a name. */
const QUARANTINED = 1 << 7

/** Nick and voice state of a member, and what restricts it. A bot's are stored by application, a user's in the guild. */
export const memberState = ({ botMembers }: Store, guild: StoredGuild, memberId: string): StoredMember =>
  guild.members[memberId] ?? botMembers.get(botMemberKey(guild.id, memberId)) ?? {}

/** Writes that replace the state of a member. The guild is always written, so that watchers see the change. */
export function memberStateWrites({ botMembers, guilds }: Store, guild: StoredGuild, memberId: string, state: StoredMember): Write[] {
  if (Object.hasOwn(guild.members, memberId)) return [guilds.put(guild.id, { ...guild, members: { ...guild.members, [memberId]: state } })]
  const key = botMemberKey(guild.id, memberId)
  const { avatar, banner, bio } = botMembers.get(key) ?? PLAIN_BOT
  return [botMembers.put(key, { ...state, nick: state.nick ?? null, avatar, banner, bio }), guilds.put(guild.id, { ...guild })]
}

/** The guild after a member left. */
export const withoutMember = (guild: StoredGuild, userId: string): StoredGuild => ({
  ...guild,
  members: Object.fromEntries(Object.entries(guild.members).filter(([id]) => id !== userId)),
})

const modifyCurrentMember: Handler<'MODIFY_CURRENT_MEMBER'> = ({ guild_id, nick, avatar, banner, bio }, operation) => {
  const { platform, caller } = operation
  checkProfile([avatar, banner, bio], platform.clock.now())
  const guild = guildFor(operation, guild_id, ...(nick === undefined ? [] : (['CHANGE_NICKNAME'] as const)))
  const key = botMemberKey(guild.id, caller.applicationId)
  const before = platform.store.botMembers.get(key) ?? PLAIN_BOT
  const after: StoredBotMember = {
    ...before,
    nick: nick === undefined ? before.nick : nick || null,
    avatar: imageHash(avatar, before.avatar),
    banner: imageHash(banner, before.banner),
    bio: bio === undefined ? before.bio : bio || null,
  }
  platform.store.commit([platform.store.botMembers.put(key, after)])
  platform.store.commit(
    moderatedProfileWrites(operation, guild, [applicationOf(platform, caller.applicationId).name, after.nick, after.bio]),
  )
  return memberView(operation, guild, caller.id)
}

/** Before a known date, bots have no profile of their own in a guild. */
function checkProfile(profile: readonly unknown[], now: number): void {
  if (profile.some((part) => part !== undefined) && !isInEffect('member-profile-of-bots', now)) throw new PlatformError('botsCannot')
}

/** The wire form of a member. The calling application's bot is a member too. */
export function memberView({ platform, caller }: Operation, guild: StoredGuild, memberId: string): Member {
  const user = personView(platform, caller.applicationId, memberId)
  if (user === undefined) throw new PlatformError('unknownMember')
  const own = memberId === caller.applicationId ? platform.store.botMembers.get(botMemberKey(guild.id, memberId)) : undefined
  const { avatar = null, banner = null } = own ?? {}
  const { nick = null, timeoutUntil = 0, isBlocked = false, isDeafened, isMuted } = memberState(platform.store, guild, memberId)
  return {
    user,
    nick,
    avatar,
    banner,
    avatar_decoration_data: null,
    roles: rolesOf(platform.store, guild.id, memberId).map(({ id }) => id),
    joined_at: isoTime(snowflakeTime(guild.id)),
    premium_since: null,
    communication_disabled_until: timeoutUntil > platform.clock.now() ? isoTime(timeoutUntil) : null,
    deaf: isDeafened ?? false,
    mute: isMuted ?? false,
    pending: false,
    flags: isBlocked ? QUARANTINED : 0,
  }
}

const getGuildPruneCount: Handler<'GET_GUILD_PRUNE_COUNT'> = ({ guild_id, days, include_roles }, operation) => {
  const guild = guildFor(operation, guild_id, 'KICK_MEMBERS', 'MANAGE_GUILD')
  return { pruned: pruned(operation.platform, guild, days, include_roles?.split(',')).length }
}

const beginGuildPrune: Handler<'BEGIN_GUILD_PRUNE'> = (
  { guild_id, days, include_roles, compute_prune_count, audit_log_reason: reason },
  operation,
) => {
  const { store } = operation.platform
  const guild = guildFor(operation, guild_id, 'KICK_MEMBERS', 'MANAGE_GUILD')
  const gone = new Set(pruned(operation.platform, guild, days, include_roles))
  const members = Object.fromEntries(Object.entries(guild.members).filter(([id]) => !gone.has(id)))
  const options = { delete_member_days: String(days ?? PRUNE_DAYS_DEFAULT), members_removed: String(gone.size) }
  store.commit([
    store.guilds.put(guild.id, { ...guild, members }),
    ...auditWrites(operation, guild.id, { event: 'MEMBER_PRUNE', targetId: null, options, reason }),
  ])
  return { pruned: (compute_prune_count ?? true) ? gone.size : null }
}

/** Members without roles besides the included ones who did not sign in for this long; never the owner. */
function pruned(
  { store, clock }: Platform,
  guild: StoredGuild,
  days: number | null | undefined,
  included: readonly string[] | null = [],
): string[] {
  const since = clock.now() - (days ?? PRUNE_DAYS_DEFAULT) * DAY_MS
  const seen = new Set(
    store.authorizations
      .all()
      .filter(({ createdAt }) => createdAt >= since)
      .map(({ userId }) => userId),
  )
  return Object.keys(guild.members).filter(
    (id) => id !== guild.ownerId && !seen.has(id) && rolesOf(store, guild.id, id).every((role) => included?.includes(role.id)),
  )
}

export const memberHandlers = {
  BEGIN_GUILD_PRUNE: beginGuildPrune,
  GET_GUILD_PRUNE_COUNT: getGuildPruneCount,
  MODIFY_CURRENT_MEMBER: modifyCurrentMember,
} satisfies Partial<Handlers>
