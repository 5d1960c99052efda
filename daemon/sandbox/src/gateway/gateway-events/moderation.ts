/** Events of roles, bans and invites. */
import type { GatewayIntentName, PermissionName } from '@sallyport/protocol'
import { inviteView } from '../../api/invite-view.ts'
import { channelPermissions, guildPermissions, holds } from '../../api/permissions.ts'
import { roleView } from '../../api/roles.ts'
import { userView } from '../../api/user-view.ts'
import type { StoredRole } from '../../store/guild-application-records.ts'
import type { StoredGuildBan } from '../../store/guild-item-records.ts'
import type { StoredGuild, StoredInvite } from '../../store/records.ts'
import { hasIntents, isVisible } from '../viewer.ts'
import { type ChangeMapper, type EventMapper, type GatewayEvent, isSame, NO_EVENTS } from './event-mapper.ts'

/** For members with the intent. */
const toMembers =
  (guild: StoredGuild, intent: GatewayIntentName, event: GatewayEvent): EventMapper =>
  (viewer) =>
    isVisible(viewer, guild) && hasIntents(viewer, intent) ? [event] : NO_EVENTS

/** The role itself; members who got or lost it have events of their own. */
const roleChange = (before: StoredRole | undefined, after: StoredRole | undefined, guild_id: string): GatewayEvent | undefined => {
  if (after === undefined) return before && { t: 'GUILD_ROLE_DELETE', d: { guild_id, role_id: before.id } }
  const role = roleView(after)
  if (before === undefined) return { t: 'GUILD_ROLE_CREATE', d: { guild_id, role } }
  return isSame(roleView(before), role) ? undefined : { t: 'GUILD_ROLE_UPDATE', d: { guild_id, role } }
}

export const mapRoleItself: ChangeMapper<StoredRole> = ({ before, after }, { platform }) => {
  const guild = platform.store.guilds.get((after ?? before)?.guildId ?? '')
  const event = guild && roleChange(before, after, guild.id)
  return guild === undefined || event === undefined ? undefined : toMembers(guild, 'GUILDS', event)
}

export const mapGuildBan: ChangeMapper<StoredGuildBan> = ({ before, after }, { platform }) => {
  const ban = after ?? before
  const guild = platform.store.guilds.get(ban?.guildId ?? '')
  const user = platform.store.users.get(ban?.userId ?? '')
  // A ban whose reason changes is the same ban.
  if (guild === undefined || user === undefined || (before !== undefined && after !== undefined)) return undefined
  const t = after === undefined ? 'GUILD_BAN_REMOVE' : 'GUILD_BAN_ADD'
  const send = toMembers(guild, 'GUILD_MODERATION', { t, d: { guild_id: guild.id, user: userView(platform, user) } })
  return (viewer) => (isHeld('BAN_MEMBERS', guildPermissions(platform, guild, viewer.caller)) ? send(viewer) : NO_EVENTS)
}

export const mapInvite: ChangeMapper<StoredInvite> = ({ before, after }, { platform }) => {
  const invite = after ?? before
  const guild = platform.store.guilds.get(invite?.guildId ?? '')
  const channel = platform.store.channels.get(invite?.channelId ?? '')
  if (invite === undefined || guild === undefined || channel === undefined || (before !== undefined && after !== undefined))
    return undefined
  const place = { guild_id: guild.id, channel_id: channel.id, code: invite.code }
  const { guild: _, channel: __, ...shown } = inviteView(platform, invite)
  const event: GatewayEvent = after === undefined ? { t: 'INVITE_DELETE', d: place } : { t: 'INVITE_CREATE', d: { ...shown, ...place } }
  const send = toMembers(guild, 'GUILD_INVITES', event)
  return (viewer) => (isHeld('MANAGE_CHANNELS', channelPermissions(platform, guild, channel, viewer.caller)) ? send(viewer) : NO_EVENTS)
}

const isHeld = (permission: PermissionName, bits: bigint | undefined): boolean => bits !== undefined && holds(bits, permission)
