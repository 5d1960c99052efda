/**
 * A websocket as a byte channel. It converts text messages to frames and frames to text messages, so that connections need no websocket code.
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
import type { UpgradeRequest } from '../../loopback/web-server.ts'

/** The only encoding on this transport. */
const ENCODING = 'json'
/** Maximum reason length in a websocket close frame. */
const REASON_BYTES = 123

class WebSocketChannel implements ByteChannel, FrameSink {
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

  // --- frames from the connection ------------------------------------------------------------------------------------------

  onFrame(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.FRAME) this.#socket.send(payload, { binary: false })
    else if (opcode === OPCODES.PONG) this.#socket.pong(payload)
    else if (opcode === OPCODES.CLOSE) {
      const { code, message } = JSON.parse(payload.toString('utf8')) as { code: number; message: string }
      this.#socket.close(code, truncated(message))
    }
  }
  onOversize(): void {
    this.destroy()
  }
}

/** Truncates at a character boundary. */
function truncated(reason: string): string {
  let text = ''
  let bytes = 0
  for (const character of reason) {
    bytes += Buffer.byteLength(character)
    if (bytes > REASON_BYTES) break
    text += character
  }
  return text
}

/** Opens a channel for a page. The query of the upgrade request replaces the handshake frame. */
export function openWebSocketChannel(
  webSocket: WebSocket,
  { origin, query }: UpgradeRequest,
  socket: Duplex,
  onChannel: (channel: ByteChannel) => ChannelReceiver,
): void {
  if ((query.get('encoding') ?? ENCODING) !== ENCODING) {
    return webSocket.close(CLOSE_CODES.INVALID_ENCODING.code, `Invalid Encoding: only ${ENCODING} is supported.`)
  }
  const receiver = onChannel(new WebSocketChannel(webSocket, { trust: 'origin', origin }))
  socket.on('drain', () => receiver.onDrain())
  webSocket.on('close', () => receiver.onClose())
  webSocket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) webSocket.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, 'Only text messages are supported.')
    else receiver.onBytes(encodeFrame(OPCODES.FRAME, data))
  })
  webSocket.on('ping', (data) => receiver.onBytes(encodeFrame(OPCODES.PING, data)))
  const hello = {
    v: query.get('v') ?? undefined,
    client_id: query.get('client_id') ?? undefined,
    streams: true,
    max_frame_bytes: LIMITS.contractFrameBytes.value,
  }
  receiver.onBytes(encodeFrame(OPCODES.HANDSHAKE, JSON.stringify(hello)))
}
