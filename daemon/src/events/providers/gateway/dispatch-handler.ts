/** Handles the dispatches of gateway connections, and publishes the events mapped from them. */
import type { Session } from '../../../sessions/session.ts'
import type { Publish } from '../../outgoing-event.ts'
import type { GatewayRequests } from './requests.ts'
import type { GuildChange } from './cache/guild-cache.ts'
import type { ManagedConnection } from './managed-connection.ts'
import type { DirectMessageSync } from './direct-message-sync.ts'
import type { GatewayDispatch, GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import type { GuildStatuses } from './guild-statuses.ts'
import { type BotAvailability, identityKey } from './demand.ts'
import { fieldsOf } from '../../../platform/gateway/reading.ts'
import { type MappingResult, isKnownDispatch, mapDispatch } from './dispatch-mappings/dispatch-mappings.ts'

export interface DispatchHandlerDeps {
  readonly publish: Publish
  readonly requests: GatewayRequests
  readonly statuses: GuildStatuses
  readonly directMessages: DirectMessageSync
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly botOf: BotAvailability
  /** A gateway session began or resumed. */
  readonly onReady: (identity: GatewayIdentity) => void
  /** The set of events that a connection can provide may have changed. */
  readonly onCoverageChange: () => void
}

export class DispatchHandler {
  readonly #deps: DispatchHandlerDeps
  /** Number of unknown dispatches. */
  #ignored = 0

  constructor(deps: DispatchHandlerDeps) {
    this.#deps = deps
  }

  get ignored(): number {
    return this.#ignored
  }

  handle(connection: ManagedConnection, { t, d }: GatewayDispatch, guild: GuildChange | undefined): void {
    const { identity, guilds, users } = connection
    const { requests, directMessages, imageOrigin, onReady, onCoverageChange } = this.#deps
    requests.handle(connection, t, d)
    if (!isKnownDispatch(t)) {
      this.#ignored++
      return
    }
    if (identity.kind === 'user') {
      this.#handleGuild(connection, t, guild)
      directMessages.handle(t, d, identity)
    }
    for (const event of mapDispatch(t, { d: fieldsOf(d), identity, guild, guilds, users, imageOrigin })) this.#publish(connection, event)
    const isReady = t === 'READY' || t === 'RESUMED'
    if (isReady) onReady(identity)
    if (isReady || guild?.kind === 'joined' || guild?.kind === 'left') onCoverageChange()
  }

  #handleGuild(connection: ManagedConnection, t: string, guild: GuildChange | undefined): void {
    const { statuses } = this.#deps
    const isRecipient = (session: Session): boolean => isOfUser(connection, session)
    if (t === 'READY') {
      if (connection.wasRestarted) statuses.reset(isRecipient)
      statuses.publishAll(connection, isRecipient)
    }
    if (guild !== undefined) statuses.onGuildChange(connection, guild, isRecipient)
  }

  #publish(connection: ManagedConnection, { mapping, args = {}, data, owner, scope, dedupeKey }: MappingResult): void {
    const { identity } = connection
    const userId = identity.kind === 'user' ? identity.userId : owner
    this.#deps.publish({
      name: mapping.event,
      args,
      data,
      isRecipient: (session) =>
        this.#isRecipient(connection, mapping.providedBy, session) &&
        (owner === undefined || session.signedIn?.userId === owner) &&
        (scope === undefined || session.scopes.has(scope)),
      dedupeKey: userId === undefined ? undefined : dedupeKey?.(userId),
      origin: identityKey(identity),
    })
  }

  /** An event that the bot provides too is published only from the connection of the bot, so that no session gets it twice. */
  #isRecipient(connection: ManagedConnection, providedBy: 'application' | 'user', session: Session): boolean {
    const { identity } = connection
    if (identity.kind === 'user')
      return isOfUser(connection, session) && (providedBy === 'user' || this.#deps.botOf(identity.applicationId) !== 'usable')
    return providedBy === 'application' && session.applicationId === identity.applicationId && session.signedIn !== undefined
  }
}

const isOfUser = ({ identity }: ManagedConnection, { applicationId, signedIn }: Session): boolean =>
  identity.kind === 'user' && applicationId === identity.applicationId && signedIn?.userId === identity.userId
