/** What keeps a member from all but reading: a timeout, or a blocked profile. */
import type { Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredBotMember } from '../store/guild-application-records.ts'
import type { StoredGuild, StoredRestriction } from '../store/records.ts'
import type { ApiCaller } from './authentication.ts'

type Member = Pick<ApiCaller, 'kind' | 'id'>

/** Where the restrictions of bots are. A platform is one. */
export interface RestrictionSource {
  readonly store: { readonly botMembers: { get(key: string): StoredBotMember | undefined } }
  readonly clock: { now(): number }
}

export const PLAIN_BOT: StoredBotMember = { nick: null, avatar: null, banner: null, bio: null }

/** The key of a bot's membership. */
export const botMemberKey = (guildId: string, applicationId: string): string => `${guildId}:${applicationId}`

export function restrictionOf({ store }: Pick<RestrictionSource, 'store'>, guild: StoredGuild, { kind, id }: Member): StoredRestriction {
  const { timeoutUntil, isBlocked } = (kind === 'bot' ? store.botMembers.get(botMemberKey(guild.id, id)) : guild.members[id]) ?? {}
  return { ...(timeoutUntil === undefined ? {} : { timeoutUntil }), ...(isBlocked === undefined ? {} : { isBlocked }) }
}

export function isRestricted(source: RestrictionSource, guild: StoredGuild, member: Member): boolean {
  const { timeoutUntil = 0, isBlocked = false } = restrictionOf(source, guild, member)
  return isBlocked || timeoutUntil > source.clock.now()
}

/** The writes that set the restriction of a member; none if it has it already. */
export function restrictionWrites({ store }: Platform, given: StoredGuild, member: Member, restriction: StoredRestriction): Write[] {
  const { kind, id } = member
  const before = restrictionOf({ store }, given, member)
  if (before.timeoutUntil === restriction.timeoutUntil && (before.isBlocked ?? false) === (restriction.isBlocked ?? false)) return []
  if (kind === 'bot') {
    const key = botMemberKey(given.id, id)
    return [store.botMembers.put(key, { ...(store.botMembers.get(key) ?? PLAIN_BOT), ...restriction })]
  }
  return [store.guilds.put(given.id, { ...given, members: { ...given.members, [id]: { ...given.members[id], ...restriction } } })]
}
