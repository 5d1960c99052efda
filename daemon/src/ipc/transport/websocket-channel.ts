/**
 * A websocket as a channel of frames. A text message is the payload of a frame; the other frames have equivalents.
 *
 *   query    ──▶ HANDSHAKE          FRAME ──▶ text
 *   text     ──▶ FRAME              PONG  ──▶ pong
 *   ping     ──▶ PING               CLOSE ──▶ close code
 */
import type { Duplex } from 'node:stream'
import { CLOSE_CODES, LIMITS } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'
import type { WebSocket } from 'ws'
import { payloadOf } from '../framing/encoder.ts'
import type { CloseMessage, FrameChannel, FrameReceiver, PeerIdentity } from './transport.ts'
import type { UpgradeRequest } from '../../loopback/web-server.ts'

/** The only encoding on this transport. */
const ENCODING = 'json'
/** Maximum reason length in a websocket close frame. */
const REASON_BYTES = 123

class WebSocketChannel implements FrameChannel {
  readonly peer: PeerIdentity
  readonly #socket: WebSocket

  constructor(socket: WebSocket, peer: PeerIdentity) {
    this.#socket = socket
    this.peer = peer
  }

  send(frame: Buffer): void {
    this.#socket.send(payloadOf(frame), { binary: false })
  }
  sendText(text: string): void {
    this.#socket.send(text)
  }
  sendEvent(frame: Buffer): void {
    this.send(frame)
  }
  sendPong(payload: Buffer): void {
    this.#socket.pong(payload)
  }
  flush(): void {
    // Messages are not queued: a page receives them one by one.
  }
  get unsentBytes(): number {
    return this.#socket.bufferedAmount
  }
  pause(): void {
    this.#socket.pause()
  }
  resume(): void {
    this.#socket.resume()
  }
  end({ code, message }: Pick<CloseMessage, 'code' | 'message'> = { code: CLOSE_CODES.CLOSE_NORMAL.code, message: '' }): void {
    this.#socket.close(code, truncated(message))
  }
  destroy(): void {
    this.#socket.terminate()
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
  peer: PeerIdentity,
  { query }: Pick<UpgradeRequest, 'query'>,
  socket: Duplex,
  onChannel: (channel: FrameChannel) => FrameReceiver,
): void {
  if ((query.get('encoding') ?? ENCODING) !== ENCODING) {
    return webSocket.close(CLOSE_CODES.INVALID_ENCODING.code, `Invalid Encoding: only ${ENCODING} is supported.`)
  }
  const receiver = onChannel(new WebSocketChannel(webSocket, peer))
  const receive = (opcode: number, payload: Buffer): void => {
    receiver.onFrame(opcode, payload)
    receiver.onRead(0)
  }
  socket.on('drain', () => receiver.onDrain())
  webSocket.on('close', () => receiver.onClose())
  webSocket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) webSocket.close(CLOSE_CODES.CLOSE_UNSUPPORTED.code, 'Only text messages are supported.')
    else receive(OPCODES.FRAME, data)
  })
  webSocket.on('ping', (data) => receive(OPCODES.PING, data))
  const hello = {
    v: query.get('v') ?? undefined,
    client_id: query.get('client_id') ?? undefined,
    streams: true,
    max_frame_bytes: LIMITS.contractFrameBytes.value,
  }
  const handshake = Buffer.from(JSON.stringify(hello))
  if (handshake.length > LIMITS.handshakeBytes.value) receiver.onOversize(handshake.length, LIMITS.handshakeBytes.value)
  else receive(OPCODES.HANDSHAKE, handshake)
}
