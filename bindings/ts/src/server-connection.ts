/** One connection to a server: the handshake, then messages in the negotiated encoding. */
import { CLOSE_CODES, ERRORS } from '@sallyport/protocol/errors'
import { LIMITS } from '@sallyport/protocol/limits'
import { CONTRACT_VERSION, type EncodingName, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Server, ServerUser } from './server.ts'
import type { SocketCandidate } from './discovery.ts'
import { CallError, ConnectionLostError, ProtocolError, ServerClosedError } from './errors.ts'
import type { Environment } from './environment.ts'
import { type Codec, codecOf, loadCodec } from './wire/codec.ts'
import type { Frame } from './wire/decoder.ts'
import { isFields, type Message, parseClose, parseMessage } from './wire/message.ts'
import { Wire } from './wire/wire.ts'

export interface HandshakeOptions {
  readonly applicationId: string
  readonly encoding: EncodingName
  readonly sdkVersion: string
}

export interface ConnectionReceiver {
  onMessage(message: Message): void
  /** The connection ended; called once, never after `close`. */
  onEnd(error: Error): void
}

/** Time limit of the handshake until READY, in milliseconds. The platform's own client delays handshakes when there are many. */
const HANDSHAKE_TIMEOUT_MS = 5_000

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function serverOf(candidate: SocketCandidate, encoding: EncodingName, data: unknown): Server {
  const ready = isFields(data) ? data : {}
  const { user, bridge, config } = ready
  const contract = text(ready['contract'])
  return {
    ...candidate,
    encoding,
    ...(isFields(user) && typeof user['id'] === 'string' ? { user: user as unknown as ServerUser } : {}),
    ...(isFields(bridge) ? { bridge: { name: text(bridge['name']) ?? '', version: text(bridge['version']) ?? '' } } : {}),
    ...(contract === undefined ? {} : { contract }),
    ...(ready['call_keys'] === true ? { callKeys: true as const } : {}),
    ...(isFields(config) ? { config } : {}),
  }
}

export class ServerConnection {
  readonly server: Server
  /** Data of READY as received. */
  readonly ready: unknown
  /** Encodes and decodes all of its messages. */
  readonly codec: Codec
  readonly #wire: Wire
  #receiver: ConnectionReceiver | undefined
  /** Messages received before `attach`; the stream is paused, so at most one chunk. */
  #early: ((receiver: ConnectionReceiver) => void)[] = []

  constructor(wire: Wire, codec: Codec, server: Server, ready: unknown) {
    this.#wire = wire
    this.codec = codec
    this.server = server
    this.ready = ready
    wire.pause()
  }

