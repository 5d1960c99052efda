/**
 * One connection: frames in, one answer per call out. It keeps the stage, the pace and the limits; what commands mean is the
 * host's business.
 */
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import type { ConnectionAccount } from '../../accounting/connections.ts'
import { HEADER_BYTES, OPCODES } from '@sallyport/protocol/wire'
import type { Codec } from '../codec/codec.ts'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError, toWireError, type WireError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { FrameDecoder, type FrameSink } from '../framing/decoder.ts'
import { encodeFrame } from '../framing/encoder.ts'
import type { ByteChannel, ChannelReceiver, PeerIdentity } from '../transport/transport.ts'
import { type Greeting, isRefusal, readHandshake } from './handshake.ts'
import { type Envelope, nonceOf, readEnvelope } from './envelope.ts'
import { type Stage, stepFor } from './machine.ts'
import { Outbox } from './outbox.ts'
import { proveSender, type SenderProof } from './sender-proof.ts'

/** Time a peer has to close its end after we closed ours. */
const LINGER_MS = 2_000
/** Characters of a sentence that must fit whatever the peer can receive. */
const SHORT_MESSAGE = 256

/** What a session asks of the daemon around it. `Caller` is what the daemon remembers of the game at the other end. */
export interface ConnectionHandler<Caller> {
  readonly clock: Clock
  readonly log: Logger
  codec(name: Greeting['encoding']): Codec
  /** What the connection holds is charged here. */
  account(session: Connection<Caller>): ConnectionAccount
  /** The handshake is good: who calls from now on, and the READY frame in the encoding of the session. */
  greet(session: Connection<Caller>, greeting: Greeting): { readonly caller: Caller; readonly ready: Buffer }
  /** Answers a call, now or later. Throws or rejects with BridgeError for every failure it knows. */
  call(caller: Caller, envelope: Envelope): unknown
  /** Calls `flush` of the session once, when this turn of the event loop is over. */
  flushSoon(session: Connection<Caller>): void
  /** The connection is over. `caller` is absent when it ended before the handshake. */
  ended(session: Connection<Caller>, caller: Caller | undefined): void
}

/** Whom a call is answered to. */
type Asker = Pick<Envelope, 'cmd' | 'nonce'>

const tooManyOpen = (): BridgeError =>
  new BridgeError('RATE_LIMITED', 'So many calls wait for an answer here that there is no room for another; call again in a second.', {
    retry_after: 1,
  })

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise

export class Connection<Caller> implements ChannelReceiver, FrameSink {
  readonly id: number
  readonly #host: ConnectionHandler<Caller>
  readonly #link: ByteChannel
  readonly #decoder = new FrameDecoder(LIMITS.handshakeBytes.value)
  readonly #outbox: Outbox
  readonly #account: ConnectionAccount
  #stage: Stage = 'opened'
  #codec: Codec
  #maxPayloadBytes: number = LIMITS.outgoingPayloadBytes.value
  #caller: Caller | undefined
  #isPaused = false
  #proof: SenderProof | undefined
  /** Bytes that are charged for an unfinished frame. */
  #unfinishedBytes = 0
  /** A frame came to its end in this chunk, so that what is held now is of another one. */
  #hasFinished = false
  #cancelTimer: (() => void) | undefined

  constructor(id: number, link: ByteChannel, host: ConnectionHandler<Caller>) {
    this.id = id
    this.#link = link
    this.#host = host
    this.#codec = host.codec('json')
    this.#outbox = new Outbox(link, host.clock, () => this.regulate())
    this.#account = host.account(this)
    this.#awaitHandshake()
  }

  get peer(): PeerIdentity {
    return this.#link.peer
  }

  /** Name of the encoding that payloads of this connection have. */
  get encoding(): Codec {
    return this.#codec
  }

  /** There are too many connections for this one. */
  get isRefused(): boolean {
    return this.#account.isRefused
  }

  get isOpen(): boolean {
    return this.#stage === 'ready'
  }

