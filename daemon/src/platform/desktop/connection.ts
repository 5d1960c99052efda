/**
 * One connection to a server of the local protocol, for one application: handshake, READY, calls with responses, events. Malicious input ends
 * at most this connection: lengths are checked before data is stored, and unsolicited messages are dropped.
 *
 * The pending calls and the parser are not those of `@sallyport/client`, whose rules differ: it drops every late response, ignores nonces that
 * are numbers, and does not limit the depth of JSON. Here a late response shows what the server supports.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { CONTRACT_VERSION, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { FrameDecoder, type FrameSink } from '../../ipc/framing/decoder.ts'
import { encodeFrame } from '../../ipc/framing/encoder.ts'
import type { ByteChannel, ChannelReceiver } from '../../ipc/transport/transport.ts'
import { InboundThrottle } from './inbound-throttle.ts'
import { parseIncoming } from './incoming.ts'
import { type CallOptions, cancelled, PendingCalls } from './pending-calls.ts'

export interface ClientConnectionOptions {
  readonly applicationId: string
  readonly clock: Clock
  /** Whether this server is known to support presence only. */
  readonly isPresenceOnly?: boolean
}

/** Receives the events of an open connection. */
export interface ClientConnectionListener {
  onEvent(name: string, data: unknown): void
  /** `isPresenceOnly` has changed. */
  onCapabilityChange(): void
  /** Once; `reason` is a sentence. */
  onClosed(reason: string): void
}

/** Maximum unread bytes before the connection is closed. */
const UNREAD_BYTES = 4 * 1024 * 1024
/** Minimum time between probes of a presence-only server; a call of a game triggers a probe. */
const PROBE_INTERVAL_MS = 60_000
const PROBE_TIMEOUT_MS = 10_000

const connectionLost = (): BridgeError =>
  new BridgeError('SERVICE_UNAVAILABLE', 'The desktop client disconnected before it responded; retry when it is running again.')

const NO_LISTENER: ClientConnectionListener = { onEvent() {}, onCapabilityChange() {}, onClosed() {} }

/** Close codes that mean that the client permanently rejects this application. */
const REJECTING_CODES: ReadonlySet<unknown> = new Set(
  (['INVALID_CLIENTID', 'INVALID_ORIGIN', 'INVALID_VERSION', 'INVALID_ENCODING'] as const).map((name) => CLOSE_CODES[name].code),
)

export class ClientConnection implements ChannelReceiver, FrameSink {
  /** The data of READY. Rejects with a sentence if READY does not arrive. */
  readonly ready: Promise<Readonly<Record<string, unknown>>>
  readonly #clock: Clock
  readonly #channel: ByteChannel
  readonly #throttle: InboundThrottle
  readonly #decoder = new FrameDecoder(LIMITS.contractFrameBytes.value)
  readonly #calls: PendingCalls
  #listener: ClientConnectionListener = NO_LISTENER
  #stage: 'handshaking' | 'open' | 'closed' = 'handshaking'
  #isRejected = false
  #probedAt = Number.NEGATIVE_INFINITY
  #settleReady: { resolve(data: Readonly<Record<string, unknown>>): void; reject(failure: Error): void } | undefined

