/** The game's side of one connection of a recording. */
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { LIMITS } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import { redacted } from '@sallyport/core/redacted'
import { FrameDecoder } from '../ipc/framing/decoder.ts'
import { encodeFrame } from '../ipc/framing/encoder.ts'

export interface Received {
  readonly opcode: number
  /** As it came; undefined if it is not JSON. */
  readonly raw: unknown
  /** Without secrets, as a recording has it. */
  readonly message: unknown
}

/** Bytes of frames that wait for `next`. The oldest are dropped. */
const WAITING_BYTES = 16 * LIMITS.contractFrameBytes.value

export class ReplayConnection {
  readonly #socket: Duplex
  readonly #received: (Received & { readonly bytes: number })[] = []
  #receivedBytes = 0
  readonly #closed: Promise<void>
  #isClosed = false
  #isFull = false
  #wake = () => {}

  constructor(socket: Duplex) {
    this.#socket = socket
    const decoder = new FrameDecoder(LIMITS.contractFrameBytes.value)
    socket.on('data', (chunk: Buffer) =>
      decoder.push(chunk, {
        onFrame: (opcode, payload) => this.#take(opcode, payload),
        onOversize: () => socket.destroy(),
      }),
    )
    // A reset is one of the ways in which a bridge may end a connection; 'close' follows.
    socket.on('error', () => {})
    this.#closed = new Promise((resolve) =>
      socket.once('close', () => {
        this.#isClosed = true
        this.#wake()
        resolve()
      }),
    )
  }

  send(opcode: number, message: unknown): void {
    this.#isFull = !this.#socket.write(encodeFrame(opcode, JSON.stringify(message)))
  }

  /** Resolves when the bridge has read what was sent. */
  async drained(): Promise<void> {
    if (!this.#isFull || this.#isClosed) return
    await Promise.race([once(this.#socket, 'drain'), this.#closed])
    this.#isFull = false
  }

  /** Removes and returns the first frame that `accepts`, now or within `ms`; undefined if none comes. */
  async next(accepts: (frame: Received) => boolean, ms: number): Promise<Received | undefined> {
    const isLate = { now: false }
    const timer = setTimeout(() => {
      isLate.now = true
      this.#wake()
    }, ms)
    try {
      for (;;) {
        const index = this.#received.findIndex(accepts)
        if (index >= 0) return this.#remove(index)
        if (isLate.now || this.#isClosed) return undefined
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** The frames that no `next` took. */
  get rest(): readonly Received[] {
    return this.#received
  }

  async close(): Promise<void> {
    this.#socket.destroy()
    await this.#closed
  }

  #take(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.PING) {
      this.#socket.write(encodeFrame(OPCODES.PONG, payload))
      return
    }
    let raw: unknown
    try {
      raw = JSON.parse(payload.toString('utf8'))
    } catch {
      raw = undefined
    }
    this.#received.push({ opcode, raw, message: redacted(raw), bytes: payload.length })
    this.#receivedBytes += payload.length
    while (this.#receivedBytes > WAITING_BYTES) this.#remove(0)
    this.#wake()
  }

  #remove(index: number): Received | undefined {
    const [taken] = this.#received.splice(index, 1)
    this.#receivedBytes -= taken?.bytes ?? 0
    return taken
  }
}
