/**
 * One transport connection of a game: it receives frames and sends one response per call. It tracks stage, pacing and limits; the handler
 * implements the commands.
 */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { type CallWarning, OPCODES } from '@sallyport/protocol/wire'
import type { ConnectionUsage } from '../../accounting/connections.ts'
import type { Codec } from '../codec/codec.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError, toWireError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { encodeMessage, payloadBytesOf, payloadOf } from '../framing/encoder.ts'
import type { CloseMessage, FrameChannel, FrameReceiver, PeerIdentity } from '../transport/transport.ts'
import { backlogOf } from './backlog.ts'
import { errorFrame, responseTooLarge, tooManyOpen } from './call-errors.ts'
import type { CallRecorder } from './call-watcher.ts'
import type { CallMeter } from './call-meter.ts'
import { CurrentRead } from './current-read.ts'
import { type Handshake, isRefusal, readHandshake } from './handshake.ts'
import { callIdOf, type CallHeader, type Envelope, headerOf, nonceOf, readEnvelope } from './envelope.ts'
import { type Stage, stepFor } from './machine.ts'
import { proveByNextFrame, proveByPing, type SenderProof } from './sender-proof.ts'
import { WarningLog, WithWarnings } from './with-warnings.ts'

/** Time for the peer to close its side after the daemon has closed its own. */
const LINGER_MS = 2_000

/** Sees every frame of every connection. The payload is valid only during the call. */
export type FrameWatcher<Session> = (
  connection: Connection<Session>,
  direction: 'in' | 'out',
  opcode: number,
  payload: Buffer | string,
) => void

/** The daemon side of a connection. `Session` is the state of the connected game. */
export interface ConnectionHandler<Session> {
  readonly clock: Clock
  readonly log: Logger
  /** Undefined while no operator inspects frames. */
  readonly frameWatcher: FrameWatcher<Session> | undefined
  readonly calls: CallRecorder
  readonly meter: CallMeter
  codec(name: Handshake['encoding']): Codec
  /** Returns the account that is charged for the memory of this connection. */
  usage(connection: Connection<Session>): ConnectionUsage
  /** Accepts a valid handshake. Returns the session and the READY frame in the encoding of the connection. */
  accept(connection: Connection<Session>, handshake: Handshake): { readonly session: Session; readonly ready: Buffer }
  /** Whether the session's program has rights that a process which only inherited the connection must not use. */
  hasRights(session: Session): boolean
  /** Runs a call, synchronously or not. Throws or rejects with BridgeError for every known failure. */
  call(session: Session, envelope: Envelope): unknown
  /** Calls `flush` on the connection once, at the end of this event-loop turn. */
  flushSoon(connection: Connection<Session>): void
  /** The connection ended. `session` is undefined if it ended before the handshake. */
  onEnded(connection: Connection<Session>, session: Session | undefined): void
}

export class Connection<Session> implements FrameReceiver {
  readonly id: number
  readonly #handler: ConnectionHandler<Session>
  readonly #channel: FrameChannel
  readonly #usage: ConnectionUsage
  #stage: Stage = 'handshaking'
  #codec: Codec
  #maxPayloadBytes: number = LIMITS.outgoingPayloadBytes.value
  #session: Session | undefined
  /** Messages of the game so far. */
  #sequence = 0
  #isPaused = false
  #isDropped = false
  /** Named a contract: reads warnings, and may receive a PING. Published clients fail at frames that they did not ask for. */
  #hasContract = false
  /** Of a peer without a contract. */
  #warningLog: WarningLog | undefined
  #proof: SenderProof | undefined
  /** Bytes charged because the peer has not read them. */
  #unsentBytes = 0
  readonly #read: CurrentRead
  #cancelTimer: (() => void) | undefined

  constructor(id: number, channel: FrameChannel, handler: ConnectionHandler<Session>) {
    this.id = id
    this.#channel = channel
    this.#handler = handler
    this.#codec = handler.codec('json')
    this.#usage = handler.usage(this)
    this.#read = new CurrentRead(this.#usage, handler.meter)
    this.#awaitHandshake()
  }

