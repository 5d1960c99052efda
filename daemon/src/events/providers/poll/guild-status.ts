/** A guild of `GET /users/@me/guilds` as the event reports it. Pure. */
import type { UserGuild } from '@sallyport/protocol'
import { guildIcon } from '../../guild-icon.ts'

export interface GuildStatus {
  readonly guild: { readonly id: string; readonly name: string; readonly icon_url: string | null }
  readonly online: number
}

/** `imageOrigin`: where the platform serves images, e.g. `https://cdn.example.com`. */
export const guildStatus = (guild: UserGuild, imageOrigin: string): GuildStatus => ({
  guild: { id: guild.id, name: guild.name, icon_url: guildIcon(guild, imageOrigin) },
  online: guild.approximate_presence_count ?? 0,
})
