/**
 * A server whose connections wait, with what they have sent, until it is given what serves them. So the ports of the daemon are open before
 * its modules are loaded.
 *
 *   accepted ──▶ waits ──first byte, or a second of silence──▶ `onNeeded`
 *                  └── closed by the peer: forgotten. A program that only looks whether the port is open needs nothing.
 */
import { type BoundSocket, createServer, type Server, type Socket } from 'node:net'

export interface HeldServerOptions<Peer> {
  /** Identifies the peer, in the event of the connection. */
  readonly identify: (socket: Socket) => Peer
  /** Releases what `identify` returned, for a connection that ended before it was served. */
  readonly release: (peer: Peer) => void
  /** A connection needs to be served. Called again for each one until `serve`. */
  readonly onNeeded: () => void
}

/** A path, an inherited descriptor, or a bound socket. */
type ListenAt = { readonly path: string } | { readonly fd: number } | BoundSocket

export type Serve<Peer> = (socket: Socket, peer: Peer) => void

/** A connection that sends nothing is subject to the limits of what serves it, so it waits for a bounded time only. */
const SILENCE_MS = 1_000

/** Pending connections before the kernel refuses more. */
const BACKLOG = 4096

const isBound = (at: ListenAt): at is BoundSocket => 'address' in at

const ignore = (): void => {}

export class HeldServer<Peer = undefined> {
  // Half-open: a peer that has ended its side still receives what is queued for it. No delay: frames and responses are written whole.
  readonly server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
  readonly #options: HeldServerOptions<Peer>
  readonly #waiting = new Map<Socket, { readonly peer: Peer; readonly stop: () => void }>()
  #serve: Serve<Peer> | undefined

  private constructor(options: HeldServerOptions<Peer>) {
    this.#options = options
  }

  /** Rejects with the system error. `aroundBind` wraps the call that creates the socket. */
  static async listen<Peer>(
    at: ListenAt,
    options: HeldServerOptions<Peer>,
    aroundBind: (bind: () => void) => void = (bind) => bind(),
  ): Promise<HeldServer<Peer>> {
    const held = new HeldServer<Peer>(options)
    const { server } = held
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject)
    aroundBind(() => void (isBound(at) ? server.listen(at, BACKLOG, resolve) : server.listen({ ...at, backlog: BACKLOG }, resolve)))
    await promise
    server.off('error', reject)
    // A failed accept, for example because no descriptors are left, must not end the other connections.
    server.on('error', ignore)
    return held
  }

  /** The TCP port; undefined for other sockets. */
  get port(): number | undefined {
    const address = this.server.address()
    return typeof address === 'object' && address !== null ? address.port : undefined
  }

  /** Passes on the connections that wait, in their order, and every later one. */
  serve(serve: Serve<Peer>): void {
    this.#serve = serve
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [, { stop }] of waiting) stop()
    // In the next tick, a socket whose listener for 'readable' was removed can flow again.
    process.nextTick(() => {
      for (const [socket, { peer }] of waiting) {
        if (socket.destroyed) this.#options.release(peer)
        else serve(socket, peer)
        socket.off('error', ignore)
      }
    })
  }

  /** Stops listening and closes the connections that wait. Those that are served belong to what serves them. Resolves when all are closed. */
  close(): Promise<void> {
    const closed = this.server.listening ? new Promise<void>((resolve) => void this.server.close(() => resolve())) : Promise.resolve()
    for (const socket of this.#waiting.keys()) socket.destroy()
    return closed
  }

  #accept(socket: Socket): void {
    let peer: Peer
    try {
      peer = this.#options.identify(socket)
    } catch {
      // The system lacks what identifies it. The command that opened this server reports that.
      socket.destroy()
      return
    }
    if (this.#serve !== undefined) this.#serve(socket, peer)
    else this.#wait(socket, peer)
  }

  #wait(socket: Socket, peer: Peer): void {
    const { onNeeded, release } = this.#options
    const onReadable = (): void => {
      // Without bytes, this is the end of the peer's side.
      if (socket.readableLength > 0) onNeeded()
      else socket.destroy()
    }
    const onClose = (): void => {
      stop()
      this.#waiting.delete(socket)
      release(peer)
    }
    const silence = setTimeout(onNeeded, SILENCE_MS)
    const stop = (): void => {
      clearTimeout(silence)
      socket.off('readable', onReadable).off('close', onClose)
    }
    this.#waiting.set(socket, { peer, stop })
    socket.on('error', ignore).on('readable', onReadable).once('close', onClose)
  }
}
