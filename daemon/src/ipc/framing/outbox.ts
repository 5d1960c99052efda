/**
 * Outgoing frames of a stream: ordered, and paced for readers that expect one frame per read.
 *
 *   push ─▶ queued ──flush──▶ channel
 *             │  a peer that parses streams, or pipelines: everything in one write
 *             └  any other peer: one frame; the next after the peer has sent a byte, or after PACE_MS
 */
import { HEADER_BYTES } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { encodeMessage, type FrameJoiner, type Queued } from './encoder.ts'
import type { ByteChannel } from '../transport/transport.ts'

/** After this time, a reader of one frame per read has read again. */
const PACE_MS = 3
/** So many responses are queued at once only if the peer pipelines; such a peer parses streams. */
const PIPELINE_ANSWERS = 8

interface OutboxOwner {
  /** Called after the pace timer has sent frames, because the queue shrank without activity of the peer or the daemon. */
  onDrain(): void
}

export class Outbox {
  readonly #channel: ByteChannel
  readonly #clock: Clock
  readonly #owner: OutboxOwner
  /** Whether one write may contain several frames. */
  #canBatch = false
  readonly #joiner: FrameJoiner
  #queued: Queued[] = []
  #queuedBytes = 0
  /** Queued responses, counted as if responses left before events: an underestimate. */
  #queuedAnswers = 0
  /** A frame was sent and the peer has sent no byte since. */
  #unacknowledged = false
  #cancelPace: (() => void) | undefined

  constructor(channel: ByteChannel, clock: Clock, joiner: FrameJoiner, owner: OutboxOwner) {
    this.#channel = channel
    this.#clock = clock
    this.#joiner = joiner
    this.#owner = owner
  }

  /** From now on one write may contain several frames. */
  enableBatching(): void {
    this.#canBatch = true
  }

  /** The peer sent bytes, so it has read the previous frame. */
  onPeerActivity(): void {
    this.#unacknowledged = false
  }

  /** Queues a response or a control frame. */
  push(frame: Buffer): void {
    this.#queuedAnswers++
    this.pushEvent(frame)
  }

  /** Queues a response whose payload is this text, of `bytes` bytes. */
  pushText(text: string, bytes: number): void {
    this.#queuedAnswers++
    this.#queued.push(text)
    this.#queuedBytes += HEADER_BYTES + bytes
  }

  /** Queues an event. Events are unsolicited, so they give no hint about how the peer reads. */
  pushEvent(frame: Buffer): void {
    this.#queued.push(frame)
    this.#queuedBytes += frame.length
  }

  /** Sends the frames that may leave now. */
  flush(): void {
    const frames = this.#queued.length
    if (frames === 0) return
    if (this.#queuedAnswers >= PIPELINE_ANSWERS) this.#canBatch = true
    if (this.#canBatch || (frames === 1 && !this.#unacknowledged)) this.#sendAll()
    else this.#sendPaced()
  }

  /** Sends everything in one write regardless of pacing, before the connection closes. */
  flushAll(): void {
    if (this.#queued.length > 0) this.#sendAll()
  }

  /** Bytes of the queued frames. */
  get queuedBytes(): number {
    return this.#queuedBytes
  }

  /** Discards queued frames. */
  clear(): void {
    this.#queued = []
    this.#queuedBytes = 0
    this.#queuedAnswers = 0
    this.#cancelPace?.()
    this.#cancelPace = undefined
  }

  #sendAll(): void {
    const only = this.#queued.length === 1 ? this.#queued[0] : undefined
    const bytes = only instanceof Buffer ? only : this.#joiner.join(this.#queued, this.#queuedBytes)
    this.clear()
    this.#unacknowledged = true
    this.#channel.write(bytes)
  }

  #sendPaced(): void {
    if (this.#unacknowledged && this.#cancelPace !== undefined) return
    this.#cancelPace?.()
    this.#cancelPace = undefined
    if (!this.#unacknowledged) this.#sendOne()
    if (this.#queued.length === 0) return
    this.#cancelPace = this.#clock.after(PACE_MS, () => {
      this.#cancelPace = undefined
      this.#unacknowledged = false
      this.flush()
      this.#owner.onDrain()
    })
  }

  #sendOne(): void {
    const next = this.#queued.shift()
    if (next === undefined) return
    const frame = typeof next === 'string' ? encodeMessage(next) : next
    this.#queuedBytes -= frame.length
    if (this.#queuedAnswers > 0) this.#queuedAnswers--
    this.#unacknowledged = true
    this.#channel.write(frame)
  }
}
