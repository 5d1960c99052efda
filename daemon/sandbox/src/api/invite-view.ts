/** The wire form of invites. */
import type { ChannelInvite } from '@sallyport/protocol'
import { applicationOf, type Platform } from '../platform.ts'
import type { StoredRole } from '../store/guild-application-records.ts'
import type { StoredGuild, StoredInvite } from '../store/records.ts'
import { applicationView } from './application-view.ts'
import { settingsOf } from './guild-view.ts'
import { botView, userView } from './user-view.ts'
import { isoTime } from './wire-time.ts'

export function inviteView(platform: Platform, invite: StoredInvite): ChannelInvite {
  const { store } = platform
  const { createdAt, maxAgeSeconds, roleIds = [] } = invite
  const guild = store.guilds.get(invite.guildId)
  const channel = store.channels.get(invite.channelId)
  return {
    type: 0,
    code: invite.code,
    ...(guild === undefined ? {} : { guild: guildView(platform, guild) }),
    guild_id: invite.guildId,
    channel: { id: invite.channelId, name: channel?.name ?? '', type: channel?.type ?? 0 },
    inviter: botView(applicationOf(platform, invite.inviterId)),
    ...targetView(platform, invite),
    ...(roleIds.length === 0 ? {} : { roles: roleIds.flatMap((id) => store.roles.get(id) ?? []).map(roleView) }),
    expires_at: maxAgeSeconds === 0 ? null : isoTime(createdAt + maxAgeSeconds * 1000),
    uses: invite.uses ?? 0,
    max_uses: invite.maxUses,
    max_age: maxAgeSeconds,
    temporary: invite.temporary ?? false,
    created_at: isoTime(createdAt),
  }
}

function targetView(platform: Platform, { target }: StoredInvite) {
  if (target === undefined) return {}
  const user = platform.store.users.get(target.id)
  if (target.type === 1) return { target_type: 1, ...(user === undefined ? {} : { target_user: userView(platform, user) }) }
  return { target_type: 2, target_application: applicationView(platform, target.id) }
}

/** An invite has fewer fields of its guild, as a user who is no member sees it. */
function guildView(platform: Platform, guild: StoredGuild) {
  const { description, verification_level, premium_subscription_count } = settingsOf(platform, guild)
  return {
    id: guild.id,
    name: guild.name,
    splash: null,
    banner: guild.banner,
    description,
    icon: guild.icon,
    features: [...guild.features],
    verification_level,
    vanity_url_code: null,
    nsfw_level: 0,
    nsfw: false,
    premium_subscription_count,
  }
}

/** An invite has fewer fields of a role than the guild. */
const roleView = ({ id, name, position, colors }: StoredRole) => ({
  id,
  name,
  position,
  color: colors[0],
  colors: { primary_color: colors[0], secondary_color: colors[1] ?? null, tertiary_color: colors[2] ?? null },
  icon: null,
  unicode_emoji: null,
})
