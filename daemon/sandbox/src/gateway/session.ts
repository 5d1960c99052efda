/** One gateway session: numbers its events, keeps the last ones, and can outlive its connection. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { ReplayBuffer } from './replay-buffer.ts'
import type { ClientSocket } from './client-socket.ts'
import type { Viewer } from './viewer.ts'

export interface GatewaySessionOptions extends Viewer {
  readonly id: string
  readonly clock: Clock
}

/** A payload as text. Only events have a sequence number and a name. */
export const payload = (op: number, d: unknown, s: number | null = null, t: string | null = null): string => JSON.stringify({ op, d, s, t })

export class GatewaySession implements Viewer {
  readonly id: string
  readonly caller: Viewer['caller']
  readonly intents: number
  readonly capabilities: number
  readonly shard: Viewer['shard']
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly #clock: Clock
  readonly #replay = new ReplayBuffer()
  #seq = 0
  #socket: ClientSocket | undefined

  constructor({ id, caller, intents, capabilities, shard, clock }: GatewaySessionOptions) {
    this.id = id
    this.caller = caller
    this.intents = intents
    this.capabilities = capabilities
    this.shard = shard
    this.#clock = clock
    this.startedAt = clock.now()
  }

  get seq(): number {
    return this.#seq
  }

  get isConnected(): boolean {
    return this.#socket !== undefined
  }

  /** Number of events that a resume can resend. */
  get bufferedEvents(): number {
    return this.#replay.size
  }

  attach(socket: ClientSocket): void {
    this.#socket = socket
  }

  detach(): void {
    this.#socket = undefined
  }

  /** Sends the event. Without a connection, keeps it for a resume. */
  dispatch(t: string, d: unknown): void {
    this.#seq += 1
    const text = payload(GATEWAY_OPCODES.DISPATCH.op, d, this.#seq, t)
    this.#replay.add(this.#seq, text, this.#clock.now())
    this.#socket?.send(text)
  }

  /** The events after `seq`; undefined when the buffer dropped some. */
  missedSince(seq: number): readonly string[] | undefined {
    return this.#replay.after(seq, this.#seq, this.#clock.now())
  }
}
