/** Both ends of a simulated connection. Bytes arrive in order, after a time and in pieces that the seed chooses. */
import { Duplex } from 'node:stream'
import { contextOfNow, type Owner } from './timeline.ts'

/** Sees all bytes as they are sent. */
export interface Tap {
  onBytes(link: Link, direction: Direction, bytes: Buffer): void
}

/** `up`: from who connected to who listens. */
export type Direction = 'up' | 'down'

/** A port of loopback, or a path. */
export type Address = number | string

/** What carries the bytes. */
export interface Wire {
  readonly tap: Tap
  /** One write, or the two pieces that it arrives in. */
  piecesOf(bytes: Buffer): readonly Buffer[]
  /** ms since the start of the run. */
  readonly now: number
  /** Runs it after a latency, but not before what was sent earlier. Returns when. */
  arrivalAfter(earlier: number, run: () => void): number
  closed(socket: VirtualSocket): void
}

const BUFFER_BYTES = 64 * 1024

export const systemError = (code: string, text: string): NodeJS.ErrnoException =>
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

  /** Whether it is half-open: what is sent is lost, and neither end hears of it. */
  isSilent = false

  /** Breaks it without a word: both ends get an error. */
  cut(): void {
    for (const end of [this.up, this.down]) end.break('ECONNRESET')
  }
}

interface SocketOptions {
  readonly network: Wire
  readonly allowHalfOpen: boolean
  readonly owner: Owner | undefined
}

/** One end. It has what the code under test uses of net.Socket. */
export class VirtualSocket extends Duplex {
  readonly owner: Owner | undefined
  readonly #network: Wire
  readonly #inContext = contextOfNow()
  #peer: VirtualSocket | undefined
  #link: Link | undefined
  #direction: Direction = 'up'
  /** When the last piece that it sent arrives. */
  #arrival = 0
  /** Bytes that arrived while the reader was behind, each with what the sender waits for. */
  #waiting: (() => void)[] = []
  #isBehind = false
  #idle: ReturnType<typeof setTimeout> | undefined
  #idleMs = 0
  connecting = true
  /** Until when its process reads nothing, ms since the start of the run. */
  stuckUntil = 0
  /** When it was destroyed, ms since the start of the run. */
  endedAt: number | undefined
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

  /** Its process reads nothing for a while; what arrives waits. */
  stick(ms: number): void {
    this.stuckUntil = this.#network.now + ms
    this.#network.arrivalAfter(this.stuckUntil, () => this.#inProcess(() => this._read()))
  }

  get #isStuck(): boolean {
    return this.#network.now < this.stuckUntil
  }

  override _read(): void {
    if (this.#isStuck) return
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
    if (this.owner?.isDead === true) return
    if (peer === undefined || link === undefined || peer.destroyed) {
      done(systemError('EPIPE', 'write'))
      return
    }
    const bytes = Buffer.from(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    this.bytesWritten += bytes.length
    this.#active()
    this.#network.tap.onBytes(link, this.#direction, bytes)
    // The system takes the bytes, and sends them again and again.
    if (link.isSilent) return done()
    const pieces = this.#network.piecesOf(bytes)
    // What the sender does next is its own work, and not that of the peer.
    const onArrived = (): void => this.#inProcess(() => done())
    for (const [at, piece] of pieces.entries()) this.#later(() => peer.#arrive(piece, at === pieces.length - 1 ? onArrived : () => {}))
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
    this.endedAt = this.#network.now
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

  #inProcess(work: () => void): void {
    if (this.owner?.isDead !== true) this.#inContext(work)
  }

  #later(run: () => void): void {
    if (this.owner?.isDead === true || this.#link?.isSilent === true) return
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
    if (this.#isBehind || this.#isStuck) this.#waiting.push(take)
    else take()
  }

  #arriveEnd(): void {
    if (this.destroyed || this.owner?.isDead === true) return
    const take = (): void => this.#inContext(() => void this.push(null))
    if (this.#isBehind || this.#isStuck) this.#waiting.push(take)
    else take()
  }
}
