/**
 * Shows presence over the gateway connection of the user whose game shows it: that connection is wanted while there is something to show.
 * Only for sessions that may open one and may show nothing by the HTTP API: what is shown that way has a session that others can join by.
 */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Session } from '../../../sessions/session.ts'
import { ByPlayer } from '../../../presence/by-player.ts'
import type { PresenceCarrier } from '../../../presence/carrier.ts'
import type { Player, Presence } from '../../../presence/sink.ts'
import type { GatewayParty } from '../../../platform/gateway/gateway.ts'
import { userParty, type WantedParty, wantedByUser } from './parties.ts'
import { isTooLarge, payloadText } from '../../../platform/gateway/payload.ts'

export interface GatewayPresenceParts {
  /** Of an application, on which somebody is signed in. */
  readonly sessions: (applicationId: string) => readonly Session[]
  readonly canServe: (party: GatewayParty) => boolean
  /** Wants a connection; what it gives back ends that. */
  readonly hold: (wanted: WantedParty) => () => void
  readonly send: (party: GatewayParty, op: number, d: unknown) => void
}

interface Shown {
  readonly party: GatewayParty
  readonly presence: Presence
  readonly release: () => void
}

const { op: PRESENCE_UPDATE } = GATEWAY_OPCODES.PRESENCE_UPDATE
/** The scope of showing presence by the HTTP API. */
const BY_HTTP = 'activities.write'
const NOTHING = { since: null, activities: [], status: 'online', afk: false }

/** Of what is larger than the gateway takes these are left out, one after the other, and never what others join by. */
const ADORNMENTS = ['buttons', 'metadata', 'details_url', 'state_url', 'assets']

function updateOf({ applicationId, stored: { activity, secrets } }: Presence): object {
  const shown: Record<string, unknown> = { ...activity, application_id: applicationId, ...(secrets === undefined ? {} : { secrets }) }
  const update = { ...NOTHING, activities: [shown] }
  for (const name of ADORNMENTS) if (isTooLarge(payloadText(PRESENCE_UPDATE, update))) delete shown[name]
  return update
}

export class GatewayPresence implements PresenceCarrier {
  readonly name = 'gateway'
  readonly #parts: GatewayPresenceParts
  readonly #shown = new ByPlayer<Shown>()
  #onChange: (applicationId: string, userId?: string) => void = () => {}

  constructor(parts: GatewayPresenceParts) {
    this.#parts = parts
  }

  canShow(player: Player): boolean {
    return this.#sessionOf(player) !== undefined
  }

  show(player: Player, presence: Presence | undefined): void {
    const before = this.#shown.get(player)
    const session = presence === undefined ? undefined : this.#sessionOf(player, presence.sessionId)
    const [wanted] = session === undefined ? [] : wantedByUser(session)
    if (presence === undefined || wanted === undefined) this.#shown.delete(player)
    else {
      this.#shown.set(player, { party: wanted.party, presence, release: this.#parts.hold(wanted) })
      this.#parts.send(wanted.party, PRESENCE_UPDATE, updateOf(presence))
    }
    if (before === undefined) return
    if (wanted === undefined) this.#parts.send(before.party, PRESENCE_UPDATE, NOTHING)
    before.release()
  }

  onChange(listener: (applicationId: string, userId?: string) => void): void {
    this.#onChange = listener
  }

  /** What Identify says of a party's presence; undefined: nothing. */
  of(party: GatewayParty): object | undefined {
    const shown = party.kind === 'user' ? this.#shown.get(party) : undefined
    return shown === undefined ? undefined : updateOf(shown.presence)
  }

  /** A session came or went, or its user changed: told only when that makes a difference here, since each telling costs an update. */
  sessionChanged({ applicationId, signedIn }: Session): void {
    for (const { presence } of this.#shown.of(applicationId)) if (!this.canShow(presence)) this.#onChange(applicationId, presence.userId)
    const player = { applicationId, userId: signedIn?.userId }
    if (this.#shown.get(player) === undefined && this.canShow(player)) this.#onChange(applicationId, player.userId)
  }

  /** Something may be shown for the party that could not be before, or no more. */
  changed(party: GatewayParty): void {
    if (party.kind === 'user') this.#onChange(party.applicationId, party.userId)
  }

  /** The session that shows it when it can; else another one of the player. */
  #sessionOf({ applicationId, userId }: Player, sessionId?: number): Session | undefined {
    const able = this.#parts.sessions(applicationId).filter((caller) => {
      const party = caller.signedIn?.userId !== userId || caller.scopes.has(BY_HTTP) ? undefined : userParty(caller)
      return party !== undefined && this.#parts.canServe(party)
    })
    return able.find(({ channel }) => channel.id === sessionId) ?? able[0]
  }
}