  get peer(): PeerIdentity {
    return this.#channel.peer
  }

  /** Codec for the payloads of this connection. */
  get encoding(): Codec {
    return this.#codec
  }

  /** Whether this connection exceeds the connection limit. */
  get isRefused(): boolean {
    return this.#usage.isRefused
  }

  /** Largest payload that the peer receives, in bytes. */
  get maxPayloadBytes(): number {
    return this.#maxPayloadBytes
  }

  get isOpen(): boolean {
    return this.#stage === 'ready'
  }

  /** Encodes an event frame, for delivery to every connection with the same encoding. */
  encodeEvent(name: string, data: unknown): Buffer {
    return this.#encode({ cmd: 'DISPATCH', data, evt: name, nonce: null })
  }

  /** Queues a frame in the encoding of this connection. All frames of one event-loop turn are sent together. */
  deliver(frame: Buffer): void {
    if (this.#stage !== 'ready') return
    if (payloadBytesOf(frame) > this.#maxPayloadBytes) {
      this.#handler.log.warn('event-too-large', { session: this.id, bytes: frame.length })
      return
    }
    this.#channel.sendEvent(frame)
    this.#handler.frameWatcher?.(this, 'out', OPCODES.FRAME, payloadOf(frame))
    if (backlogOf(this.#channel.unsentBytes) === 'overflowing') this.applyBackpressure()
    else this.#handler.flushSoon(this)
  }

  /** Sends the queued frames. */
  flush(): void {
    if (this.#stage !== 'ready') return
    this.#channel.flush()
    this.applyBackpressure()
  }

  /** Closes the connection and sends a close code and reason. */
  close(code: number, reason: string): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return
    this.#logClosed(code, reason)
    this.#beginClosing({ code, message: reason, payload: this.#codec.encode({ code, message: reason }) })
  }

  /** Whether the process that connected is also the sender, as far as the system can verify. A peer without a contract proves it by its first frame only. */
  async proveSender(): Promise<boolean> {
    if (this.#stage !== 'ready') return false
    this.#proof ??= this.#hasContract ? this.#proveByPing() : proveByNextFrame(this.#channel, this.#handler.clock)
    // macOS and Windows detect from the process alone that it now runs another program.
    if (this.#proof === undefined) return true
    // The peer waits for an answer, so no frame of it would come.
    if (!this.#hasContract) this.#proof.cancel()
    return this.#proof.result
  }

  #proveByPing(): SenderProof | undefined {
    return proveByPing(this.#channel, this.#handler.clock, (payload) => this.#handler.frameWatcher?.(this, 'out', OPCODES.PING, payload))
  }

  onFrame(opcode: number, payload: Buffer): void {
    this.#read.onFrame()
    try {
      this.#handler.frameWatcher?.(this, 'in', opcode, payload)
      this.#proof?.onFrame()
      this.#take(opcode, payload)
    } catch (failure) {
      // A bug may end this connection, but not the others.
      this.#handler.log.error('session-failed', { session: this.id, err: failure })
      this.#channel.destroy()
    }
  }

  onOversize(declaredBytes: number, limitBytes: number): void {
    this.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, `A frame declares ${declaredBytes} bytes; the limit is ${limitBytes} bytes.`)
  }

  onRead(unfinishedBytes: number): void {
    if (this.#stage !== 'closed') {
      this.#read.charge(unfinishedBytes)
      this.#channel.flush()
      this.applyBackpressure()
    }
    this.#read.end()
  }

  onDrain(): void {
    this.applyBackpressure()
  }

  /** The peer has ended its side; it may still read pending responses. */
  onEnd(): void {
    if (this.#stage === 'handshaking' || this.#stage === 'ready') this.#beginClosing()
  }

  onClose(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#proof?.cancel()
    this.#usage.end()
    const wasOpen = this.#stage !== 'closing'
    this.#stage = 'closed'
    if (wasOpen) this.#handler.onEnded(this, this.#session)
  }

  #take(opcode: number, payload: Buffer): void {
    const step = stepFor(this.#stage, opcode)
    switch (step.action) {
      case 'dispatch':
        this.#dispatch(payload)
        break
      case 'pong':
        this.#channel.sendPong(payload)
        this.#handler.frameWatcher?.(this, 'out', OPCODES.PONG, payload)
        break
      case 'accept':
        this.#accept(payload)
        break
      case 'close':
        this.#handler.log.debug('peer-closed', { session: this.id })
        this.#beginClosing()
        break
      case 'refuse':
        this.close(step.code, step.reason)
        break
      case 'pong-received':
        this.#proof?.onPong(payload)
        break
      case 'ignore':
        break
    }
  }

  #awaitHandshake(): void {
    this.#cancelTimer = this.#handler.clock.after(LIMITS.handshakeMs.value, () => {
      // A peer that the daemon does not read cannot be late.
      if (this.#isPaused) this.#awaitHandshake()
      else this.close(CLOSE_CODES.CLOSE_ABNORMAL.code, `No handshake arrived within ${LIMITS.handshakeMs.value / 1000} s.`)
    })
  }

  #accept(payload: Buffer): void {
    const read = readHandshake(payload)
    if (isRefusal(read)) return this.close(read.code, read.reason)
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#stage = 'ready'
    this.#codec = this.#handler.codec(read.encoding)
    this.#maxPayloadBytes = read.maxFrameBytes
    this.#channel.setStreamOptions?.({
      maxPayloadBytes: read.contract === undefined ? LIMITS.frameBytes.value : LIMITS.contractFrameBytes.value,
      canBatch: read.streams,
    })
    const { session, ready } = this.#handler.accept(this, read)
    this.#session = session
    this.#hasContract = read.contract !== undefined
    if (!this.#hasContract && this.#handler.hasRights(session)) this.#proof = proveByNextFrame(this.#channel, this.#handler.clock)
    this.#sendFrame(ready)
  }

  #dispatch(payload: Buffer): void {
    let message: unknown
    try {
      message = this.#codec.decode(payload)
    } catch {
      return this.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, `A frame is not valid ${this.#codec.name}.`)
    }
    const envelope = readEnvelope(message, ++this.#sequence)
    if (envelope instanceof BridgeError)
      return this.#pushError({ cmd: 'DISPATCH', nonce: nonceOf(message), sequence: this.#sequence }, envelope)
    const bytes = payload.length
    this.#handler.calls.watcher?.began(this, envelope, bytes)
    if (!this.#usage.hasRoomForCall(bytes)) return this.#pushFailure(envelope, tooManyOpen())
    try {
      // The session exists after the handshake, and frames are dispatched only then.
      const result = this.#handler.call(this.#session as Session, envelope)
      // Only the header is kept until the response, because the arguments may be large.
      if (result instanceof Promise) this.#respondLater(headerOf(envelope, this.#read.startedAt), bytes, result)
      else this.#pushResponse(envelope, result)
    } catch (failure) {
      this.#pushFailure(envelope, failure)
    }
  }

  #respondLater(call: CallHeader, bytes: number, result: Promise<unknown>): void {
    this.#usage.callOpened(bytes)
    result.then(
      (data) => this.#finish(call, bytes, true, data),
      (failure: unknown) => this.#finish(call, bytes, false, failure),
    )
  }

  #finish(call: CallHeader, bytes: number, isSuccess: boolean, outcome: unknown): void {
    this.#usage.callEnded(bytes)
    try {
      if (isSuccess) this.#pushResponse(call, outcome)
      else this.#pushFailure(call, outcome)
    } catch (failure) {
      this.#pushFailure(call, failure)
    }
    this.flush()
  }

