/** Guilds as bots read and modify them. */
import type { Guild } from '@sallyport/protocol'
import type { StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { guildEmojiHandlers } from './guild-emojis.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { imageHash } from './images.ts'
import { rolesView } from './roles.ts'
import { stickerHandlers } from './stickers.ts'

function guildView(operation: Operation, guild: StoredGuild, withCounts: boolean): Guild {
  const place = { guild_id: guild.id }
  return {
    id: guild.id,
    name: guild.name,
    icon: guild.icon,
    banner: guild.banner,
    owner_id: guild.ownerId,
    features: [...guild.features],
    roles: rolesView(operation.platform.store, guild),
    emojis: guildEmojiHandlers.LIST_GUILD_EMOJIS(place, operation),
    stickers: stickerHandlers.LIST_GUILD_STICKERS(place, operation),
    ...(withCounts ? { approximate_member_count: Object.keys(guild.members).length, approximate_presence_count: guild.onlineCount } : {}),
  }
}

const getGuild: Handler<'GET_GUILD_BY_BOT'> = ({ guild_id, with_counts = false }, operation) =>
  guildView(operation, guildFor(operation, guild_id), with_counts)

const modifyGuild: Handler<'MODIFY_GUILD'> = ({ guild_id, name, icon, banner, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const before = guildFor(operation, guild_id, 'MANAGE_GUILD')
  const guild = { ...before, name: name ?? before.name, icon: imageHash(icon, before.icon), banner: imageHash(banner, before.banner) }
  store.commit([
    store.guilds.put(guild.id, guild),
    ...auditWrites(operation, guild.id, { event: 'GUILD_UPDATE', targetId: guild.id, reason }),
  ])
  return guildView(operation, guild, false)
}

export const guildSettingHandlers = {
  GET_GUILD_BY_BOT: getGuild,
  MODIFY_GUILD: modifyGuild,
} satisfies Partial<Handlers>