  /** The whole frame of an event in the encoding of this session, to be delivered to every session with the same one. */
  encodeEvent(name: string, data: unknown): Buffer {
    return encodeFrame(OPCODES.FRAME, this.#codec.encode({ cmd: 'DISPATCH', data, evt: name, nonce: null }))
  }

  /** Sends a frame that is encoded already, in the encoding of this session. All that comes in one turn of the event loop goes out together. */
  deliver(frame: Buffer): void {
    if (this.#stage !== 'ready') return
    if (frame.length - HEADER_BYTES > this.#maxPayloadBytes) {
      this.#host.log.warn('event-too-large', { session: this.id, bytes: frame.length })
      return
    }
    this.#outbox.pushEvent(frame)
    if (this.#outbox.isFull) this.regulate()
    else this.#host.flushSoon(this)
  }

  /** Sends what was delivered. */
  flush(): void {
    if (this.#stage !== 'ready') return
    this.#outbox.flush()
    this.regulate()
  }

  /** Ends the connection with a code and a sentence on the wire. */
  close(code: number, reason: string): void {
    if (this.#stage === 'closing' || this.#stage === 'closed') return
    this.#host.log.info('session-closed', { session: this.id, code, reason, pid: this.peer.pid })
    this.#outbox.push(encodeFrame(OPCODES.CLOSE, this.#codec.encode({ code, message: reason })))
    this.#beginClosing()
  }

  /** Whether the process that connected speaks here itself, as far as the system can tell. Peers that answer no PING have no proof. */
  async proveSender(): Promise<boolean> {
    if (this.#stage !== 'ready') return false
    this.#proof ??= proveSender(this.#link, this.#host.clock, (bytes) => this.#link.write(encodeFrame(OPCODES.PING, bytes)))
    // macOS and Windows tell by the process alone that it became another program.
    return this.#proof?.result ?? true
  }

  // --- what the link gives -------------------------------------------------------------------------------------------------

  onBytes(chunk: Buffer): void {
    this.#outbox.heard()
    try {
      this.#decoder.push(chunk, this)
    } catch (failure) {
      // A bug: it may cost this connection, never the others.
      this.#host.log.error('session-failed', { session: this.id, err: failure })
      this.#link.destroy()
      return
    }
    if (this.#stage === 'closed') return
    this.#chargeUnfinished()
    this.#outbox.flush()
    this.regulate()
  }

  onDrain(): void {
    this.regulate()
  }

  /** The peer will say nothing more; it may still read what it has asked for. */
  onEnd(): void {
    if (this.#stage === 'opened' || this.#stage === 'ready') this.#beginClosing()
  }

  onClose(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#proof?.giveUp()
    this.#outbox.clear()
    this.#decoder.stop()
    this.#account.end()
    const wasOpen = this.#stage !== 'closing'
    this.#stage = 'closed'
    if (wasOpen) this.#host.ended(this, this.#caller)
  }

  // --- what the decoder gives ----------------------------------------------------------------------------------------------

  onFrame(opcode: number, payload: Buffer): void {
    this.#hasFinished = true
    const step = stepFor(this.#stage, opcode)
    switch (step.does) {
      case 'dispatch':
        this.#dispatch(payload)
        break
      case 'pong':
        this.#outbox.push(encodeFrame(OPCODES.PONG, payload))
        break
      case 'greet':
        this.#greet(payload)
        break
      case 'farewell':
        this.#host.log.debug('peer-closed', { session: this.id })
        this.#beginClosing()
        break
      case 'refuse':
        this.close(step.code, step.reason)
        break
      case 'answered':
        this.#proof?.onPong(payload)
        break
      case 'nothing':
        break
    }
  }

  onOversize(declaredBytes: number, limitBytes: number): void {
    this.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, `A frame declares ${declaredBytes} bytes; at most ${limitBytes} are accepted here.`)
  }

  // --- steps -----------------------------------------------------------------------------------------------------------------

  #awaitHandshake(): void {
    this.#cancelTimer = this.#host.clock.after(LIMITS.handshakeMs.value, () => {
      // Whom we do not read cannot be late.
      if (this.#isPaused) this.#awaitHandshake()
      else this.close(CLOSE_CODES.CLOSE_ABNORMAL.code, `No handshake came within ${LIMITS.handshakeMs.value / 1000} s.`)
    })
  }

  #greet(payload: Buffer): void {
    const read = readHandshake(payload)
    if (isRefusal(read)) return this.close(read.code, read.reason)
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#stage = 'ready'
    this.#codec = this.#host.codec(read.encoding)
    this.#maxPayloadBytes = read.maxFrameBytes
    this.#decoder.maxPayloadBytes = read.contract === undefined ? LIMITS.frameBytes.value : LIMITS.contractFrameBytes.value
    if (read.streams) this.#outbox.allowStreams()
    const { caller, ready } = this.#host.greet(this, read)
    this.#caller = caller
    this.#outbox.push(ready)
  }

  #dispatch(payload: Buffer): void {
    let message: unknown
    try {
      message = this.#codec.decode(payload)
    } catch {
      return this.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, `A frame is not ${this.#codec.name}.`)
    }
    const envelope = readEnvelope(message)
    if (envelope instanceof BridgeError) {
      return this.#pushMessage({ cmd: 'DISPATCH', data: envelope.toWire(), evt: 'ERROR', nonce: nonceOf(message) })
    }
    const bytes = payload.length
    if (!this.#account.hasRoomForCall(bytes)) return this.#pushFailure(envelope, tooManyOpen())
    try {
      // The caller exists from the greeting on, and frames are dispatched only after it.
      const answer = this.#host.call(this.#caller as Caller, envelope)
      // What is kept until the answer is there is the asker alone: the arguments may be large.
      if (isPromise(answer)) this.#answerLater({ cmd: envelope.cmd, nonce: envelope.nonce }, bytes, answer)
      else this.#pushAnswer(envelope, answer)
    } catch (failure) {
      this.#pushFailure(envelope, failure)
    }
  }

  #answerLater(asker: Asker, bytes: number, answer: Promise<unknown>): void {
    this.#account.callOpened(bytes)
    answer.then(
      (data) => this.#finish(asker, bytes, true, data),
      (failure: unknown) => this.#finish(asker, bytes, false, failure),
    )
  }

  #finish(asker: Asker, bytes: number, isAnswer: boolean, outcome: unknown): void {
    this.#account.callEnded(bytes)
    try {
      if (isAnswer) this.#pushAnswer(asker, outcome)
      else this.#pushFailure(asker, outcome)
    } catch (failure) {
      this.#pushFailure(asker, failure)
    }
    if (this.#stage === 'ready') this.flush()
    else this.#outbox.clear()
  }

  #pushAnswer(asker: Asker, data: unknown): void {
    const frame = encodeFrame(OPCODES.FRAME, this.#codec.encodeAnswer(asker.cmd, data, asker.nonce))
    const bytes = frame.length - HEADER_BYTES
    if (bytes <= this.#maxPayloadBytes) this.#outbox.push(frame)
    else {
      const tooLarge = `The answer has ${bytes} bytes and this connection receives at most ${this.#maxPayloadBytes}; ask for less, or announce max_frame_bytes in the handshake.`
      this.#pushError(asker, new BridgeError('UNKNOWN_ERROR', tooLarge).toWire())
    }
  }

  #pushFailure(asker: Asker, failure: unknown): void {
    // Whatever a call says that nobody waits for any more is of no interest.
    if (this.#stage !== 'ready') return
    if (!(failure instanceof BridgeError)) this.#host.log.error('call-failed', { session: this.id, cmd: asker.cmd, err: failure })
    this.#pushError(asker, toWireError(failure))
  }

  /** What the platform says of an error may be larger than the peer can receive; code and sentence always fit. */
  #pushError({ cmd, nonce }: Asker, data: WireError): void {
    const frame = this.#encode({ cmd, data, evt: 'ERROR', nonce })
    const { code, message } = data
    const fits = frame.length - HEADER_BYTES <= this.#maxPayloadBytes
    this.#outbox.push(fits ? frame : this.#encode({ cmd, data: { code, message: message.slice(0, SHORT_MESSAGE) }, evt: 'ERROR', nonce }))
  }

  #pushMessage(message: object): void {
    this.#outbox.push(this.#encode(message))
  }

  #encode(message: object): Buffer {
    return encodeFrame(OPCODES.FRAME, this.#codec.encode(message))
  }

  #chargeUnfinished(): void {
    const bytes = this.#decoder.heldBytes
    // Nothing is charged for frames that come whole.
    if (bytes !== this.#unfinishedBytes || (bytes > 0 && this.#hasFinished)) {
      this.#unfinishedBytes = bytes
      this.#account.unfinished(bytes, this.#hasFinished)
    }
    this.#hasFinished = false
  }

  /** Slows the peer down while it is behind or its program holds too much, and gives it up when it has stopped reading. */
  regulate(): void {
    if (this.#stage !== 'ready' && this.#stage !== 'opened') return
    const { state } = this.#outbox
    if (state === 'overflowing') {
      this.#host.log.info('session-closed', {
        session: this.id,
        code: CLOSE_CODES.CLOSE_ABNORMAL.code,
        reason: 'The peer stopped reading.',
        pid: this.peer.pid,
      })
      this.#link.destroy()
      return
    }
    const shouldPause = state === 'congested' || this.#account.mustWait
    if (shouldPause === this.#isPaused) return
    this.#isPaused = shouldPause
    if (shouldPause) this.#link.pause()
    else this.#link.resume()
  }

  #beginClosing(): void {
    this.#stage = 'closing'
    this.#decoder.stop()
    this.#account.unfinished(0, false)
    this.#cancelTimer?.()
    this.#cancelTimer = this.#host.clock.after(LINGER_MS, () => this.#link.destroy())
    this.#outbox.flushAll()
    if (this.#isPaused) this.#link.resume()
    this.#link.end()
    this.#host.ended(this, this.#caller)
  }
}