  /** Sends the handshake immediately. */
  constructor(channel: ByteChannel, { applicationId, clock, isPresenceOnly = false }: ClientConnectionOptions) {
    this.#channel = channel
    this.#clock = clock
    this.#throttle = new InboundThrottle(clock, channel)
    this.#calls = new PendingCalls(clock, isPresenceOnly, () => this.#listener.onCapabilityChange())
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject }
    })
    // Another bridge recognizes the contract field and then identifies itself in READY.
    const handshake = { v: PROTOCOL_VERSION, client_id: applicationId, contract: CONTRACT_VERSION }
    channel.write(encodeFrame(OPCODES.HANDSHAKE, JSON.stringify(handshake)))
  }

  get isOpen(): boolean {
    return this.#stage === 'open'
  }

  /** Whether the client rejected this application instead of sending READY. */
  get isRejected(): boolean {
    return this.#isRejected
  }

  /** Whether the server supports presence only. */
  get isPresenceOnly(): boolean {
    return this.#calls.isPresenceOnly
  }

  /** Sets the receiver of all further events. */
  setListener(listener: ClientConnectionListener): void {
    this.#listener = listener
  }

  /** Rejects with the client's error, with SERVICE_UNAVAILABLE without a response, or with RATE_LIMITED if too many calls are pending. */
  call(cmd: string, args: unknown, options: CallOptions = {}): Promise<unknown> {
    if (options.signal?.aborted === true) return Promise.reject(cancelled())
    if (this.#stage !== 'open') return Promise.reject(connectionLost())
    const refusal = this.#calls.refusalOf(cmd)
    if (refusal !== undefined) {
      this.#probeCapability()
      return Promise.reject(refusal)
    }
    if (this.#calls.size >= BUDGETS.pendingCallsPerProgram.value) {
      return Promise.reject(new BridgeError('RATE_LIMITED', `${this.#calls.size} calls to the desktop client are pending; retry later.`))
    }
    const nonce = this.#calls.nextNonce()
    const payload = JSON.stringify({ cmd, args, ...(options.evt === undefined ? {} : { evt: options.evt }), nonce })
    const most = LIMITS.outgoingPayloadBytes.value
    if (Buffer.byteLength(payload) > most) {
      return Promise.reject(new BridgeError('INVALID_PAYLOAD', `The arguments exceed the desktop client's limit of ${most} bytes.`))
    }
    const answer = this.#calls.track(nonce, cmd, options)
    this.#send(OPCODES.FRAME, payload)
    return answer
  }

  close(): void {
    this.#end('The connection is no longer needed.')
  }

  // --- channel events --------------------------------------------------------------------------------------------------------

  onBytes(chunk: Buffer): void {
    this.#decoder.push(chunk, this)
  }
  onDrain(): void {}
  onEnd(): void {
    this.#end('The desktop client ended the connection.')
  }
  onClose(): void {
    this.#end('The connection to the desktop client was lost.')
  }

  // --- decoder events ----------------------------------------------------------------------------------------------------------

  onFrame(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.FRAME) return this.#read(payload)
    this.#throttle.count(payload.length)
    switch (opcode) {
      case OPCODES.PING:
        return this.#send(OPCODES.PONG, payload)
      case OPCODES.PONG:
        return
      case OPCODES.CLOSE:
        return this.#onCloseFrame(payload)
      default:
        return this.#end('The desktop client sent a frame with an unknown opcode.')
    }
  }

  onOversize(declaredBytes: number, limitBytes: number): void {
    this.#end(`The desktop client declared a frame of ${declaredBytes} bytes; the limit is ${limitBytes} bytes.`)
  }

  // --- steps -------------------------------------------------------------------------------------------------------------------

  #send(opcode: number, payload: Buffer | string): void {
    this.#channel.write(encodeFrame(opcode, payload))
    if (this.#channel.pendingBytes > UNREAD_BYTES) this.#end('The desktop client stopped reading.')
  }

  #read(payload: Buffer): void {
    const message = parseIncoming(payload)
    if (message === undefined) return this.#end('The desktop client sent an invalid message.')
    if (message.cmd !== 'DISPATCH' && this.#calls.settle(message)) return
    this.#throttle.count(payload.length)
    if (message.cmd === 'DISPATCH') this.#onDispatch(message.evt, message.data)
  }

  #onDispatch(evt: unknown, data: unknown): void {
    if (this.#stage === 'open') {
      if (typeof evt !== 'string') return
      this.#calls.setCapability('full')
      this.#listener.onEvent(evt, data ?? null)
      return
    }
    if (evt !== 'READY' || this.#stage !== 'handshaking') return
    this.#stage = 'open'
    this.#settleReady?.resolve(typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {})
  }

  /** Uses only the code, because the message of the client must not reach the log. */
  #onCloseFrame(payload: Buffer): void {
    const { code } = (parseIncoming(payload) ?? {}) as Record<string, unknown>
    this.#isRejected = this.#stage === 'handshaking' && REJECTING_CODES.has(code)
    this.#end(`The desktop client closed the connection${typeof code === 'number' ? ` with code ${code}` : ''}.`)
  }

  #probeCapability(): void {
    const now = this.#clock.elapsed()
    if (now - this.#probedAt < PROBE_INTERVAL_MS) return
    this.#probedAt = now
    this.call('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE', timeoutMs: PROBE_TIMEOUT_MS }).catch(() => {})
  }

  #end(reason: string): void {
    if (this.#stage === 'closed') return
    this.#stage = 'closed'
    this.#decoder.stop()
    this.#throttle.stop()
    this.#channel.destroy()
    this.#settleReady?.reject(new Error(reason))
    this.#calls.rejectAll(connectionLost)
    this.#listener.onClosed(reason)
  }
}
