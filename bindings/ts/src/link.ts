/** One greeted connection: the handshake, then messages both ways in the encoding that was agreed. */
import { CLOSE_CODES, ERRORS } from '@sallyport/protocol/errors'
import { LIMITS } from '@sallyport/protocol/limits'
import { CONTRACT_VERSION, type EncodingName, OPCODES, PROTOCOL_VERSION } from '@sallyport/protocol/wire'
import type { Server, ServerUser } from './server.ts'
import type { Place } from './discovery.ts'
import { CallError, ConnectionLost, ProtocolError, ServerClosed } from './errors.ts'
import type { Ports } from './ports.ts'
import { type Codec, codecOf, loadCodec } from './wire/codec.ts'
import type { Frame } from './wire/decoder.ts'
import { isFields, type Message, parseClose, parseMessage } from './wire/message.ts'
import { Wire } from './wire/wire.ts'

export interface Greeting {
  readonly applicationId: string
  readonly encoding: EncodingName
  readonly sdkVersion: string
}

export interface Receiver {
  onMessage(message: Message): void
  /** The link is dead; called once, never after `close`. */
  onEnd(error: Error): void
}

/** How long a server may take from the first byte to READY, milliseconds. The platform's own client delays greetings when there are many. */
const GREETING_MS = 5_000

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function serverOf(place: Place, encoding: EncodingName, data: unknown): Server {
  const ready = isFields(data) ? data : {}
  const { user, bridge, config } = ready
  const contract = text(ready['contract'])
  return {
    ...place,
    encoding,
    ...(isFields(user) && typeof user['id'] === 'string' ? { user: user as unknown as ServerUser } : {}),
    ...(isFields(bridge) ? { bridge: { name: text(bridge['name']) ?? '', version: text(bridge['version']) ?? '' } } : {}),
    ...(contract === undefined ? {} : { contract }),
    ...(isFields(config) ? { config } : {}),
  }
}

export class Link {
  readonly server: Server
  /** Data of READY as it came. */
  readonly ready: unknown
  readonly #wire: Wire
  readonly #codec: Codec
  #receiver: Receiver | undefined
  /** What arrived before anybody listened; the stream is paused, so no more than one chunk. */
  #early: ((receiver: Receiver) => void)[] = []

  constructor(wire: Wire, codec: Codec, server: Server, ready: unknown) {
    this.#wire = wire
    this.#codec = codec
    this.server = server
    this.ready = ready
    wire.pause()
  }

  /** From now on messages and the end go to `receiver`, those that came before first. */
  attach(receiver: Receiver): void {
    this.#receiver = receiver
    for (const deliver of this.#early.splice(0)) deliver(receiver)
    this.#wire.resume()
  }

  /** Sends one command. Throws CallError INVALID_PAYLOAD when it is larger than the server takes: sending it would cost the connection. */
  send(command: string, message: object): void {
    const payload = this.#codec.encode(message)
    const limit = this.server.contract === undefined ? LIMITS.outgoingPayloadBytes.value : LIMITS.contractFrameBytes.value
    if (payload.length > limit) {
      throw new CallError(command, {
        code: ERRORS.INVALID_PAYLOAD.code,
        message: `the call is ${payload.length} bytes long; this server takes at most ${limit}`,
      })
    }
    this.#wire.send(OPCODES.FRAME, payload)
  }

  /** Says farewell and ends. Resolves when that has gone out. */
  close(): Promise<void> {
    this.#wire.send(OPCODES.CLOSE, this.#codec.encode({ code: CLOSE_CODES.CLOSE_NORMAL.code, message: '' }))
    return this.#wire.end()
  }

  onFrame(frame: Frame): void {
    if (frame.opcode === OPCODES.CLOSE) return this.#wire.fail(closedBy(frame, this.#codec))
    const message = parseMessage(this.#codec.decode(frame.payload))
    if (message !== undefined) this.#pass((receiver) => receiver.onMessage(message))
  }

  onEnd(error: Error): void {
    this.#pass((receiver) => receiver.onEnd(error))
  }

  #pass(deliver: (receiver: Receiver) => void): void {
    if (this.#receiver === undefined) this.#early.push(deliver)
    else deliver(this.#receiver)
  }
}

/** A CLOSE may come before the encoding is agreed, so its own first byte decides. */
function closedBy(frame: Frame, codec: Codec): ServerClosed {
  const { code, message } = parseClose(frame.payload.length === 0 ? undefined : codecOf(frame.payload, codec).decode(frame.payload))
  return new ServerClosed(code, message)
}

const handshakeOf = ({ applicationId, encoding, sdkVersion }: Greeting) => ({
  v: PROTOCOL_VERSION,
  client_id: applicationId,
  contract: CONTRACT_VERSION,
  encoding,
  max_frame_bytes: LIMITS.contractFrameBytes.value,
  streams: true,
  sdk_version: sdkVersion,
})

/**
 * Connects and greets. Rejects when nothing listens, when the server refuses (ServerClosed), or when it says nothing in time.
 * A server that refuses the encoding is greeted again in JSON.
 */
export async function openLink(place: Place, greeting: Greeting, ports: Ports, signal: AbortSignal): Promise<Link> {
  try {
    return await greet(place, greeting, ports, signal)
  } catch (error) {
    const encodingRefused = error instanceof ServerClosed && error.closeCode === CLOSE_CODES.INVALID_ENCODING.code
    if (!encodingRefused || greeting.encoding === 'json') throw error
    return greet(place, { ...greeting, encoding: 'json' }, ports, signal)
  }
}

async function greet(place: Place, greeting: Greeting, ports: Ports, signal: AbortSignal): Promise<Link> {
  const asked = await loadCodec(greeting.encoding)
  const giveUp = new AbortController()
  const abandon = () => giveUp.abort()
  signal.addEventListener('abort', abandon, { once: true })
  const cancelTimer = ports.clock.after(GREETING_MS, abandon)
  try {
    if (signal.aborted) throw new ConnectionLost('the search was given up')
    const stream = await ports.dial(place.path, giveUp.signal)
    return await new Promise<Link>((resolve, reject) => {
      let link: Link | undefined
      const wire: Wire = new Wire(stream, ports.clock, {
        onFrame(frame) {
          if (link !== undefined) return link.onFrame(frame)
          if (frame.opcode === OPCODES.CLOSE) return wire.fail(closedBy(frame, asked))
          const codec = codecOf(frame.payload, asked)
          const message = parseMessage(codec.decode(frame.payload))
          if (message?.kind !== 'event' || message.event !== 'READY')
            return wire.fail(new ProtocolError('the server did not begin with READY'))
          link = new Link(wire, codec, serverOf(place, codec.name, message.data), message.data)
          resolve(link)
        },
        onEnd: (error) => (link === undefined ? reject(error) : link.onEnd(error)),
      })
      const expire = () => wire.fail(new ConnectionLost(`${place.path} accepted the connection but did not greet in time`))
      if (giveUp.signal.aborted) expire()
      giveUp.signal.addEventListener('abort', () => link === undefined && expire(), { once: true })
      wire.send(OPCODES.HANDSHAKE, Buffer.from(JSON.stringify(handshakeOf(greeting)), 'utf8'))
    })
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', abandon)
  }
}