  #pushResponse(call: CallHeader, result: unknown): void {
    if (!(result instanceof WithWarnings)) return this.#pushData(call, result)
    if (this.#hasContract) return this.#pushData(call, result.data, result.warnings)
    this.#warningLog ??= new WarningLog(this.#handler.log, this.id)
    this.#warningLog.add(call.cmd, result.warnings)
    this.#pushData(call, result.data)
  }

  #pushData(call: CallHeader, data: unknown, warnings?: readonly CallWarning[]): void {
    const payload = this.#codec.encodeResponse(call.cmd, data, call.nonce, warnings)
    const bytes = Buffer.byteLength(payload)
    if (bytes > this.#maxPayloadBytes) return this.#pushError(call, responseTooLarge(bytes, this.#maxPayloadBytes))
    if (typeof payload === 'string') {
      this.#channel.sendText(payload, bytes)
      this.#handler.frameWatcher?.(this, 'out', OPCODES.FRAME, payload)
    } else this.#sendFrame(encodeMessage(payload))
    this.#handler.calls.watcher?.answered(this, call, data, bytes)
    if (this.#stage === 'ready') this.#handler.meter.answered(call.cmd, call.startedAt, undefined)
  }

  /** A frame of opcode FRAME. */
  #sendFrame(frame: Buffer): void {
    this.#channel.send(frame)
    this.#handler.frameWatcher?.(this, 'out', OPCODES.FRAME, payloadOf(frame))
  }

