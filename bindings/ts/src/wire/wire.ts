/** Framing over one stream: sends and receives whole frames, answers PING, and reports the end exactly once. */
import type { Duplex } from 'node:stream'
import { LIMITS } from '@sallyport/protocol/limits'
import { OPCODES, type Opcode } from '@sallyport/protocol/wire'
import { ConnectionLostError, errorFrom } from '../errors.ts'
import type { Clock } from '../environment.ts'
import { encodeFrame, type Frame, FrameDecoder } from './decoder.ts'

/** How long closing may wait for sent data, in milliseconds, so that a server that does not read cannot delay the exit of a game. */
const CLOSE_TIMEOUT_MS = 1_000

export interface WireHandlers {
  /** Called for FRAME and CLOSE; this class answers PING. */
  onFrame(frame: Frame): void
  /** Called once when the stream ends for any reason. */
  onEnd(error: Error): void
}

export class Wire {
  readonly #stream: Duplex
  readonly #clock: Clock
  readonly #decoder = new FrameDecoder(LIMITS.contractFrameBytes.value)
  readonly #handlers: WireHandlers
  #ended = false

  constructor(stream: Duplex, clock: Clock, handlers: WireHandlers) {
    this.#stream = stream
    this.#clock = clock
    this.#handlers = handlers
    stream.on('data', (chunk: Uint8Array) => this.#receive(chunk))
    stream.on('error', (cause) => this.fail(new ConnectionLostError('the connection to the server failed', { cause })))
    stream.on('end', () => this.fail(new ConnectionLostError('the server closed the connection')))
    stream.on('close', () => this.fail(new ConnectionLostError('the connection to the server was closed')))
  }

  /** Sends one frame in one write. Does nothing after the end. */
  send(opcode: Opcode, payload: Uint8Array): void {
    if (!this.#ended) this.#stream.write(encodeFrame(opcode, payload))
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Ends the connection with `error`; reports it unless the connection already ended. */
  fail(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#stream.destroy()
    this.#handlers.onEnd(error)
  }

  /** Ends the connection without a report. Resolves when the written data is sent or CLOSE_TIMEOUT_MS is over. If the peer does not read, it ends at once. */
  end(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    this.#ended = true
    const stream = this.#stream
    return new Promise((resolve) => {
      const cancel = this.#clock.after(CLOSE_TIMEOUT_MS, () => stream.destroy(), true)
      stream.once('close', () => {
        cancel()
        resolve()
      })
      if (stream.writableNeedDrain) stream.destroy()
      else stream.end(() => stream.destroy())
    })
  }

  /** Sends no PONG while the server does not read. */
  #pong(payload: Uint8Array): void {
    if (!this.#stream.writableNeedDrain) this.send(OPCODES.PONG, payload)
  }

  #receive(chunk: Uint8Array): void {
    if (this.#ended) return
    try {
      for (const frame of this.#decoder.push(chunk)) {
        if (frame.opcode === OPCODES.PING) this.#pong(frame.payload)
        else if (frame.opcode !== OPCODES.PONG) this.#handlers.onFrame(frame)
        if (this.#ended) return
      }
    } catch (error) {
      this.fail(errorFrom(error))
    }
  }
}
