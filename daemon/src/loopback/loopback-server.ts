/**
 * HTTP server on loopback: one request per connection, with limits for the time and number of idle peers. Idle peers cannot block others,
 * because the oldest is dropped when there are too many. No timer runs while no peer is connected.
 *
 *   connection ──▶ awaited ──disarmTimeout──▶ the request is processed ──armTimeout──▶ awaited ──▶ closed
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { type HeldPort, holdPort } from '@sallyport/core/net/held-port'
import { once } from '@sallyport/core/once'

interface LoopbackOptions {
  readonly clock: Clock
  /** Time for a peer to send its request, and to read the response. */
  readonly peerTimeoutMs: number
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  /** A request for a websocket. Without it, and for any other protocol, an upgrade request is a plain one. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Maximum peers with a running timeout. */
const MAX_AWAITED_PEERS = 64
/** Whether a server could listen on the port. */
export const isPortFree = (port: number): Promise<boolean> =>
  holdPort(port).then(
    (held) => held.close().then(() => true),
    () => false,
  )

export class LoopbackServer {
  readonly #options: LoopbackOptions
  /** Made for the first connection, because most daemons never have one, and Node's server takes milliseconds to load. */
  readonly #http = once(() => this.#createHttp())
  #held: HeldPort | undefined
  readonly #open = new Set<Duplex>()
  /** Cancels the timeout of each awaited peer, the oldest first. */
  readonly #timeouts = new Map<Duplex, () => void>()

  constructor(options: LoopbackOptions) {
    this.#options = options
  }

  /** Listens on any free port. Resolves with it; rejects with the system error. */
  async listen(): Promise<number> {
    const held = await holdPort(0)
    this.serve(held)
    return held.port
  }

  /** Serves the connections of a port, and closes it with this server. */
  serve(held: HeldPort): void {
    this.#held = held
    held.serve((socket) => void this.#http().emit('connection', socket))
  }

  /** The next step is the peer's. It is dropped if the timeout expires first. */
  armTimeout(socket: Duplex): void {
    this.disarmTimeout(socket)
    if (socket.destroyed) return
    const [oldest] = this.#timeouts.keys()
    if (oldest !== undefined && this.#timeouts.size >= MAX_AWAITED_PEERS) this.#drop(oldest)
    const { clock, peerTimeoutMs: patienceMs } = this.#options
    this.#timeouts.set(
      socket,
      clock.after(patienceMs, () => this.#drop(socket)),
    )
  }

  /** The next step is the server's. */
  disarmTimeout(socket: Duplex): void {
    this.#timeouts.get(socket)?.()
    this.#timeouts.delete(socket)
  }

  /** Closes the server and every connection in any state. */
  readonly close: Closer = async () => {
    const closed = this.#held?.close()
    for (const socket of this.#open) this.#drop(socket)
    await closed
  }

  /** It does not listen itself, so Node's check for slow requests, which would run all the time, is not started. */
  #createHttp(): Server {
    const { onRequest, onUpgrade } = this.#options
    const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
      onUpgrade !== undefined && headers.upgrade?.toLowerCase() === 'websocket'
    const http = createServer({ shouldUpgradeCallback }, onRequest)
    http.maxRequestsPerSocket = 1
    if (onUpgrade !== undefined) http.on('upgrade', onUpgrade)
    http.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => {
        this.disarmTimeout(socket)
        this.#open.delete(socket)
      })
      this.armTimeout(socket)
    })
    return http
  }

  #drop(socket: Duplex): void {
    this.disarmTimeout(socket)
    socket.destroy()
  }
}
