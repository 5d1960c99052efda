/** Framing over one stream: whole frames in and out, PING answered, and exactly one report of how it ended. */
import type { Duplex } from 'node:stream'
import { LIMITS } from '@sallyport/protocol/limits'
import { OPCODES, type Opcode } from '@sallyport/protocol/wire'
import { ConnectionLost, errorFrom } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { encodeFrame, type Frame, FrameDecoder } from './decoder.ts'

/** How long a farewell may take to go out: a server that is stuck must not keep a game from quitting. Milliseconds. */
const FAREWELL_MS = 1_000

export interface WireHandlers {
  /** FRAME and CLOSE; PING is answered here. */
  onFrame(frame: Frame): void
  /** Once, whatever ended it. */
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
    stream.on('error', (cause) => this.fail(new ConnectionLost('the connection to the server broke', { cause })))
    stream.on('end', () => this.fail(new ConnectionLost('the server hung up')))
    stream.on('close', () => this.fail(new ConnectionLost('the connection to the server ended')))
  }

  /** One frame in one write. Nothing happens after the end. */
  send(opcode: Opcode, payload: Uint8Array): void {
    if (!this.#ended) this.#stream.write(encodeFrame(opcode, payload))
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Ends the connection because of `error`, reporting it unless the end was reported before. */
  fail(error: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#stream.destroy()
    this.#handlers.onEnd(error)
  }

  /** Ends the connection; reports nothing. Resolves when what was written has gone out, or has not for a while. A peer that does not read gets no farewell. */
  end(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    this.#ended = true
    const stream = this.#stream
    return new Promise((resolve) => {
      const cancel = this.#clock.after(FAREWELL_MS, () => stream.destroy(), true)
      stream.once('close', () => {
        cancel()
        resolve()
      })
      if (stream.writableNeedDrain) stream.destroy()
      else stream.end(() => stream.destroy())
    })
  }

  /** A server that asks and does not read what it asked for gets no more of it. */
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
