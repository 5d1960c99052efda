/** A guild of `GET /users/@me/guilds` as GUILD_STATUS tells it. Pure. */
import type { EventDataOf, UserGuild } from '@sallyport/protocol'

export interface GuildStatus {
  readonly data: EventDataOf<'GUILD_STATUS'>
  /** Equal for equal data. */
  readonly mark: string
}

/** `imageOrigin`: where the platform serves images, e.g. `https://cdn.example.com`. */
export function guildStatus({ id, name, icon, approximate_presence_count: online }: UserGuild, imageOrigin: string): GuildStatus {
  const icon_url = icon === null ? null : `${imageOrigin}/icons/${id}/${icon}.png`
  const data = { guild: { id, name, icon_url }, online: online ?? 0 }
  return { data, mark: JSON.stringify(data) }
}
