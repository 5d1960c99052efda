/** What connections of the gateway tell, brought to the sessions that it is for. */
import type { Session } from '../../../sessions/session.ts'
import type { Tell } from '../../telling.ts'
import type { GatewayAsks } from './asks.ts'
import type { GuildNews } from './cache/guild-cache.ts'
import type { PartyConnection } from './connection.ts'
import type { Conversations } from './conversations.ts'
import type { GatewayDispatch, GatewayParty } from '../../../platform/gateway/gateway.ts'
import type { GuildStatuses } from './guild-statuses.ts'
import { type BotOf, keyOf } from './parties.ts'
import { fieldsOf } from '../../../platform/gateway/reading.ts'
import { type GatewayTelling, isKnownDispatch, tellingsOf } from './tellings/tellings.ts'

export interface DispatchParts {
  readonly tell: Tell
  readonly asks: GatewayAsks
  readonly statuses: GuildStatuses
  readonly conversations: Conversations
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly botOf: BotOf
  /** A session of the gateway has begun or goes on. */
  readonly onBegun: (party: GatewayParty) => void
  /** What a connection can tell of may be another matter now. */
  readonly onReach: () => void
}

export class Dispatches {
  readonly #parts: DispatchParts
  /** Dispatches that nothing is known of. */
  #ignored = 0

  constructor(parts: DispatchParts) {
    this.#parts = parts
  }

  get ignored(): number {
    return this.#ignored
  }

  take(connection: PartyConnection, { t, d }: GatewayDispatch, guild: GuildNews | undefined): void {
    const { party, guilds, people } = connection
    const { asks, conversations, imageOrigin, onBegun, onReach } = this.#parts
    asks.take(connection, t, d)
    if (!isKnownDispatch(t)) {
      this.#ignored++
      return
    }
    if (party.kind === 'user') {
      this.#takeGuild(connection, t, guild)
      conversations.take(t, d, party)
    }
    for (const telling of tellingsOf(t, { d: fieldsOf(d), party, guild, guilds, people, imageOrigin })) this.#tell(connection, telling)
    const isBeginning = t === 'READY' || t === 'RESUMED'
    if (isBeginning) onBegun(party)
    if (isBeginning || guild?.what === 'joined' || guild?.what === 'left') onReach()
  }

  #takeGuild(connection: PartyConnection, t: string, guild: GuildNews | undefined): void {
    const { statuses } = this.#parts
    const isMeant = (caller: Session): boolean => isOfUser(connection, caller)
    if (t === 'READY') {
      if (connection.isBegunAnew) statuses.begin(isMeant)
      statuses.tellAll(connection, isMeant)
    }
    if (guild !== undefined) statuses.note(connection, guild, isMeant)
  }

  #tell(connection: PartyConnection, { row, args = {}, data, owner, scope, key }: GatewayTelling): void {
    const { party } = connection
    const userId = party.kind === 'user' ? party.userId : owner
    this.#parts.tell({
      name: row.event,
      args,
      data,
      isFor: (caller) =>
        this.#isMeant(connection, row.by, caller) &&
        (owner === undefined || caller.signedIn?.userId === owner) &&
        (scope === undefined || caller.scopes.has(scope)),
      key: userId === undefined ? undefined : key?.(userId),
      by: keyOf(party),
    })
  }

  /** Where a bot knows something too, only the bot tells it, so that nobody hears it twice. */
  #isMeant(connection: PartyConnection, by: 'application' | 'user', caller: Session): boolean {
    const { party } = connection
    if (party.kind === 'user') return isOfUser(connection, caller) && (by === 'user' || this.#parts.botOf(party.applicationId) !== 'usable')
    return by === 'application' && caller.applicationId === party.applicationId && caller.signedIn !== undefined
  }
}

const isOfUser = ({ party }: PartyConnection, { applicationId, signedIn }: Session): boolean =>
  party.kind === 'user' && applicationId === party.applicationId && signedIn?.userId === party.userId
