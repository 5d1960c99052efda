/** Handles the dispatches of gateway connections, and publishes the events mapped from them. */
import type { Session } from '../../../sessions/session.ts'
import type { Publish } from '../../outgoing-event.ts'
import { preferenceOf } from '../../routes.ts'
import type { EventRouting } from '../../routing.ts'
import type { GatewayRequests } from './requests.ts'
import type { GuildChange } from './cache/guild-cache.ts'
import type { ManagedConnection } from './managed-connection.ts'
import type { DirectMessageSync } from './direct-message-sync.ts'
import type { GatewayDispatch, GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import type { GuildStatuses } from './guild-statuses.ts'
import { isUserOf } from './demand.ts'
import { fieldsOf } from '@sallyport/core/json-read'
import { type MappingResult, isKnownDispatch, mapDispatch } from './dispatch-mappings/dispatch-mappings.ts'

interface DispatchHandlerDeps {
  readonly publish: Publish
  readonly requests: GatewayRequests
  readonly statuses: GuildStatuses
  readonly directMessages: DirectMessageSync
  /** Where the platform serves images. */
  readonly imageOrigin: string
  readonly routing: EventRouting
  /** A gateway session began or resumed. */
  readonly onReady: (identity: GatewayIdentity) => void
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
    const { requests, statuses, directMessages, imageOrigin, onReady, routing } = this.#deps
    requests.handle(connection, t, d)
    if (!isKnownDispatch(t)) {
      this.#ignored++
      return
    }
    if (identity.kind === 'user') {
      statuses.handle(connection, t, guild)
      directMessages.handle(t, d, identity)
    }
    for (const event of mapDispatch(t, { d: fieldsOf(d), identity, guild, guilds, users, imageOrigin })) this.#publish(connection, event)
    const isReady = t === 'READY' || t === 'RESUMED'
    if (isReady) onReady(identity)
    if (isReady || guild?.kind === 'joined' || guild?.kind === 'left') routing.changed.emit()
  }

  #publish(connection: ManagedConnection, { mapping, args = {}, data, owner, scope, dedupeKey }: MappingResult): void {
    const { identity } = connection
    const userId = identity.kind === 'user' ? identity.userId : owner
    this.#deps.publish({
      name: mapping.event,
      args,
      data,
      isRecipient: (session) =>
        this.#isRecipient(identity, mapping.event, session) &&
        (owner === undefined || session.signedIn?.userId === owner) &&
        (scope === undefined || session.scopes.has(scope)),
      dedupeKey: userId === undefined ? undefined : dedupeKey?.(userId),
      origin: connection.key,
    })
  }

  /** A bot, the first in every preference, publishes everything it has; the first dispatches after an outage precede its being usable again. */
  #isRecipient(identity: GatewayIdentity, event: string, session: Session): boolean {
    if (identity.kind === 'user') return isUserOf(identity, session) && this.#deps.routing.isAssigned('user', session, event)
    return preferenceOf(event).includes('bot') && session.applicationId === identity.applicationId && session.signedIn !== undefined
  }
}
