/** Faults that the control interface sets for the gateway. Connections read them. */
import { HEARTBEAT_INTERVAL_MS } from './limits.ts'

/** Ids of the caller of a session: a user, or a bot (its id is the id of its application). */
interface CallerIds {
  readonly applicationId: string
  readonly id: string
}

/** The callers that a fault applies to. An omitted field matches every caller. */
export interface CallerMatch {
  readonly applicationId?: string | undefined
  readonly userId?: string | undefined
}

export const matches = ({ applicationId, userId }: CallerMatch, caller: CallerIds): boolean =>
  (applicationId ?? caller.applicationId) === caller.applicationId && (userId ?? caller.id) === caller.id

export class GatewayFaults {
  #heartbeatInterval = HEARTBEAT_INTERVAL_MS
  #slowAck: { readonly match: CallerMatch; readonly delay: number | 'never' } = { match: {}, delay: 0 }
  #resumeRefusals: { readonly match: CallerMatch; readonly left: number } = { match: {}, left: 0 }
  readonly #requiredShards = new Map<string, number>()

  /** The heartbeat interval sent in Hello, in ms. */
  get heartbeatInterval(): number {
    return this.#heartbeatInterval
  }

  setHeartbeatInterval(ms: number): void {
    this.#heartbeatInterval = ms
  }

  /** Replaces the earlier fault. */
  setSlowAck(match: CallerMatch, delay: number | 'never'): void {
    this.#slowAck = { match, delay }
  }

  /** Delay of a heartbeat acknowledgement, in ms. Only a fault for every caller matches a connection without a session. */
  ackDelay(caller: CallerIds | undefined): number | 'never' {
    const { match, delay } = this.#slowAck
    const isMatch = caller === undefined ? match.applicationId === undefined && match.userId === undefined : matches(match, caller)
    return isMatch ? delay : 0
  }

  /** Replaces the earlier fault. */
  setResumeRefusals(match: CallerMatch, times: number): void {
    this.#resumeRefusals = { match, left: times }
  }

  /** Whether the gateway refuses this Resume. Counts the refusal. */
  consumeResumeRefusal(caller: CallerIds): boolean {
    const { match, left } = this.#resumeRefusals
    if (left === 0 || !matches(match, caller)) return false
    this.#resumeRefusals = { match, left: left - 1 }
    return true
  }

  /** Ends all faults. */
  clear(): void {
    this.#heartbeatInterval = HEARTBEAT_INTERVAL_MS
    this.#slowAck = { match: {}, delay: 0 }
    this.#resumeRefusals = { match: {}, left: 0 }
    this.#requiredShards.clear()
  }

  setRequiredShards(applicationId: string, count: number): void {
    if (count === 1) this.#requiredShards.delete(applicationId)
    else this.#requiredShards.set(applicationId, count)
  }

  /** The minimum number of shards of a bot. */
  requiredShards(applicationId: string): number {
    return this.#requiredShards.get(applicationId) ?? 1
  }
}
