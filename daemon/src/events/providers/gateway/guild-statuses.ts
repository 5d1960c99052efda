/** GUILD_STATUS by the gateway: how a guild stands, from what the user's own connection has told, at the subscription and at each change. */
import type { Session } from '../../../sessions/session.ts'
import type { SubscriptionHub } from '../../hub.ts'
import { guildIcon } from '../../guild-icon.ts'
import type { Tell } from '../../telling.ts'
import type { GuildStatusData, ToldStatuses } from '../../told-statuses.ts'
import type { GuildNews } from './cache/guild-cache.ts'
import type { PartyConnection } from './connection.ts'

export const GUILD_STATUS = 'GUILD_STATUS'

export interface GuildStatusesParts {
  readonly hub: Pick<SubscriptionHub<Session>, 'desired' | 'desiredBy' | 'subscribersOf'>
  readonly tell: Tell
  readonly told: ToldStatuses
  readonly imageOrigin: string
}

export const guildOf = (args: object): string => (args as { readonly guild_id: string }).guild_id

export class GuildStatuses {
  readonly #parts: GuildStatusesParts
  /** Guilds that a session has just subscribed for and is not answered about yet: nothing is told before the answer. */
  readonly #unanswered = new WeakMap<Session, Set<string>>()

  constructor(parts: GuildStatusesParts) {
    this.#parts = parts
  }

  /** Tells what a dispatch changed. `isMeant`: whom the connection speaks for. */
  note(connection: PartyConnection, { guildId, what }: GuildNews, isMeant: (caller: Session) => boolean): void {
    if (what === 'loaded' || what === 'joined' || what === 'changed') this.tell(connection, guildId, isMeant)
    // Who comes back to a guild is told of it anew.
    else if (what === 'left') this.#forget(guildId, isMeant)
  }

  /** A new session has begun after another: how each guild stands is told again as it comes. */
  begin(isMeant: (caller: Session) => boolean): void {
    for (const guildId of this.#wanted()) this.#forget(guildId, isMeant)
  }

  /** Tells of every guild that is wanted whoever was not told yet. */
  tellAll(connection: PartyConnection, isMeant: (caller: Session) => boolean): void {
    for (const guildId of this.#wanted()) this.tell(connection, guildId, isMeant)
  }

  /** Tells one session of every guild that it wants and was not told of yet. */
  tellOne(connection: PartyConnection, to: Session): void {
    for (const { name, args } of this.#parts.hub.desiredBy(to))
      if (name === GUILD_STATUS) this.tell(connection, guildOf(args), (one) => one === to)
  }

  tell({ guilds }: PartyConnection, guildId: string, isMeant: (caller: Session) => boolean): void {
    const { tell, told, imageOrigin } = this.#parts
    const guild = guilds.guild(guildId)
    if (guild?.name === undefined) return
    const known: GuildStatusData = {
      guild: { id: guildId, name: guild.name, icon_url: guildIcon(guild, imageOrigin) },
      ...(guild.online === undefined ? {} : { online: guild.online }),
    }
    const isFor = (caller: Session): boolean =>
      isMeant(caller) && this.#unanswered.get(caller)?.has(guildId) !== true && told.isNews(caller, known)
    tell({ name: GUILD_STATUS, args: { guild_id: guildId }, data: { online: 0, ...known }, isFor, key: undefined })
  }

  /** Tells one who just subscribed nothing of a guild until the function that it gives back is called; then it is told anew. */
  hold(to: Session, guildId: string): () => void {
    const unanswered = this.#unanswered.get(to) ?? new Set<string>()
    this.#unanswered.set(to, unanswered.add(guildId))
    this.#parts.told.forget(to, guildId)
    return () => void unanswered.delete(guildId)
  }

  #wanted(): readonly string[] {
    return this.#parts.hub
      .desired()
      .filter(({ name }) => name === GUILD_STATUS)
      .map(({ args }) => guildOf(args))
  }

  #forget(guildId: string, isMeant: (caller: Session) => boolean): void {
    const { hub, told } = this.#parts
    for (const caller of hub.subscribersOf({ name: GUILD_STATUS, args: { guild_id: guildId } }))
      if (isMeant(caller)) told.forget(caller, guildId)
  }
}
