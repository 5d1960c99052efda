/** Guilds as bots read and modify them. */
import type { Guild } from '@sallyport/protocol'
import type { StoredGuild } from '../store/records.ts'
import { guildFor } from './access.ts'
import { auditWrites } from './audit-writes.ts'
import { countsOf, guildView } from './guild-view.ts'
import type { Handler, Handlers, Operation } from './handlers.ts'
import { imageHash } from './images.ts'

const viewOf = (operation: Operation, guild: StoredGuild, withCounts: boolean): Guild => ({
  ...guildView(operation, guild),
  ...(withCounts ? countsOf(guild) : {}),
})

const getGuild: Handler<'GET_GUILD_BY_BOT'> = ({ guild_id, with_counts = false }, operation) =>
  viewOf(operation, guildFor(operation, guild_id), with_counts)

const modifyGuild: Handler<'MODIFY_GUILD'> = ({ guild_id, name, icon, banner, audit_log_reason: reason }, operation) => {
  const { store } = operation.platform
  const before = guildFor(operation, guild_id, 'MANAGE_GUILD')
  const guild = { ...before, name: name ?? before.name, icon: imageHash(icon, before.icon), banner: imageHash(banner, before.banner) }
  store.commit([
    store.guilds.put(guild.id, guild),
    ...auditWrites(operation, guild.id, { event: 'GUILD_UPDATE', targetId: guild.id, reason }),
  ])
  return guildView(operation, guild)
}

export const guildSettingHandlers = {
  GET_GUILD_BY_BOT: getGuild,
  MODIFY_GUILD: modifyGuild,
} satisfies Partial<Handlers>
