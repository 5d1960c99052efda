/**
 * Sends presence via the gateway connection of the user, which stays open while there is presence to send. Only for sessions that may open such
 * a connection and may not send presence via the HTTP API. Presence via the HTTP API has an activity session, which other users need for joining.
 */
import { Signal } from '@sallyport/core/signal'
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Session } from '../../../sessions/session.ts'
import { OwnerMap } from '../../../presence/owner-map.ts'
import type { ChannelChange, PresenceChannel } from '../../../presence/channel.ts'
import { ACCOUNT } from '../../../presence/places.ts'
import type { PresenceOwner, Presence } from '../../../presence/sink.ts'
import type { GatewayIdentity } from '../../../platform/gateway/gateway.ts'
import { userIdentity, type ConnectionDemand, userDemand } from './demand.ts'
import type { DesiredPresence } from './desired-presence.ts'
import { isTooLarge, payloadText } from '../../../platform/gateway/payload.ts'

interface GatewayPresenceDeps {
  /** The sessions of an application with a signed-in user. */
  readonly sessions: (applicationId: string) => readonly Session[]
  readonly canServe: (identity: GatewayIdentity) => boolean
  /** Keeps a connection open until the returned function is called. */
  readonly acquire: (demand: ConnectionDemand) => () => void
  readonly send: (identity: GatewayIdentity, op: number, d: unknown) => void
  readonly desiredPresence: DesiredPresence
}

interface SentPresence {
  readonly identity: GatewayIdentity
  readonly presence: Presence
  readonly release: () => void
}

const { op: PRESENCE_UPDATE } = GATEWAY_OPCODES.PRESENCE_UPDATE
/** The scope for presence via the HTTP API. */
const HTTP_PRESENCE_SCOPE = 'activities.write'
const NO_PRESENCE = { since: null, activities: [], status: 'online', afk: false }

/** Dropped one after the other from a payload that is too large. Fields that other users need for joining are never dropped. */
const DROPPABLE_FIELDS = ['buttons', 'metadata', 'details_url', 'state_url', 'assets']

function updateOf({ applicationId, stored: { activity, secrets } }: Presence): object {
  const sent: Record<string, unknown> = { ...activity, application_id: applicationId, ...(secrets === undefined ? {} : { secrets }) }
  const update = { ...NO_PRESENCE, activities: [sent] }
  for (const name of DROPPABLE_FIELDS) if (isTooLarge(payloadText(PRESENCE_UPDATE, update))) delete sent[name]
  return update
}

export class GatewayPresenceChannel implements PresenceChannel {
  readonly name = 'gateway'
  readonly place = ACCOUNT
  readonly #deps: GatewayPresenceDeps
  readonly #sent = new OwnerMap<SentPresence>()
  readonly changed = new Signal<ChannelChange>()

  constructor(deps: GatewayPresenceDeps) {
    this.#deps = deps
  }

  canShow(owner: PresenceOwner): boolean {
    return this.#sessionOf(owner) !== undefined
  }

  show(owner: PresenceOwner, presence: Presence | undefined): void {
    const before = this.#sent.get(owner)
    const session = presence === undefined ? undefined : this.#sessionOf(owner, presence.sessionId)
    const [demand] = session === undefined ? [] : userDemand(session)
    if (presence === undefined || demand === undefined) this.#sent.delete(owner)
    else {
      const update = updateOf(presence)
      this.#deps.desiredPresence.set(demand.identity, update)
      this.#sent.set(owner, { identity: demand.identity, presence, release: this.#deps.acquire(demand) })
      this.#deps.send(demand.identity, PRESENCE_UPDATE, update)
    }
    if (before === undefined) return
    if (demand === undefined) {
      this.#deps.desiredPresence.set(before.identity, undefined)
      this.#deps.send(before.identity, PRESENCE_UPDATE, NO_PRESENCE)
    }
    before.release()
  }

  /** A session opened or closed, or its user changed. Emits a change only if it matters here, because each call costs a presence update. */
  sessionChanged({ applicationId, signedIn }: Session): void {
    for (const { presence } of this.#sent.of(applicationId))
      if (!this.canShow(presence)) this.changed.emit({ applicationId, userId: presence.userId })
    // A session without a user sends no presence.
    if (signedIn === undefined) return
    const owner = { applicationId, userId: signedIn.userId }
    if (this.#sent.get(owner) === undefined && this.canShow(owner)) this.changed.emit(owner)
  }

  /** Whether presence can be sent for the identity may have changed. */
  identityChanged(identity: GatewayIdentity): void {
    if (identity.kind === 'user') this.changed.emit(identity)
  }

  /** The session that set the presence if it can be used, otherwise another one of the owner. */
  #sessionOf({ applicationId, userId }: PresenceOwner, sessionId?: number): Session | undefined {
    const usable = this.#deps.sessions(applicationId).filter((session) => {
      const identity = session.signedIn?.userId !== userId || session.scopes.has(HTTP_PRESENCE_SCOPE) ? undefined : userIdentity(session)
      return identity !== undefined && this.#deps.canServe(identity)
    })
    return usable.find(({ connection }) => connection.id === sessionId) ?? usable[0]
  }
}