  #pushFailure(call: CallHeader, failure: unknown): void {
    // No peer is left to receive the error.
    if (this.#stage !== 'ready') return
    if (!(failure instanceof BridgeError))
      this.#handler.log.error('call-failed', { session: this.id, call: callIdOf(this.id, call.sequence), cmd: call.cmd, err: failure })
    this.#pushError(call, failure)
  }

  /** Published clients fail at members that they do not know, so only a peer with a contract learns the id. */
  #pushError(call: CallHeader, failure: unknown): void {
    const error = toWireError(failure)
    const data = this.#hasContract ? { ...error, call_id: callIdOf(this.id, call.sequence) } : error
    const frame = errorFrame(this.#codec, call, data, this.#maxPayloadBytes)
    this.#sendFrame(frame)
    this.#handler.calls.failed(this, call, data, payloadBytesOf(frame))
    this.#handler.meter.answered(call.cmd, call.startedAt, data.code)
  }

  #encode(message: object): Buffer {
    return encodeMessage(this.#codec.encode(message))
  }

  /** Pauses reading while the peer is behind or its program exceeds a limit. Closes the connection if the peer has stopped reading. */
  applyBackpressure(): void {
    if ((this.#stage !== 'ready' && this.#stage !== 'handshaking') || this.#isDropped) return
    const { unsentBytes } = this.#channel
    const backlog = backlogOf(unsentBytes)
    if (backlog === 'overflowing') return this.drop()
    // Equal where the peer takes all bytes at once: such a peer costs nothing here.
    if (unsentBytes !== this.#unsentBytes) {
      this.#unsentBytes = unsentBytes
      this.#usage.setUnsentBytes(unsentBytes)
      if (this.#isDropped) return
    }
    const shouldPause = backlog === 'congested' || this.#usage.isPaused
    if (shouldPause === this.#isPaused) return
    this.#isPaused = shouldPause
    if (shouldPause) this.#channel.pause()
    else this.#channel.resume()
  }

  /** Closes the connection without sending what is unsent, because the peer has stopped reading. */
  drop(): void {
    this.#isDropped = true
    this.#unsentBytes = 0
    this.#usage.setUnsentBytes(0)
    this.#logClosed(CLOSE_CODES.CLOSE_ABNORMAL.code, 'The peer stopped reading.')
    this.#channel.destroy()
  }

  #logClosed(code: number, reason: string): void {
    this.#handler.log.info('session-closed', { session: this.id, code, reason, pid: this.peer.pid })
  }

  #beginClosing(message?: CloseMessage): void {
    this.#stage = 'closing'
    this.#usage.setUnfinishedBytes(0, false)
    this.#cancelTimer?.()
    this.#cancelTimer = this.#handler.clock.after(LINGER_MS, () => this.#channel.destroy())
    if (this.#isPaused) this.#channel.resume()
    this.#channel.end(message)
    if (message !== undefined) this.#handler.frameWatcher?.(this, 'out', OPCODES.CLOSE, message.payload)
    this.#handler.onEnded(this, this.#session)
  }
}
