/**
 * HTTP for this machine alone: one request per connection, and a limit on how long, and how many, peers are waited for. Silent ones keep nobody
 * out: when too many are waited for, the one that was waited for longest goes. No timer runs while nobody is connected.
 *
 *   connection ──▶ waited for ──heard──▶ what it asked for takes its time ──waitFor──▶ waited for ──▶ gone
 */
import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'

export interface LoopbackOptions {
  readonly clock: Clock
  /** Time to ask for something, and to take the answer. */
  readonly patienceMs: number
}

export const LOOPBACK = '127.0.0.1'
/** Peers that are waited for at once. */
const MAX_WAITED_FOR = 64
/** Node's look for slow requests never rests; with this it rests for 24 days. Connections have their own end. */
const NO_CHECKING = { headersTimeout: 0, requestTimeout: 0, connectionsCheckingInterval: 2_147_483_647 }

export class LoopbackServer {
  readonly http: Server = createServer({
    ...NO_CHECKING,
    // What asks to become anything else is a plain request.
    shouldUpgradeCallback: ({ headers }) => this.http.listenerCount('upgrade') > 0 && headers.upgrade?.toLowerCase() === 'websocket',
  })
  readonly #options: LoopbackOptions
  readonly #open = new Set<Duplex>()
  /** How to stop waiting for each, the longest first. */
  readonly #waitedFor = new Map<Duplex, () => void>()

  constructor(options: LoopbackOptions) {
    this.#options = options
    this.http.maxRequestsPerSocket = 1
    this.http.on('connection', (socket) => {
      this.#open.add(socket)
      socket.once('close', () => {
        this.heard(socket)
        this.#open.delete(socket)
      })
      this.waitFor(socket)
    })
  }

  /** Resolves with the port. Rejects with what the system says, and may be called again then. */
  async listen(port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.http.once('error', reject)
    this.http.listen(port, LOOPBACK, resolve)
    try {
      await promise
    } finally {
      this.http.off('listening', resolve).off('error', reject)
    }
    // Not being able to accept one connection must not end the others.
    this.http.on('error', () => {})
    const address = this.http.address()
    return typeof address === 'object' && address !== null ? address.port : port
  }

  /** The next step is the peer's: it is dropped when it does not take it. */
  waitFor(socket: Duplex): void {
    this.heard(socket)
    if (socket.destroyed) return
    const [longest] = this.#waitedFor.keys()
    if (longest !== undefined && this.#waitedFor.size >= MAX_WAITED_FOR) this.#drop(longest)
    const { clock, patienceMs } = this.#options
    this.#waitedFor.set(
      socket,
      clock.after(patienceMs, () => this.#drop(socket)),
    )
  }

  /** The next step is ours. */
  heard(socket: Duplex): void {
    this.#waitedFor.get(socket)?.()
    this.#waitedFor.delete(socket)
  }

  /** Ends every connection, whatever became of it. */
  readonly close: Closer = () =>
    new Promise((resolve) => {
      this.http.close(() => resolve())
      for (const socket of this.#open) this.#drop(socket)
    })

  #drop(socket: Duplex): void {
    this.heard(socket)
    socket.destroy()
  }
}
