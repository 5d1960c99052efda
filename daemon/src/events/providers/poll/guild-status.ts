/** A guild of `GET /users/@me/guilds` in the form of GUILD_STATUS. Pure. */
import type { UserGuild } from '@sallyport/protocol'
import { guildIcon } from '../../guild-icon.ts'
import type { GuildStatusData } from '../../last-guild-statuses.ts'

/** `imageOrigin`: where the platform serves images, e.g. `https://cdn.example.com`. */
export const guildStatus = (guild: UserGuild, imageOrigin: string): GuildStatusData => ({
  guild: { id: guild.id, name: guild.name, icon_url: guildIcon(guild, imageOrigin) },
  online: guild.approximate_presence_count ?? 0,
})
