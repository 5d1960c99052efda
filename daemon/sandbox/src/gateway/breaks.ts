/** What is to go wrong from now on: standing orders of the control interface, which the connections ask about. */
import { HEARTBEAT_INTERVAL_MS } from './limits.ts'

/** Who a session speaks for: the id of a user, or of a bot, which is that of its application. */
interface Somebody {
  readonly applicationId: string
  readonly id: string
}

/** Whom an order is about; what is left out fits everybody. */
export interface Match {
  readonly applicationId?: string | undefined
  readonly userId?: string | undefined
}

export const fits = ({ applicationId, userId }: Match, party: Somebody): boolean =>
  (applicationId ?? party.applicationId) === party.applicationId && (userId ?? party.id) === party.id

export class Breaks {
  #heartbeatInterval = HEARTBEAT_INTERVAL_MS
  #slowAck: { readonly match: Match; readonly delay: number | 'never' } = { match: {}, delay: 0 }
  #refusals: { readonly match: Match; readonly left: number } = { match: {}, left: 0 }
  readonly #shards = new Map<string, number>()

  /** What Hello says, in ms. */
  get heartbeatInterval(): number {
    return this.#heartbeatInterval
  }

  setHeartbeatInterval(ms: number): void {
    this.#heartbeatInterval = ms
  }

  /** Of one order at a time, the newest. */
  setSlowAck(match: Match, delay: number | 'never'): void {
    this.#slowAck = { match, delay }
  }

  /** How long a heartbeat waits for its answer, in ms. A connection that has not said whose it is counts as nobody's. */
  ackDelay(party: Somebody | undefined): number | 'never' {
    const { match, delay } = this.#slowAck
    const isMeant = party === undefined ? match.applicationId === undefined && match.userId === undefined : fits(match, party)
    return isMeant ? delay : 0
  }

  /** Of one order at a time, the newest. */
  setRefusals(match: Match, times: number): void {
    this.#refusals = { match, left: times }
  }

  /** Whether this Resume is to be refused; counts it when it is. */
  takeRefusal(party: Somebody): boolean {
    const { match, left } = this.#refusals
    if (left === 0 || !fits(match, party)) return false
    this.#refusals = { match, left: left - 1 }
    return true
  }

  setShards(applicationId: string, count: number): void {
    if (count === 1) this.#shards.delete(applicationId)
    else this.#shards.set(applicationId, count)
  }

  /** Shards that a bot must open at least. */
  shardsNeeded(applicationId: string): number {
    return this.#shards.get(applicationId) ?? 1
  }
}
