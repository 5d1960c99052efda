/** The game's side of one connection of a recording. */
import type { Duplex } from 'node:stream'
import { LIMITS } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import { redacted } from '@sallyport/core/redacted'
import { FrameDecoder } from '../ipc/framing/decoder.ts'
import { encodeFrame } from '../ipc/framing/encoder.ts'

export interface Received {
  readonly opcode: number
  /** Without secrets, as a recording has it; undefined if it is not JSON. */
  readonly message: unknown
}

export class ReplayConnection {
  readonly #socket: Duplex
  readonly #received: Received[] = []
  readonly #closed: Promise<void>
  #isClosed = false
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
    this.#socket.write(encodeFrame(opcode, JSON.stringify(message)))
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
        if (index >= 0) return this.#received.splice(index, 1)[0]
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
    let message: unknown
    try {
      message = redacted(JSON.parse(payload.toString('utf8')))
    } catch {
      message = undefined
    }
    this.#received.push({ opcode, message })
    this.#wake()
  }
}
