/**
 * A websocket as a link: messages of text become frames, and frames messages, so that sessions know no websockets.
 *
 *   query    ──▶ HANDSHAKE          FRAME ──▶ text
 *   text     ──▶ FRAME              PONG  ──▶ pong
 *   ping     ──▶ PING               CLOSE ──▶ close code
 */
import type { Duplex } from 'node:stream'
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import type { WebSocket } from 'ws'
import { FrameDecoder, type FrameSink } from '../framing/decoder.ts'
import { encodeFrame } from '../framing/encoder.ts'
import type { ByteChannel, ChannelReceiver, PeerIdentity } from './transport.ts'
import type { Visit } from '../../loopback/web-server.ts'

/** The only encoding of this transport. */
const ENCODING = 'json'
/** Of a close frame, its code aside. */
const REASON_BYTES = 123

class WebLink implements ByteChannel, FrameSink {
  readonly peer: PeerIdentity
  readonly #socket: WebSocket
  readonly #frames = new FrameDecoder(LIMITS.contractFrameBytes.value)

  constructor(socket: WebSocket, peer: PeerIdentity) {
    this.#socket = socket
    this.peer = peer
  }

  write(bytes: Buffer): boolean {
    this.#frames.push(bytes, this)
    return this.pendingBytes === 0
  }
  get pendingBytes(): number {
    return this.#socket.bufferedAmount
  }
  pause(): void {
    this.#socket.pause()
  }
  resume(): void {
    this.#socket.resume()
  }
  end(): void {
    this.#socket.close(CLOSE_CODES.CLOSE_NORMAL.code)
  }
  destroy(): void {
    this.#socket.terminate()
  }

  // --- the frames of a session ---------------------------------------------------------------------------------------------

  onFrame(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.FRAME) this.#socket.send(payload, { binary: false })
    else if (opcode === OPCODES.PONG) this.#socket.pong(payload)
    else if (opcode === OPCODES.CLOSE) {
      const { code, message } = JSON.parse(payload.toString('utf8')) as { code: number; message: string }
      this.#socket.close(code, fitting(message))
    }
  }
  onOversize(): void {
    this.destroy()
  }
}

/** Cut between characters. */
function fitting(reason: string): string {
  let text = ''
  let bytes = 0
  for (const character of reason) {
    bytes += Buffer.byteLength(character)
    if (bytes > REASON_BYTES) break
    text += character
  }
  return text
}

/** Gives a page its session. What it would say in a handshake stands in its query. */
export function openWebLink(socket: WebSocket, { origin, query }: Visit, carrier: Duplex, onLink: (link: ByteChannel) => ChannelReceiver): void {
  if ((query.get('encoding') ?? ENCODING) !== ENCODING) {
    return socket.close(CLOSE_CODES.INVALID_ENCODING.code, `Invalid Encoding: ${ENCODING} is served.`)
  }
  const receiver = onLink(new WebLink(socket, { trust: 'origin', origin }))
  carrier.on('drain', () => receiver.onDrain())
  socket.on('close', () => receiver.onClose())
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) socket.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, 'Messages are text.')
    else receiver.onBytes(encodeFrame(OPCODES.FRAME, data))
  })
  socket.on('ping', (data) => receiver.onBytes(encodeFrame(OPCODES.PING, data)))
  const hello = {
    v: query.get('v') ?? undefined,
    client_id: query.get('client_id') ?? undefined,
    streams: true,
    max_frame_bytes: LIMITS.contractFrameBytes.value,
  }
  receiver.onBytes(encodeFrame(OPCODES.HANDSHAKE, JSON.stringify(hello)))
}
