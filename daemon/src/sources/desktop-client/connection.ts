/**
 * One connection to a server of the local protocol, as one application: our handshake, its READY, calls with their answers, events. Whatever
 * the other side sends, it costs at most this connection: lengths are checked before anything is kept, and what nobody asked for is dropped.
 */
import { LIMITS } from '@sallyport/protocol'
import { CONTRACT_VERSION, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Clock } from '../../core/clock.ts'
import { BridgeError } from '../../core/errors.ts'
import type { StopListener, StopSignal } from '../../core/stop.ts'
import { FrameDecoder, type FrameSink } from '../../framing/decoder.ts'
import { encodeFrame } from '../../framing/encoder.ts'
import type { Link, LinkReceiver } from '../../transport/transport.ts'
import { clientError } from './client-error.ts'
import { Inflow } from './inflow.ts'

export interface ConnectionParts {
  readonly applicationId: string
  readonly clock: Clock
}

/** Who uses an open connection. */
export interface ConnectionUser {
  onEvent(name: string, data: unknown): void
  /** Once; `reason` is a sentence. */
  onClosed(reason: string): void
}

export interface CallOptions {
  /** Of SUBSCRIBE and UNSUBSCRIBE. */
  readonly evt?: string
  /** The caller does not wait any more. */
  readonly stop?: StopSignal
  /** How long an answer may take, in ms; as long as the connection lives when absent. */
  readonly withinMs?: number
  /** What of the arguments must not be repeated in an error. */
  readonly secret?: string
}

interface Waiting {
  readonly secret: string | undefined
  resolve(data: unknown): void
  reject(failure: BridgeError): void
}

interface Incoming {
  readonly cmd?: unknown
  readonly evt?: unknown
  readonly data?: unknown
  readonly nonce?: unknown
}

/** Bytes that it may leave unread before it is given up. */
const UNREAD_BYTES = 4 * 1024 * 1024

const gone = (): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', "The platform's desktop client went away before it answered; try again when it is back.")

const NOBODY: ConnectionUser = { onEvent() {}, onClosed() {} }

export class Connection implements LinkReceiver, FrameSink {
  /** The data of READY. Rejects, with a sentence, when it does not come. */
  readonly ready: Promise<Readonly<Record<string, unknown>>>
  readonly #clock: Clock
  readonly #link: Link
  readonly #inflow: Inflow
  readonly #decoder = new FrameDecoder(LIMITS.contractFrameBytes.value)
  readonly #waiting = new Map<string, Waiting>()
  #user: ConnectionUser = NOBODY
  #stage: 'greeting' | 'open' | 'closed' = 'greeting'
  #lastNonce = 0
  #settleReady: { resolve(data: Readonly<Record<string, unknown>>): void; reject(failure: Error): void } | undefined

  /** Says hello at once. */
  constructor(link: Link, { applicationId, clock }: ConnectionParts) {
    this.#link = link
    this.#clock = clock
    this.#inflow = new Inflow(clock, link)
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

  /** From now on this user hears of it. */
  use(user: ConnectionUser): void {
    this.#user = user
  }

  /** Rejects with what the other side answers, with SERVICE_UNAVAILABLE when it does not, with RATE_LIMITED when too much waits already. */
  call(cmd: string, args: unknown, { evt, stop, withinMs, secret }: CallOptions = {}): Promise<unknown> {
    if (this.#stage !== 'open') return Promise.reject(gone())
    if (this.#waiting.size >= LIMITS.callsInFlight.value) {
      return Promise.reject(new BridgeError('RATE_LIMITED', `${this.#waiting.size} calls wait for the desktop client; try again later.`))
    }
    const nonce = String(++this.#lastNonce)
    const payload = JSON.stringify({ cmd, args, ...(evt === undefined ? {} : { evt }), nonce })
    if (Buffer.byteLength(payload) > LIMITS.outgoingPayloadBytes.value) {
      const most = LIMITS.outgoingPayloadBytes.value
      return Promise.reject(new BridgeError('INVALID_PAYLOAD', `The arguments are too long: the desktop client takes ${most} bytes.`))
    }
    return new Promise((resolve, reject) => {
      const giveUp: StopListener = { handleEvent: () => end(() => reject(new BridgeError('TRANSACTION_ABORTED', 'It was given up.'))) }
      const late = () => end(() => reject(new BridgeError('SERVICE_UNAVAILABLE', `The desktop client did not answer ${cmd}.`)))
      const cancelTimer = withinMs === undefined ? undefined : this.#clock.after(withinMs, late)
      const end = (tell: () => void): void => {
        this.#waiting.delete(nonce)
        stop?.removeEventListener('abort', giveUp)
        cancelTimer?.()
        tell()
      }
      stop?.addEventListener('abort', giveUp)
      this.#waiting.set(nonce, {
        secret,
        resolve: (data) => end(() => resolve(data)),
        reject: (failure) => end(() => reject(failure)),
      })
      this.#send(OPCODES.FRAME, payload)
    })
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
    switch (opcode) {
      case OPCODES.FRAME:
        return this.#read(payload)
      case OPCODES.PING:
        return this.#send(OPCODES.PONG, payload)
      case OPCODES.PONG:
        return
      case OPCODES.CLOSE:
        return this.#end(`The desktop client closed the connection${codeOf(payload)}.`)
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
    const message = parsed(payload)
    if (message === undefined) return this.#end('It sent a frame that is not JSON.')
    const { cmd, evt, data, nonce } = message
    if (cmd === 'DISPATCH') return this.#happened(evt, data)
    const waiting = typeof nonce === 'string' || typeof nonce === 'number' ? this.#waiting.get(String(nonce)) : undefined
    // An answer to a call that was given up, or to none of ours.
    if (waiting === undefined) return
    if (evt === 'ERROR') waiting.reject(clientError(data, waiting.secret))
    else waiting.resolve(data ?? null)
  }

  #happened(evt: unknown, data: unknown): void {
    this.#inflow.count()
    if (this.#stage === 'open') {
      if (typeof evt === 'string') this.#user.onEvent(evt, data ?? null)
      return
    }
    if (evt !== 'READY') return
    this.#stage = 'open'
    this.#settleReady?.resolve(typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {})
  }

  #end(reason: string): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    this.#decoder.stop()
    this.#inflow.stop()
    this.#link.destroy()
    this.#settleReady?.reject(new Error(reason))
    for (const waiting of [...this.#waiting.values()]) waiting.reject(gone())
    this.#user.onClosed(reason)
  }
}

function parsed(payload: Buffer): Incoming | undefined {
  try {
    const message: unknown = JSON.parse(payload.toString('utf8'))
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

/** Only the code: a sentence from outside has no place in our log. */
function codeOf(payload: Buffer): string {
  const { code } = (parsed(payload) ?? {}) as Record<string, unknown>
  return typeof code === 'number' ? ` with code ${code}` : ''
}
