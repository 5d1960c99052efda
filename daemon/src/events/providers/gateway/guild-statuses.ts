/** GUILD_STATUS from the guild cache of the user's own gateway connection, at the subscription and at each change. */
import type { Session } from '../../../sessions/session.ts'
import type { SubscriptionRegistry } from '../../subscription-registry.ts'
import { guildIcon } from '../../guild-icon.ts'
import type { Publish } from '../../outgoing-event.ts'
import type { GuildStatusData, LastGuildStatuses } from '../../last-guild-statuses.ts'
import type { GuildChange } from './cache/guild-cache.ts'
import type { ManagedConnection } from './managed-connection.ts'

export const GUILD_STATUS = 'GUILD_STATUS'

export interface GuildStatusesDeps {
  readonly hub: Pick<SubscriptionRegistry<Session>, 'selectors' | 'selectorsOf' | 'subscribersOf'>
  readonly publish: Publish
  readonly lastStatuses: LastGuildStatuses
  readonly imageOrigin: string
}

export const guildIdOf = (args: object): string => (args as { readonly guild_id: string }).guild_id

export class GuildStatuses {
  readonly #deps: GuildStatusesDeps
  /** Guilds with a pending SUBSCRIBE: nothing is published before its response. */
  readonly #suppressed = new WeakMap<Session, Set<string>>()

  constructor(deps: GuildStatusesDeps) {
    this.#deps = deps
  }

  /** Publishes what a dispatch changed. `isRecipient`: whether a session belongs to the connection. */
  onGuildChange(connection: ManagedConnection, { guildId, kind }: GuildChange, isRecipient: (session: Session) => boolean): void {
    if (kind === 'loaded' || kind === 'joined' || kind === 'changed') this.publishGuild(connection, guildId, isRecipient)
    // A user who rejoins the guild gets its status again.
    else if (kind === 'left') this.#forget(guildId, isRecipient)
  }

  /** A new gateway session replaced another: the status of each guild is published again. */
  reset(isRecipient: (session: Session) => boolean): void {
    for (const guildId of this.#subscribedGuilds()) this.#forget(guildId, isRecipient)
  }

  /** Publishes every subscribed guild to the sessions that do not have its current status. */
  publishAll(connection: ManagedConnection, isRecipient: (session: Session) => boolean): void {
    for (const guildId of this.#subscribedGuilds()) this.publishGuild(connection, guildId, isRecipient)
  }

  /** Publishes every subscribed guild of one session that it does not have the current status of. */
  publishTo(connection: ManagedConnection, session: Session): void {
    for (const { name, args } of this.#deps.hub.selectorsOf(session))
      if (name === GUILD_STATUS) this.publishGuild(connection, guildIdOf(args), (one) => one === session)
  }

  publishGuild({ guilds }: ManagedConnection, guildId: string, isRecipient: (session: Session) => boolean): void {
    const { publish, lastStatuses, imageOrigin } = this.#deps
    const guild = guilds.guild(guildId)
    if (guild?.name === undefined) return
    const status: GuildStatusData = {
      guild: { id: guildId, name: guild.name, icon_url: guildIcon(guild, imageOrigin) },
      ...(guild.online === undefined ? {} : { online: guild.online }),
    }
    const needsStatus = (session: Session): boolean =>
      isRecipient(session) && this.#suppressed.get(session)?.has(guildId) !== true && lastStatuses.recordIfChanged(session, status)
    publish({
      name: GUILD_STATUS,
      args: { guild_id: guildId },
      data: { online: 0, ...status },
      isRecipient: needsStatus,
      dedupeKey: undefined,
    })
  }

  /** Publishes nothing about a guild to a session until the returned function is called. The next status is published even if it is unchanged. */
  suppress(session: Session, guildId: string): () => void {
    const guildIds = this.#suppressed.get(session) ?? new Set<string>()
    this.#suppressed.set(session, guildIds.add(guildId))
    this.#deps.lastStatuses.forget(session, guildId)
    return () => void guildIds.delete(guildId)
  }

  #subscribedGuilds(): readonly string[] {
    return this.#deps.hub
      .selectors()
      .filter(({ name }) => name === GUILD_STATUS)
      .map(({ args }) => guildIdOf(args))
  }

  #forget(guildId: string, isRecipient: (session: Session) => boolean): void {
    const { hub, lastStatuses } = this.#deps
    for (const session of hub.subscribersOf({ name: GUILD_STATUS, args: { guild_id: guildId } }))
      if (isRecipient(session)) lastStatuses.forget(session, guildId)
  }
}
