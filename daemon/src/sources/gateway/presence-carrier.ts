/**
 * Shows presence over the gateway connection of the user whose game shows it: that connection is wanted while there is something to show.
 * Only for sessions that may open one and may show nothing by the HTTP API: what is shown that way has a session that others can join by.
 */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Caller } from '../../dispatch/caller.ts'
import type { PresenceCarrier } from '../../presence/carrier.ts'
import type { Presence } from '../../presence/sink.ts'
import type { GatewayParty } from './gateway.ts'
import { keyOf, userParty, type WantedParty, wantedByUser } from './parties.ts'

export interface GatewayPresenceParts {
  /** Of an application, on which somebody is signed in. */
  readonly sessions: (applicationId: string) => readonly Caller[]
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

function updateOf({ applicationId, stored: { activity, secrets } }: Presence): object {
  const shown = { ...activity, application_id: applicationId, ...(secrets === undefined ? {} : { secrets }) }
  return { ...NOTHING, activities: [shown] }
}

export class GatewayPresence implements PresenceCarrier {
  readonly name = 'gateway'
  readonly #parts: GatewayPresenceParts
  /** By application. */
  readonly #shown = new Map<string, Shown>()
  #onChange: (applicationId: string) => void = () => {}

  constructor(parts: GatewayPresenceParts) {
    this.#parts = parts
  }

  canShow(applicationId: string): boolean {
    return this.#sessionOf(applicationId) !== undefined
  }

  show(applicationId: string, presence: Presence | undefined): void {
    const before = this.#shown.get(applicationId)
    const session = presence === undefined ? undefined : this.#sessionOf(applicationId, presence.sessionId)
    const [wanted] = session === undefined ? [] : wantedByUser(session)
    this.#shown.delete(applicationId)
    if (presence !== undefined && wanted !== undefined) {
      this.#shown.set(applicationId, { party: wanted.party, presence, release: this.#parts.hold(wanted) })
      this.#parts.send(wanted.party, PRESENCE_UPDATE, updateOf(presence))
    }
    if (before === undefined) return
    if (wanted === undefined || keyOf(wanted.party) !== keyOf(before.party)) this.#parts.send(before.party, PRESENCE_UPDATE, NOTHING)
    before.release()
  }

  onChange(listener: (applicationId: string) => void): void {
    this.#onChange = listener
  }

  /** What Identify says of a party's presence; undefined: nothing. */
  of(party: GatewayParty): object | undefined {
    const shown = this.#shown.get(party.applicationId)
    return shown !== undefined && keyOf(shown.party) === keyOf(party) ? updateOf(shown.presence) : undefined
  }

  /** A session came or went, or its user changed: told only when that makes a difference here, since each telling costs an update. */
  sessionChanged(applicationId: string): void {
    const shown = this.#shown.get(applicationId)
    const session = this.#sessionOf(applicationId, shown?.presence.sessionId)
    const party = session && userParty(session)
    if ((party && keyOf(party)) !== (shown && keyOf(shown.party))) this.#onChange(applicationId)
  }

  /** Something may be shown that could not be before, or no more. */
  changed(applicationId: string): void {
    this.#onChange(applicationId)
  }

  /** The session that shows it when it can; else another one of the application. */
  #sessionOf(applicationId: string, sessionId?: number): Caller | undefined {
    const able = this.#parts.sessions(applicationId).filter((caller) => {
      const party = caller.scopes.has(BY_HTTP) ? undefined : userParty(caller)
      return party !== undefined && this.#parts.canServe(party)
    })
    return able.find(({ channel }) => channel.id === sessionId) ?? able[0]
  }
}