  /** Delivers messages and the end to `receiver`, first those received earlier. */
  attach(receiver: ConnectionReceiver): void {
    this.#receiver = receiver
    for (const deliver of this.#early.splice(0)) deliver(receiver)
    this.#wire.resume()
  }

  /**
   * Sends one command. Returns its payload, in the encoding of this connection. Throws CallError INVALID_PAYLOAD if it exceeds the server's limit,
   * because the server would close the connection.
   */
  send(command: string, message: object): Uint8Array {
    const payload = this.codec.encode(message)
    const limit = this.server.contract === undefined ? LIMITS.outgoingPayloadBytes.value : LIMITS.contractFrameBytes.value
    if (payload.length > limit) {
      throw new CallError(command, {
        code: ERRORS.INVALID_PAYLOAD.code,
        message: `the call has ${payload.length} bytes; this server accepts at most ${limit}`,
      })
    }
    this.#wire.send(OPCODES.FRAME, payload)
    return payload
  }

  /** Sends CLOSE and ends the connection. Resolves when CLOSE is sent. */
  close(): Promise<void> {
    this.#wire.send(OPCODES.CLOSE, this.codec.encode({ code: CLOSE_CODES.CLOSE_NORMAL.code, message: '' }))
    return this.#wire.end()
  }

  onFrame(frame: Frame): void {
    if (frame.opcode === OPCODES.CLOSE) return this.#wire.fail(closeError(frame, this.codec))
    const message = parseMessage(this.codec.decode(frame.payload))
    if (message !== undefined) this.#pass((receiver) => receiver.onMessage(message))
  }

  onEnd(error: Error): void {
    this.#pass((receiver) => receiver.onEnd(error))
  }

  #pass(deliver: (receiver: ConnectionReceiver) => void): void {
    if (this.#receiver === undefined) this.#early.push(deliver)
    else deliver(this.#receiver)
  }
}

/** The server may send CLOSE before the encoding is negotiated, so the first byte of the payload decides. */
function closeError(frame: Frame, codec: Codec): ServerClosedError {
  const { code, message } = parseClose(frame.payload.length === 0 ? undefined : codecOf(frame.payload, codec).decode(frame.payload))
  return new ServerClosedError(code, message)
}

const handshakePayload = ({ applicationId, encoding, sdkVersion }: HandshakeOptions) => ({
  v: PROTOCOL_VERSION,
  client_id: applicationId,
  contract: CONTRACT_VERSION,
  encoding,
  max_frame_bytes: LIMITS.contractFrameBytes.value,
  streams: true,
  sdk_version: sdkVersion,
})

/**
 * Connects and performs the handshake. Rejects if nothing listens, if the server refuses (ServerClosedError), or on a timeout.
 * If the server refuses the encoding, connects again with JSON.
 */
export async function openServerConnection(
  candidate: SocketCandidate,
  options: HandshakeOptions,
  environment: Environment,
  signal: AbortSignal,
): Promise<ServerConnection> {
  try {
    return await handshake(candidate, options, environment, signal)
  } catch (error) {
    const encodingRefused = error instanceof ServerClosedError && error.closeCode === CLOSE_CODES.INVALID_ENCODING.code
    if (!encodingRefused || options.encoding === 'json') throw error
    return handshake(candidate, { ...options, encoding: 'json' }, environment, signal)
  }
}

async function handshake(
  candidate: SocketCandidate,
  options: HandshakeOptions,
  environment: Environment,
  signal: AbortSignal,
): Promise<ServerConnection> {
  const requestedCodec = await loadCodec(options.encoding)
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  signal.addEventListener('abort', abort, { once: true })
  const cancelTimer = environment.clock.after(HANDSHAKE_TIMEOUT_MS, abort)
  try {
    if (signal.aborted) throw new ConnectionLostError('the search was cancelled')
    const stream = await environment.connect(candidate.path, attempt.signal)
    return await new Promise<ServerConnection>((resolve, reject) => {
      let connection: ServerConnection | undefined
      const wire: Wire = new Wire(stream, environment.clock, {
        onFrame(frame) {
          if (connection !== undefined) return connection.onFrame(frame)
          if (frame.opcode === OPCODES.CLOSE) return wire.fail(closeError(frame, requestedCodec))
          const codec = codecOf(frame.payload, requestedCodec)
          const message = parseMessage(codec.decode(frame.payload))
          if (message?.kind !== 'event' || message.event !== 'READY')
            return wire.fail(new ProtocolError('the first message of the server is not READY'))
          connection = new ServerConnection(wire, codec, serverOf(candidate, codec.name, message.data), message.data)
          resolve(connection)
        },
        onEnd: (error) => (connection === undefined ? reject(error) : connection.onEnd(error)),
      })
      const expire = () =>
        wire.fail(new ConnectionLostError(`${candidate.path} accepted the connection but did not complete the handshake in time`))
      if (attempt.signal.aborted) expire()
      attempt.signal.addEventListener('abort', () => connection === undefined && expire(), { once: true })
      wire.send(OPCODES.HANDSHAKE, Buffer.from(JSON.stringify(handshakePayload(options)), 'utf8'))
    })
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', abort)
  }
}
