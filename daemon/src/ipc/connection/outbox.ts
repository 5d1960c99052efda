/**
 * What leaves a connection: in order, bounded, and paced for readers that take one read for one frame.
 *
 *   push ─▶ waiting ──flush──▶ link
 *             │  a peer that parses streams, or pipelines: everything in one write
 *             └  any other: one frame; the next when the peer has sent a byte since, or after PACE_MS
 */
import type { Clock } from '@sallyport/core/clock'
import type { ByteChannel } from '../transport/transport.ts'

/** Time after which a reader of one frame per read has certainly come round again. */
const PACE_MS = 3
/** Answers that wait at once only when a peer pipelines; it then parses streams. */
const PIPELINE_ANSWERS = 8
/** Bytes that wait for the peer before reading from it stops. */
const HIGH_WATER_BYTES = 256 * 1024
/** Bytes that wait for the peer before the connection is given up: it has stopped reading. */
const LIMIT_BYTES = 4 * 1024 * 1024

export type OutboxState = 'flowing' | 'congested' | 'overflowing'

export class Outbox {
  readonly #link: ByteChannel
  readonly #clock: Clock
  /** Told when a frame that was held back has gone out: less waits now, though no peer and no caller did anything. */
  readonly #onPaced: () => void
  /** Frames may follow one another without a pause. */
  #streams = false
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** Of what waits, counted as if answers went out before events: rather too few than too many. */
  #waitingAnswers = 0
  /** A frame went out and no byte has come from the peer since. */
  #unacknowledged = false
  #cancelPace: (() => void) | undefined

  constructor(link: ByteChannel, clock: Clock, onPaced: () => void) {
    this.#link = link
    this.#clock = clock
    this.#onPaced = onPaced
  }

  /** From now on frames may follow one another without a pause. */
  allowStreams(): void {
    this.#streams = true
  }

  /** The peer sent something, so it has read what it was sent before. */
  heard(): void {
    this.#unacknowledged = false
  }

  /** An answer, or a word about the connection. */
  push(frame: Buffer): void {
    this.#waitingAnswers++
    this.pushEvent(frame)
  }

  /** What comes unasked, and so says nothing of how the peer reads. */
  pushEvent(frame: Buffer): void {
    this.#waiting.push(frame)
    this.#waitingBytes += frame.length
  }

  /** Sends what may be sent now. */
  flush(): void {
    const frames = this.#waiting.length
    if (frames === 0) return
    if (this.#waitingAnswers >= PIPELINE_ANSWERS) this.#streams = true
    if (this.#streams || (frames === 1 && !this.#unacknowledged)) this.#sendAll()
    else this.#sendPaced()
  }

  /** Sends everything at once, whatever the peer's habits: for the last words of a connection. */
  flushAll(): void {
    if (this.#waiting.length > 0) this.#sendAll()
  }

  /** So much waits here alone that the connection is given up. Cheap: asked for every event. */
  get isFull(): boolean {
    return this.#waitingBytes > LIMIT_BYTES
  }

  get state(): OutboxState {
    const bytes = this.#waitingBytes + this.#link.pendingBytes
    if (bytes <= HIGH_WATER_BYTES) return 'flowing'
    return bytes <= LIMIT_BYTES ? 'congested' : 'overflowing'
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = []
    this.#waitingBytes = 0
    this.#waitingAnswers = 0
    this.#cancelPace?.()
    this.#cancelPace = undefined
  }

  #sendAll(): void {
    const only = this.#waiting.length === 1 ? this.#waiting[0] : undefined
    const bytes = only ?? Buffer.concat(this.#waiting, this.#waitingBytes)
    this.clear()
    this.#unacknowledged = true
    this.#link.write(bytes)
  }

  #sendPaced(): void {
    if (this.#unacknowledged && this.#cancelPace !== undefined) return
    this.#cancelPace?.()
    this.#cancelPace = undefined
    if (!this.#unacknowledged) this.#sendOne()
    if (this.#waiting.length === 0) return
    this.#cancelPace = this.#clock.after(PACE_MS, () => {
      this.#cancelPace = undefined
      this.#unacknowledged = false
      this.flush()
      this.#onPaced()
    })
  }

  #sendOne(): void {
    const frame = this.#waiting.shift()
    if (frame === undefined) return
    this.#waitingBytes -= frame.length
    if (this.#waitingAnswers > 0) this.#waitingAnswers--
    this.#unacknowledged = true
    this.#link.write(frame)
  }
}
