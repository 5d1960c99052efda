/** The lifecycle of invites: creation, use and expiry. */
import { newToken } from '../oauth/tokens.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredInvite } from '../store/records.ts'
import { moderatedProfileWrites } from './auto-moderation.ts'

const CODE_CHARACTERS = 10

/** When the invite stops working, in ms since the epoch. */
export const inviteEnd = ({ createdAt, maxAgeSeconds }: StoredInvite): number =>
  maxAgeSeconds === 0 ? Number.POSITIVE_INFINITY : createdAt + maxAgeSeconds * 1000

/** A random invite code. */
export const newInviteCode = (): string => newToken().slice(0, CODE_CHARACTERS)

/** The writes that store a new invite and delete expired ones. */
export function inviteWrites({ store, clock }: Platform, invite: StoredInvite): Write[] {
  const lapsed = store.invites.all().filter((other) => inviteEnd(other) <= clock.now())
  return [...lapsed.map(({ code }) => store.invites.delete(code)), store.invites.put(invite.code, invite)]
}

/** A working invite by its code. Throws unknownInvite. */
export function inviteFor({ store, clock }: Platform, code: string): StoredInvite {
  const invite = store.invites.get(code)
  if (invite === undefined || inviteEnd(invite) <= clock.now()) throw new PlatformError('unknownInvite')
  return invite
}

/** Makes the user a member with the roles of the invite. Throws unknownInvite, unknownGuild, or missingAccess for a user it is not for. */
export function acceptInvite(
  platform: Platform,
  code: string,
  userId: string,
): { readonly guild_id: string; readonly role_ids: readonly string[] } {
  const { store } = platform
  const invite = inviteFor(platform, code)
  const guild = store.guilds.get(invite.guildId)
  if (guild === undefined) throw new PlatformError('unknownGuild')
  const { targetUserId, keptFor, maxUses, uses = 0, roleIds = [] } = invite
  const isFor = (targetUserId ?? userId) === userId && (keptFor?.userIds.includes(userId) ?? true)
  if (!isFor) throw new PlatformError('missingAccess')
  const isLast = maxUses > 0 && uses + 1 >= maxUses
  const members = { [userId]: {}, ...guild.members }
  const given = roleIds.flatMap((id) => store.roles.get(id) ?? [])
  store.commit([
    store.guilds.put(guild.id, { ...guild, members }),
    ...given.map((role) => store.roles.put(role.id, { ...role, memberIds: [...new Set([...role.memberIds, userId])] })),
    isLast ? store.invites.delete(code) : store.invites.put(code, { ...invite, uses: uses + 1 }),
  ])
  const joined = store.guilds.get(guild.id) ?? guild
  const { username, globalName } = store.users.get(userId) ?? {}
  store.commit(moderatedProfileWrites({ platform, caller: { kind: 'user', id: userId } }, joined, [username, globalName]))
  return { guild_id: guild.id, role_ids: given.map(({ id }) => id) }
}
