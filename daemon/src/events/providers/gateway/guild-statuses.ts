/** GUILD_STATUS from the guild cache of the user's own gateway connection. */
import { BridgeError } from '@sallyport/core/errors'
import type { Session } from '../../../sessions/session.ts'
import type { EventSelector, SubscriptionRegistry } from '../../subscription-registry.ts'
import { guildIcon } from '../../guild-icon.ts'
import type { GuildChange } from './cache/guild-cache.ts'
import { isUserOf } from './demand.ts'
import type { ManagedConnection } from './managed-connection.ts'

export const STATUS_EVENT = 'GUILD_STATUS'
/** For a platform that does not send the number. */
const DEFAULTS = { online: 0 }

interface GuildStatusesDeps {
  readonly hub: Pick<SubscriptionRegistry<Session>, 'selectors' | 'selectorsOf' | 'publish' | 'forget'>
  readonly imageOrigin: string
}

const guildIdOf = ({ args }: EventSelector): string => (args as { readonly guild_id: string }).guild_id

const isStatus = ({ name }: EventSelector): boolean => name === STATUS_EVENT

export class GuildStatuses {
  readonly #deps: GuildStatusesDeps

  constructor(deps: GuildStatusesDeps) {
    this.#deps = deps
  }

  /** Publishes what a dispatch changed. */
  handle(connection: ManagedConnection, t: string, guild: GuildChange | undefined): void {
    if (t === 'READY') {
      for (const event of this.#deps.hub.selectors().filter(isStatus)) {
        // A new gateway session replaced another, so changes may be lost.
        if (connection.wasRestarted) this.#forget(connection, guildIdOf(event))
        this.#publish(connection, guildIdOf(event))
      }
    }
    // A user who rejoins the guild gets its status again.
    if (guild?.kind === 'left') this.#forget(connection, guild.guildId)
    else if (guild?.kind === 'loaded' || guild?.kind === 'joined' || guild?.kind === 'changed') this.#publish(connection, guild.guildId)
  }

  /** Publishes the guilds that a session subscribed to. */
  publishTo(connection: ManagedConnection, session: Session): void {
    for (const event of this.#deps.hub.selectorsOf(session).filter(isStatus)) this.#publish(connection, guildIdOf(event))
  }

  /** Publishes the current status. Throws INVALID_GUILD when the user is in no such guild; if that is unknown now, the subscription stays. */
  confirm(connection: ManagedConnection, event: EventSelector): void {
    const guildId = guildIdOf(event)
    // Changes during an outage are not known yet.
    if (connection.state.name === 'live' && connection.guilds.guild(guildId) === undefined)
      throw new BridgeError('INVALID_GUILD', `The user is in no guild ${guildId}, or there is none.`, { path: 'guild_id' })
    this.#publish(connection, guildId)
  }

  #publish({ guilds, identity }: ManagedConnection, guildId: string): void {
    const guild = guilds.guild(guildId)
    if (guild?.name === undefined) return
    const { hub, imageOrigin } = this.#deps
    const status = {
      guild: { id: guildId, name: guild.name, icon_url: guildIcon(guild, imageOrigin) },
      ...(guild.online === undefined ? {} : { online: guild.online }),
    }
    hub.publish({ name: STATUS_EVENT, args: { guild_id: guildId } }, status, (session) => isUserOf(identity, session), DEFAULTS)
  }

  #forget({ identity }: ManagedConnection, guildId: string): void {
    this.#deps.hub.forget({ name: STATUS_EVENT, args: { guild_id: guildId } }, (session) => isUserOf(identity, session))
  }
}
