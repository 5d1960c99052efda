/** The network of the simulated machine: who listens at which port or path, and who is connected. */
import type net from 'node:net'
import { below, type Random } from './random.ts'
import { type Address, Link, systemError, type Tap, VirtualSocket, type Wire } from './socket.ts'
import { asOwner, contextOfNow, currentOwner, type Owner, type Timeline } from './timeline.ts'

interface Listening {
  readonly server: net.Server
  readonly address: Address
  readonly owner: Owner | undefined
  readonly inContext: <T>(work: () => T) => T
}

const LATENCY_MS = 2
/** Share of the writes that arrive in two pieces. */
const SPLIT_SHARE = 0.1
const FIRST_FREE_PORT = 40_000

/** How a game connects: what the system will say of it. */
export interface ConnectOptions {
  readonly port?: number
  readonly path?: string
  readonly signal?: AbortSignal
  readonly allowHalfOpen?: boolean
}

export class Network implements Wire {
  readonly tap: Tap
  readonly #timeline: Timeline
  readonly #random: Random
  readonly #servers = new Map<Address, Listening>()
  readonly #byServer = new Map<net.Server, Listening>()
  readonly #links = new Map<VirtualSocket, Link>()
  #accepted = 0
  #port = FIRST_FREE_PORT

  constructor(timeline: Timeline, random: Random, tap: Tap) {
    this.#timeline = timeline
    this.#random = random
    this.tap = tap
  }

  get now(): number {
    return this.#timeline.now
  }

  /** Connections of which an end is open. */
  links(): readonly Link[] {
    return [...new Set(this.#links.values())]
  }

  /** Open ends and listening servers of a process. */
  leftOf(owner: Owner): number {
    const ends = [...this.#links.keys()].filter((end) => end.owner === owner && !end.destroyed)
    return ends.length + [...this.#servers.values()].filter((one) => one.owner === owner).length
  }

  /** A killed process: its servers are gone, and who was connected to it sees the connection end. */
  kill(owner: Owner): void {
    for (const [address, one] of this.#servers)
      if (one.owner === owner) {
        this.#servers.delete(address)
        this.#byServer.delete(one.server)
      }
    for (const [end, link] of this.#links) {
      if (end.owner !== owner) continue
      this.#links.delete(end)
      const other = link.up === end ? link.down : link.up
      this.#timeline.at(this.#timeline.now + this.#latency(), 'network', () => other.break('ECONNRESET'))
    }
  }

  /** Whether a server listens there. */
  has(address: Address): boolean {
    return this.#servers.has(address)
  }

  isListening(server: net.Server): boolean {
    return this.#byServer.has(server)
  }

  freePort(): number {
    return this.#port++
  }

  listen(server: net.Server, wanted: Address): void {
    if (currentOwner()?.isDead === true) return
    const address = wanted === 0 ? this.freePort() : wanted
    if (this.#servers.has(address)) {
      process.nextTick(() => server.emit('error', systemError('EADDRINUSE', 'listen')))
      return
    }
    const listening: Listening = { server, address, owner: currentOwner(), inContext: contextOfNow() }
    this.#servers.set(address, listening)
    this.#byServer.set(server, listening)
    process.nextTick(() => server.emit('listening'))
  }

  addressOf(server: net.Server): Address | undefined {
    return this.#byServer.get(server)?.address
  }

  unlisten(server: net.Server): boolean {
    const listening = this.#byServer.get(server)
    if (listening === undefined) return false
    this.#byServer.delete(server)
    this.#servers.delete(listening.address)
    return true
  }

  connect({ port, path, signal, allowHalfOpen = false }: ConnectOptions): VirtualSocket {
    const address: Address = path ?? port ?? 0
    const socket = new VirtualSocket({ network: this, allowHalfOpen, owner: currentOwner() })
    const onAbort = (): void => void socket.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', onAbort, { once: true })
    socket.once('close', () => signal?.removeEventListener('abort', onAbort))
    this.#timeline.at(this.#timeline.now + this.#latency(), 'network', () => {
      if (socket.destroyed) return
      const listening = this.#servers.get(address)
      if (listening === undefined || listening.owner?.isDead === true) {
        socket.destroy(systemError(path === undefined ? 'ECONNREFUSED' : 'ENOENT', 'connect'))
        return
      }
      this.#accept(socket, listening)
    })
    return socket
  }

  closed(socket: VirtualSocket): void {
    this.#links.delete(socket)
  }

  piecesOf(bytes: Buffer): readonly Buffer[] {
    if (bytes.length < 2 || this.#random() >= SPLIT_SHARE) return [bytes]
    const at = 1 + below(this.#random, bytes.length - 1)
    return [bytes.subarray(0, at), bytes.subarray(at)]
  }

  arrivalAfter(earlier: number, run: () => void): number {
    const at = Math.max(earlier, this.#timeline.now + this.#latency())
    // Under no owner: what a process has sent is the system's, and arrives also when it is killed.
    asOwner(undefined, () => this.#timeline.at(at, 'network', run))
    return at
  }

  #latency(): number {
    return this.#random() * LATENCY_MS
  }

  #accept(up: VirtualSocket, { server, address, owner, inContext }: Listening): void {
    const { allowHalfOpen = false } = server as net.Server & { readonly allowHalfOpen?: boolean }
    const down = inContext(() => new VirtualSocket({ network: this, allowHalfOpen, owner }))
    this.#accepted += 1
    const link = new Link(this.#accepted, address, { up, down })
    if (typeof address === 'number') {
      const from = this.freePort()
      Object.assign(up, { remoteAddress: '127.0.0.1', remotePort: address, localAddress: '127.0.0.1', localPort: from })
      Object.assign(down, { remoteAddress: '127.0.0.1', remotePort: from, localAddress: '127.0.0.1', localPort: address })
    }
    up.join(link, 'up', down)
    down.join(link, 'down', up)
    this.#links.set(up, link)
    this.#links.set(down, link)
    const counted = server as net.Server & { connectionsOpen?: number }
    counted.connectionsOpen = (counted.connectionsOpen ?? 0) + 1
    down.once('close', () => {
      counted.connectionsOpen = (counted.connectionsOpen ?? 1) - 1
      if (counted.connectionsOpen === 0 && !this.isListening(server)) server.emit('drained')
    })
    inContext(() => server.emit('connection', down))
    up.emit('connect')
    up.emit('ready')
  }
}
