/** Permissions of a caller in a guild and its channels, as the platform computes them. */
import { PERMISSIONS, type PermissionName } from '@sallyport/protocol'
import { MEMBER_PERMISSIONS } from '../seed/world.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredChannel, StoredGuild, StoredOverwrite } from '../store/records.ts'
import type { ApiCaller } from './authentication.ts'
import { isRestricted, type RestrictionSource } from './member-restrictions.ts'

/** The roles and the time that permissions depend on. A platform is one. */
export interface PermissionSource extends RestrictionSource {
  readonly store: RestrictionSource['store'] & { readonly roles: { group(guildId: string): readonly StoredRole[] } }
}

type Member = Pick<ApiCaller, 'kind' | 'id'>

const ALL = (1n << 64n) - 1n
/** What a member in a timeout, or with a blocked profile, keeps. */
const RESTRICTED = PERMISSIONS.VIEW_CHANNEL.bit | PERMISSIONS.READ_MESSAGE_HISTORY.bit

/** Permissions of the @everyone role. */
export const everyonePermissions = ({ everyonePermissions: own }: Pick<StoredGuild, 'everyonePermissions'>): bigint =>
  own === undefined ? MEMBER_PERMISSIONS : BigInt(own)

/** Permission bits in the guild: those of @everyone and of all roles. All for the owner and administrators; undefined for a non-member. */
export function guildPermissions(source: PermissionSource, guild: StoredGuild, member: Member): bigint | undefined {
  const bits = unrestricted(source, guild, member)
  return bits === undefined || bits === ALL || !isRestricted(source, guild, member) ? bits : bits & RESTRICTED
}

/** Permission bits in the channel: those of the guild, then the overwrites of @everyone, of all roles together, and of the member. */
export function channelPermissions(
  source: PermissionSource,
  guild: StoredGuild,
  { overwrites }: Pick<StoredChannel, 'overwrites'>,
  member: Member,
): bigint | undefined {
  const base = unrestricted(source, guild, member)
  if (base === undefined || base === ALL) return base
  const roleIds = rolesOfMember(source, guild, member).map(({ id }) => id)
  const steps = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id }) => roleIds.includes(id)),
    overwrites.filter(({ id }) => id === member.id),
  ]
  const bits = steps.reduce(overwritten, base)
  if ((bits & PERMISSIONS.VIEW_CHANNEL.bit) === 0n) return 0n
  return isRestricted(source, guild, member) ? bits & RESTRICTED : bits
}

export const holds = (bits: bigint | undefined, name: PermissionName): boolean =>
  bits !== undefined && (bits & PERMISSIONS[name].bit) !== 0n

function unrestricted(source: PermissionSource, guild: StoredGuild, member: Member): bigint | undefined {
  if (member.id === guild.ownerId) return ALL
  if (!isMember(guild, member)) return undefined
  const own = member.kind === 'bot' ? (guild.botPermissions ?? 0) : 0
  const roles = rolesOfMember(source, guild, member).map(({ permissions }) => BigInt(permissions))
  const bits = roles.reduce((sum, role) => sum | role, everyonePermissions(guild) | BigInt(own))
  return holds(bits, 'ADMINISTRATOR') ? ALL : bits
}

/** Whether the caller is a member: the bot of every application is one where bots are. */
export const isMember = (guild: StoredGuild, { kind, id }: Member): boolean =>
  id === guild.ownerId || (kind === 'bot' ? guild.botPermissions !== null : guild.members[id] !== undefined)

const rolesOfMember = ({ store }: PermissionSource, guild: StoredGuild, { kind, id }: Member): StoredRole[] =>
  store.roles.group(guild.id).filter(({ hasBots, memberIds }) => (kind === 'bot' ? hasBots === true : memberIds.includes(id)))

/** Of several overwrites, each allowed bit wins over each denied one. */
const overwritten = (bits: bigint, overwrites: readonly StoredOverwrite[]): bigint => {
  const all = (part: 'allow' | 'deny'): bigint => overwrites.reduce((sum, one) => sum | BigInt(one[part]), 0n)
  return (bits & ~all('deny')) | all('allow')
}
