/**
 * HTTP server on loopback: one request per connection, with limits for the time and number of idle peers. Idle peers cannot block others,
 * because the oldest is dropped when there are too many. No timer runs while no peer is connected.
 *
 *   connection ──▶ awaited ──disarmTimeout──▶ the request is processed ──armTimeout──▶ awaited ──▶ closed
 */
import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'

export interface LoopbackOptions {
  readonly clock: Clock
  /** Time for a peer to send its request, and to read the response. */
  readonly peerTimeoutMs: number
}

export const LOOPBACK = '127.0.0.1'
/** Maximum peers with a running timeout. */
const MAX_AWAITED_PEERS = 64
/** Node's check for slow requests runs all the time; this reduces it to every 24 days. Connections have their own timeout. */
const NO_CONNECTION_CHECKS = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 2_147_483_647 }

/** Whether a server could listen on the port. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)))
  })

export class LoopbackServer {
  readonly http: Server = createServer({
    ...NO_CONNECTION_CHECKS,
    // Other upgrade requests are handled as plain requests.
    shouldUpgradeCallback: ({ headers }) => this.http.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket',
  })
  readonly #options: LoopbackOptions
  readonly #open = new Set<Duplex>()
  /** Cancels the timeout of each awaited peer, the oldest first. */
  readonly #timeouts = new Map<Duplex, () => void>()

  constructor(options: LoopbackOptions) {
    this.#options = options
    this.http.maxRequestsPerSocket = 1
    this.http.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => {
        this.disarmTimeout(socket)
        this.#open.delete(socket)
      })
      this.armTimeout(socket)
    })
  }

  /** Resolves with the port. Rejects with the system error; may be called again afterwards. */
  async listen(port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.http.once('error', reject)
    this.http.listen(port, LOOPBACK, resolve)
    try {
      await promise
    } finally {
      this.http.off('listening', resolve).off('error', reject)
    }
    // A failed accept must not end the other connections.
    this.http.on('error', () => {})
    const address = this.http.address()
    return typeof address === 'object' && address !== null ? address.port : port
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
  readonly close: Closer = () =>
    new Promise((resolve) => {
      this.http.close(() => resolve())
      for (const socket of this.#open) this.#drop(socket)
    })

  #drop(socket: Duplex): void {
    this.disarmTimeout(socket)
    socket.destroy()
  }
}
