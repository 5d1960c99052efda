/**
 * One connection to a server of the local protocol, as one application: our handshake, its READY, calls with their answers, events. Whatever
 * the other side sends, it costs at most this connection: lengths are checked before anything is kept, and what nobody asked for is dropped.
 */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { CONTRACT_VERSION, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { FrameDecoder, type FrameSink } from '../../ipc/framing/decoder.ts'
import { encodeFrame } from '../../ipc/framing/encoder.ts'
import type { ByteChannel, ChannelReceiver } from '../../ipc/transport/transport.ts'
import { Inflow } from './inflow.ts'
import { incomingOf } from './incoming.ts'
import { type CallOptions, givenUp, OpenCalls } from './open-calls.ts'

export interface ConnectionParts {
  readonly applicationId: string
  readonly clock: Clock
  /** Whether this server is known to take presence and to answer nothing else. */
  readonly isPresenceOnly?: boolean
}

/** Who uses an open connection. */
export interface ConnectionUser {
  onEvent(name: string, data: unknown): void
  /** `isPresenceOnly` has changed. */
  onStanding(): void
  /** Once; `reason` is a sentence. */
  onClosed(reason: string): void
}

/** Bytes that it may leave unread before it is given up. */
const UNREAD_BYTES = 4 * 1024 * 1024
/** How often one that takes presence only is asked whether it does more now, when a game calls. */
const ASK_AGAIN_MS = 60_000
const ANSWER_MS = 10_000

const gone = (): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', "The platform's desktop client went away before it answered; try again when it is back.")

const NOBODY: ConnectionUser = { onEvent() {}, onStanding() {}, onClosed() {} }

/** Close codes by which it says that this application is not taken, now or later. */
const TURNED_AWAY: ReadonlySet<unknown> = new Set(
  (['INVALID_CLIENTID', 'INVALID_ORIGIN', 'INVALID_VERSION', 'INVALID_ENCODING'] as const).map((name) => CLOSE_CODES[name].code),
)

export class Connection implements ChannelReceiver, FrameSink {
  /** The data of READY. Rejects, with a sentence, when it does not come. */
  readonly ready: Promise<Readonly<Record<string, unknown>>>
  readonly #clock: Clock
  readonly #link: ByteChannel
  readonly #inflow: Inflow
  readonly #decoder = new FrameDecoder(LIMITS.contractFrameBytes.value)
  readonly #calls: OpenCalls
  #user: ConnectionUser = NOBODY
  #stage: 'greeting' | 'open' | 'closed' = 'greeting'
  #isTurnedAway = false
  #askedAgainAt = Number.NEGATIVE_INFINITY
  #settleReady: { resolve(data: Readonly<Record<string, unknown>>): void; reject(failure: Error): void } | undefined

  /** Says hello at once. */
  constructor(link: ByteChannel, { applicationId, clock, isPresenceOnly = false }: ConnectionParts) {
    this.#link = link
    this.#clock = clock
    this.#inflow = new Inflow(clock, link)
    this.#calls = new OpenCalls(clock, isPresenceOnly, () => this.#user.onStanding())
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject }
    })
    // Another bridge of this kind knows by the contract that it may say so.
    const hello = { v: PROTOCOL_VERSION, client_id: applicationId, contract: CONTRACT_VERSION }
    link.write(encodeFrame(OPCODES.HANDSHAKE, JSON.stringify(hello)))
  }

  get isOpen(): boolean {
    return this.#stage === 'open'
  }

  /** In place of READY it said that it does not take this application. */
  get isTurnedAway(): boolean {
    return this.#isTurnedAway
  }

  /** It takes presence, and answers nothing else. */
  get isPresenceOnly(): boolean {
    return this.#calls.isPresenceOnly
  }

  /** From now on this user hears of it. */
  use(user: ConnectionUser): void {
    this.#user = user
  }

  /** Rejects with what the other side answers, with SERVICE_UNAVAILABLE when it does not, with RATE_LIMITED when too much waits already. */
  call(cmd: string, args: unknown, options: CallOptions = {}): Promise<unknown> {
    if (options.stop?.aborted === true) return Promise.reject(givenUp())
    if (this.#stage !== 'open') return Promise.reject(gone())
    const objection = this.#calls.objection(cmd)
    if (objection !== undefined) {
      this.#askAgain()
      return Promise.reject(objection)
    }
    if (this.#calls.size >= LIMITS.callsInFlight.value) {
      return Promise.reject(new BridgeError('RATE_LIMITED', `${this.#calls.size} calls wait for the desktop client; try again later.`))
    }
    const nonce = this.#calls.nextNonce()
    const payload = JSON.stringify({ cmd, args, ...(options.evt === undefined ? {} : { evt: options.evt }), nonce })
    const most = LIMITS.outgoingPayloadBytes.value
    if (Buffer.byteLength(payload) > most) {
      return Promise.reject(new BridgeError('INVALID_PAYLOAD', `The arguments are too long: the desktop client takes ${most} bytes.`))
    }
    const answer = this.#calls.wait(nonce, cmd, options)
    this.#send(OPCODES.FRAME, payload)
    return answer
  }

  close(): void {
    this.#end('It is no longer needed.')
  }

  // --- what the link gives ---------------------------------------------------------------------------------------------------

  onBytes(chunk: Buffer): void {
    this.#decoder.push(chunk, this)
  }
  onDrain(): void {}
  onEnd(): void {
    this.#end('The desktop client ended the connection.')
  }
  onClose(): void {
    this.#end('The connection to the desktop client broke.')
  }

  // --- what the decoder gives --------------------------------------------------------------------------------------------------

  onFrame(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.FRAME) return this.#read(payload)
    this.#inflow.count(payload.length)
    switch (opcode) {
      case OPCODES.PING:
        return this.#send(OPCODES.PONG, payload)
      case OPCODES.PONG:
        return
      case OPCODES.CLOSE:
        return this.#dismissed(payload)
      default:
        return this.#end('It sent a frame that the protocol does not have.')
    }
  }

  onOversize(declaredBytes: number, limitBytes: number): void {
    this.#end(`It declared a frame of ${declaredBytes} bytes; at most ${limitBytes} are taken.`)
  }

  // --- steps -------------------------------------------------------------------------------------------------------------------

  #send(opcode: number, payload: Buffer | string): void {
    this.#link.write(encodeFrame(opcode, payload))
    if (this.#link.pendingBytes > UNREAD_BYTES) this.#end('It stopped reading.')
  }

  #read(payload: Buffer): void {
    const message = incomingOf(payload)
    if (message === undefined) return this.#end('It sent a frame that is no message.')
    if (message.cmd !== 'DISPATCH' && this.#calls.take(message)) return
    this.#inflow.count(payload.length)
    if (message.cmd === 'DISPATCH') this.#happened(message.evt, message.data)
  }

  #happened(evt: unknown, data: unknown): void {
    if (this.#stage === 'open') {
      if (typeof evt !== 'string') return
      this.#calls.does('answers')
      this.#user.onEvent(evt, data ?? null)
      return
    }
    if (evt !== 'READY' || this.#stage !== 'greeting') return
    this.#stage = 'open'
    this.#settleReady?.resolve(typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {})
  }

  /** Of the payload only the code counts: a sentence from outside has no place in our log. */
  #dismissed(payload: Buffer): void {
    const { code } = (incomingOf(payload) ?? {}) as Record<string, unknown>
    this.#isTurnedAway = this.#stage === 'greeting' && TURNED_AWAY.has(code)
    this.#end(`The desktop client closed the connection${typeof code === 'number' ? ` with code ${code}` : ''}.`)
  }

  #askAgain(): void {
    const now = this.#clock.now()
    if (now - this.#askedAgainAt < ASK_AGAIN_MS) return
    this.#askedAgainAt = now
    this.call('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE', withinMs: ANSWER_MS }).catch(() => {})
  }

  #end(reason: string): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    this.#decoder.stop()
    this.#inflow.stop()
    this.#link.destroy()
    this.#settleReady?.reject(new Error(reason))
    this.#calls.end(gone)
    this.#user.onClosed(reason)
  }
}
