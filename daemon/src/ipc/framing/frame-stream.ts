/**
 * Frames over a byte channel, paced by the outbox.
 *
 *   bytes ─▶ decoder ─▶ receiver
 *   bytes ◀─ outbox  ◀─ send, sendEvent, sendPong
 */
import { LIMITS } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import type {
  ByteChannel,
  ChannelReceiver,
  CloseMessage,
  FrameChannel,
  FrameReceiver,
  PeerIdentity,
  SenderWatch,
  StreamOptions,
} from '../transport/transport.ts'
import { FrameDecoder } from './decoder.ts'
import { encodeFrame, type FrameJoiner } from './encoder.ts'
import { Outbox } from './outbox.ts'

export class FrameStream implements FrameChannel, ChannelReceiver {
  readonly #channel: ByteChannel
  readonly #decoder = new FrameDecoder(LIMITS.handshakeBytes.value)
  readonly #outbox: Outbox
  readonly #receiver: FrameReceiver
  /** The daemon has ended its side, or the channel is closed. */
  #isEnded = false

  /** `joiner`: shared by the streams of a server. `open` returns the receiver of the frames. */
  constructor(channel: ByteChannel, clock: Clock, joiner: FrameJoiner, open: (channel: FrameChannel) => FrameReceiver) {
    this.#channel = channel
    this.#outbox = new Outbox(channel, clock, joiner, this)
    this.#receiver = open(this)
  }

  get peer(): PeerIdentity {
    return this.#channel.peer
  }

  // --- frames to the peer --------------------------------------------------------------------------------------------------

  setStreamOptions({ maxPayloadBytes, canBatch }: StreamOptions): void {
    this.#decoder.maxPayloadBytes = maxPayloadBytes
    if (canBatch) this.#outbox.enableBatching()
  }
  send(frame: Buffer): void {
    if (!this.#isEnded) this.#outbox.push(frame)
  }
  sendText(text: string, bytes: number): void {
    if (!this.#isEnded) this.#outbox.pushText(text, bytes)
  }
  sendEvent(frame: Buffer): void {
    if (!this.#isEnded) this.#outbox.pushEvent(frame)
  }
  sendPong(payload: Buffer): void {
    this.send(encodeFrame(OPCODES.PONG, payload))
  }
  flush(): void {
    this.#outbox.flush()
  }
  get unsentBytes(): number {
    return this.#outbox.queuedBytes + this.#channel.pendingBytes
  }
  pause(): void {
    this.#channel.pause()
  }
  resume(): void {
    this.#channel.resume()
  }
  end(message?: CloseMessage): void {
    if (message !== undefined) this.send(encodeFrame(OPCODES.CLOSE, message.payload))
    this.#outbox.flushAll()
    this.#stop()
    this.#channel.end()
  }
  destroy(): void {
    this.#stop()
    this.#channel.destroy()
  }
  sendPing(payload: Buffer): void {
    if (!this.#isEnded) this.#channel.write(encodeFrame(OPCODES.PING, payload))
  }
  watchSenders(onSender: (pid: number | undefined) => void): SenderWatch | undefined {
    return this.#channel.watchSenders?.(onSender)
  }

  // --- bytes from the peer -------------------------------------------------------------------------------------------------

  onBytes(chunk: Buffer): void {
    this.#outbox.onPeerActivity()
    this.#decoder.push(chunk, this.#receiver)
    this.#receiver.onRead(this.#decoder.heldBytes)
  }
  onDrain(): void {
    this.#receiver.onDrain()
  }
  onEnd(): void {
    this.#receiver.onEnd()
  }
  onClose(): void {
    this.#stop()
    this.#receiver.onClose()
  }

  #stop(): void {
    this.#isEnded = true
    this.#decoder.stop()
    this.#outbox.clear()
  }
}
