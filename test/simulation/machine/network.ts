/**
 * Sockets of the simulated machine: those of TCP on loopback and those at a path. Bytes arrive in order, after a time and in pieces that the seed
 * chooses. A connection is cut as the seed or a fault says.
 */
import net from 'node:net'
import { AsyncLocalStorage } from 'node:async_hooks'
import { Duplex } from 'node:stream'
import { below, type Random } from './random.ts'
import { currentOwner, type Owner, type Timeline } from './timeline.ts'

/** Sees all bytes as they are sent. */
export interface Tap {
  onBytes(link: Link, direction: Direction, bytes: Buffer): void
}

/** `up`: from who connected to who listens. */
export type Direction = 'up' | 'down'

type Address = number | string

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
const BUFFER_BYTES = 64 * 1024

const systemError = (code: string, text: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${text} ${code}`), { code, syscall: text })

/** A connection, with its two ends. */
export class Link {
  readonly number: number
  readonly address: Address
  readonly up: VirtualSocket
  readonly down: VirtualSocket

  constructor(number: number, address: Address, ends: { readonly up: VirtualSocket; readonly down: VirtualSocket }) {
    this.number = number
    this.address = address
    this.up = ends.up
    this.down = ends.down
  }

  /** Breaks it without a word: both ends get an error. */
  cut(): void {
    for (const end of [this.up, this.down]) end.break('ECONNRESET')
  }
}

interface SocketOptions {
  readonly network: Network
  readonly allowHalfOpen: boolean
  readonly owner: Owner | undefined
}

/** One end. It has what the code under test uses of net.Socket. */
export class VirtualSocket extends Duplex {
  readonly owner: Owner | undefined
  readonly #network: Network
  readonly #inContext = AsyncLocalStorage.snapshot()
  #peer: VirtualSocket | undefined
  #link: Link | undefined
  #direction: Direction = 'up'
  /** When the last piece that it sent arrives. */
  #arrival = 0
  /** Bytes that arrived while the reader was behind, each with what tells the sender. */
  #waiting: (() => void)[] = []
  #isBehind = false
  #idle: ReturnType<typeof setTimeout> | undefined
  #idleMs = 0
  connecting = true
  remoteAddress: string | undefined
  remotePort: number | undefined
  readonly remoteFamily = 'IPv4'
  localAddress: string | undefined
  localPort: number | undefined
  bytesRead = 0
  bytesWritten = 0
  timeout = 0

  constructor({ network, allowHalfOpen, owner }: SocketOptions) {
    super({ allowHalfOpen, highWaterMark: BUFFER_BYTES })
    this.#network = network
    this.owner = owner
  }

  get pending(): boolean {
    return this.connecting
  }
  get readyState(): string {
    return this.connecting ? 'opening' : this.destroyed ? 'closed' : 'open'
  }
  get link(): Link | undefined {
    return this.#link
  }

  /** Both ends are there. */
  join(link: Link, direction: Direction, peer: VirtualSocket): void {
    this.#link = link
    this.#direction = direction
    this.#peer = peer
    this.connecting = false
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  address(): object {
    return { address: this.localAddress, port: this.localPort, family: 'IPv4' }
  }
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }
  resetAndDestroy(): this {
    return this.destroy()
  }
  setTimeout(ms: number, listener?: () => void): this {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#idleMs = ms
    this.timeout = ms
    if (listener !== undefined) {
      if (ms === 0) this.off('timeout', listener)
      else this.once('timeout', listener)
    }
    if (ms > 0) this.#idle = setTimeout(() => this.emit('timeout'), ms)
    return this
  }

  /** The connection is gone. */
  break(code: string): void {
    if (this.destroyed || this.owner?.isDead === true) return
    this.#inContext(() => this.destroy(systemError(code, 'read')))
  }

  override _read(): void {
    this.#isBehind = false
    while (!this.#isBehind) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      next()
    }
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (failure?: Error | null) => void): void {
    if (this.connecting) {
      this.once('connect', () => this._write(chunk, encoding, done))
      return
    }
    const peer = this.#peer
    const link = this.#link
    if (peer === undefined || link === undefined || peer.destroyed) {
      done(systemError('EPIPE', 'write'))
      return
    }
    const bytes = Buffer.from(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    this.bytesWritten += bytes.length
    this.#active()
    this.#network.tap.onBytes(link, this.#direction, bytes)
    const pieces = this.#network.piecesOf(bytes)
    for (const [at, piece] of pieces.entries()) this.#later(() => peer.#arrive(piece, at === pieces.length - 1 ? done : () => {}))
  }

  override _final(done: (failure?: Error | null) => void): void {
    if (this.connecting) {
      this.once('connect', () => this._final(done))
      return
    }
    const peer = this.#peer
    if (peer !== undefined) this.#later(() => peer.#arriveEnd())
    done()
  }

  override _destroy(failure: Error | null, done: (failure?: Error | null) => void): void {
    clearTimeout(this.#idle)
    this.#network.closed(this)
    const waiting = this.#waiting
    this.#waiting = []
    const peer = this.#peer
    // Bytes that were never read make the system reset the connection.
    const isReset = failure !== null || waiting.length > 0 || this.readableLength > 0
    if (peer !== undefined) {
      this.#later(() => {
        if (peer.destroyed) return
        if (isReset) peer.break('ECONNRESET')
        else peer.#arriveEnd()
      })
    }
    done(failure)
  }

  #later(run: () => void): void {
    this.#arrival = this.#network.arrivalAfter(this.#arrival, run)
  }

  #active(): void {
    if (this.#idleMs > 0) this.#idle?.refresh()
  }

  #arrive(piece: Buffer, done: () => void): void {
    if (this.owner?.isDead === true) return
    if (this.destroyed) return done()
    const take = (): void =>
      this.#inContext(() => {
        this.bytesRead += piece.length
        this.#active()
        this.#isBehind = !this.push(piece)
        done()
      })
    if (this.#isBehind) this.#waiting.push(take)
    else take()
  }

  #arriveEnd(): void {
    if (this.destroyed || this.owner?.isDead === true) return
    const take = (): void => this.#inContext(() => void this.push(null))
    if (this.#isBehind) this.#waiting.push(take)
    else take()
  }
}

/** How a game connects: what the system will say of it. */
export interface ConnectOptions {
  readonly port?: number
  readonly path?: string
  readonly signal?: AbortSignal
  readonly allowHalfOpen?: boolean
}

export class Network {
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
    const address = wanted === 0 ? this.freePort() : wanted
    if (this.#servers.has(address)) {
      process.nextTick(() => server.emit('error', systemError('EADDRINUSE', 'listen')))
      return
    }
    const listening: Listening = { server, address, owner: currentOwner(), inContext: AsyncLocalStorage.snapshot() }
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

  /** One write, or the two pieces that it arrives in. */
  piecesOf(bytes: Buffer): readonly Buffer[] {
    if (bytes.length < 2 || this.#random() >= SPLIT_SHARE) return [bytes]
    const at = 1 + below(this.#random, bytes.length - 1)
    return [bytes.subarray(0, at), bytes.subarray(at)]
  }

  /** Runs it after a latency, but not before what was sent earlier. Returns when. */
  arrivalAfter(earlier: number, run: () => void): number {
    const at = Math.max(earlier, this.#timeline.now + this.#latency())
    this.#timeline.at(at, 'network', run)
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

/** A port that is taken and does not listen yet. */
class VirtualBoundSocket {
  readonly #port: number
  constructor(network: Network, port: number) {
    this.#port = port === 0 ? network.freePort() : port
  }
  address() {
    return { address: '127.0.0.1', family: 'IPv4', port: this.#port }
  }
  close(): void {}
}

type ListenArgument = number | string | VirtualBoundSocket | (() => void) | { readonly port?: number; readonly path?: string } | undefined

function addressIn(given: readonly ListenArgument[]): Address {
  const [first] = given
  if (first instanceof VirtualBoundSocket) return first.address().port
  if (typeof first === 'object') return first.path ?? first.port ?? 0
  return typeof first === 'string' ? first : typeof first === 'number' ? first : 0
}

/** Replaces what node:net opens. Servers of node:http are servers of node:net. */
export function replaceNetwork(network: () => Network): void {
  const prototype = net.Server.prototype
  Object.defineProperty(prototype, 'listening', {
    configurable: true,
    get(this: net.Server) {
      return network().isListening(this)
    },
    set() {},
  })
  Object.assign(prototype, {
    listen(this: net.Server, ...given: ListenArgument[]) {
      const done = given.find((one) => typeof one === 'function')
      if (done !== undefined) this.once('listening', done as () => void)
      network().listen(this, addressIn(given))
      return this
    },
    close(this: net.Server & { connectionsOpen?: number }, done?: (failure?: Error) => void) {
      if (!network().unlisten(this)) {
        if (done !== undefined) process.nextTick(() => done(systemError('ERR_SERVER_NOT_RUNNING', 'close')))
        return this
      }
      if (done !== undefined) this.once('close', done)
      if ((this.connectionsOpen ?? 0) === 0) process.nextTick(() => this.emit('close'))
      else this.once('drained', () => this.emit('close'))
      return this
    },
    address(this: net.Server) {
      const address = network().addressOf(this)
      return typeof address === 'number' ? { address: '127.0.0.1', family: 'IPv4', port: address } : (address ?? null)
    },
    ref(this: net.Server) {
      return this
    },
    unref(this: net.Server) {
      return this
    },
  })
  const connect = (...given: unknown[]): VirtualSocket => {
    const [first] = given
    const options: ConnectOptions =
      typeof first === 'object' && first !== null
        ? (first as ConnectOptions)
        : typeof first === 'string' && Number.isNaN(Number(first))
          ? { path: first }
          : { port: Number(first) }
    const done = given.find((one) => typeof one === 'function') as (() => void) | undefined
    const socket = network().connect({ ...options, ...(options.port === undefined ? {} : { port: Number(options.port) }) })
    if (done !== undefined) socket.once('connect', done)
    return socket
  }
  Object.assign(net, {
    connect,
    createConnection: connect,
    BoundSocket: function (options: { readonly port: number }) {
      return new VirtualBoundSocket(network(), options.port)
    },
  })
}
