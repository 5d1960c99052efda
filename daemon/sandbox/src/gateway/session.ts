/** One session: numbers what it is told, keeps it for a while, and outlives the connection it began on. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { Replay } from './replay.ts'
import type { Peer } from './stream.ts'
import type { Viewer } from './viewer.ts'

export interface SessionParts extends Viewer {
  readonly id: string
  readonly clock: Clock
}

/** A payload as text; only events have a number and a name. */
export const payload = (op: number, d: unknown, s: number | null = null, t: string | null = null): string => JSON.stringify({ op, d, s, t })

export class Session implements Viewer {
  readonly id: string
  readonly party: Viewer['party']
  readonly intents: number
  readonly capabilities: number
  readonly shard: Viewer['shard']
  /** Milliseconds since the epoch. */
  readonly begunAt: number
  readonly #clock: Clock
  readonly #replay = new Replay()
  #seq = 0
  #peer: Peer | undefined

  constructor({ id, party, intents, capabilities, shard, clock }: SessionParts) {
    this.id = id
    this.party = party
    this.intents = intents
    this.capabilities = capabilities
    this.shard = shard
    this.#clock = clock
    this.begunAt = clock.now()
  }

  get seq(): number {
    return this.#seq
  }

  get isConnected(): boolean {
    return this.#peer !== undefined
  }

  /** Events that could be repeated. */
  get kept(): number {
    return this.#replay.size
  }

  attach(peer: Peer): void {
    this.#peer = peer
  }

  detach(): void {
    this.#peer = undefined
  }

  /** Sends the event, or keeps it for when the client comes back. */
  tell(t: string, d: unknown): void {
    this.#seq += 1
    const text = payload(GATEWAY_OPCODES.DISPATCH.op, d, this.#seq, t)
    this.#replay.add(this.#seq, text, this.#clock.now())
    this.#peer?.send(text)
  }

  /** What came after this number; undefined when some of it is forgotten. */
  missedSince(seq: number): readonly string[] | undefined {
    return this.#replay.after(seq, this.#seq, this.#clock.now())
  }
}
