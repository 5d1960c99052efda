/** A socket or pipe as a byte channel, for incoming and outgoing connections. */
import type { Socket } from 'node:net'
import type { OpenSender } from '../../identity/sender.ts'
import { descriptorOf, handleOf } from './socket-handle.ts'
import type { ByteChannel, PeerIdentity, SenderWatch } from './transport.ts'

/** Poll interval for a watched socket, during a sender proof only. */
const POLL_MS = 2

export class SocketChannel implements ByteChannel {
  readonly peer: PeerIdentity
  readonly #socket: Socket
  readonly #openSender: OpenSender | undefined
  #isPaused = false
  /** Whether this channel reads the socket instead of Node. */
  #isWatched = false

  /** Holds the peer process until `release`. */
  constructor(socket: Socket, peer: PeerIdentity, openSender?: OpenSender) {
    this.#socket = socket
    this.peer = peer
    this.#openSender = openSender
  }
  /** The socket has closed. */
  release(): void {
    this.peer.process?.release()
  }
  write(bytes: Buffer): boolean {
    return this.#socket.write(bytes)
  }
  get pendingBytes(): number {
    return this.#socket.writableLength
  }
  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
    // A paused stream still reads one chunk, which would not be charged to any program.
    const handle = handleOf(this.#socket)
    if (handle?.reading !== true) return
    handle.reading = false
    handle.readStop()
  }
  resume(): void {
    this.#isPaused = false
    this.#socket.resume()
    const handle = handleOf(this.#socket)
    if (handle === undefined || this.#socket.destroyed) return
    const isReading = handle.reading
    handle.reading = true
    // A socket with a buffer of its own has started to read above.
    if (this.#isWatched) handle.readStop()
    else if (isReading === false) handle.readStart()
  }
  end(): void {
    this.#socket.end()
  }
  destroy(): void {
    this.#socket.destroy()
  }

  /** Reads the socket directly while senders are watched, because Node discards the sender credentials. */
  watchSenders(onSender: (pid: number | undefined) => void): SenderWatch | undefined {
    const socket = this.#socket
    const handle = handleOf(socket)
    const sender = handle === undefined || socket.destroyed ? undefined : this.#openSender?.(descriptorOf(socket))
    if (handle === undefined || sender === undefined) return undefined
    handle.readStop()
    this.#isWatched = true
    const hadUnread = sender.hasUnread()
    const poll = (): void => {
      while (this.#isWatched && !this.#isPaused) {
        const found = sender.receive()
        if (found === undefined) return
        onSender(found.pid)
        socket.emit('data', found.bytes)
      }
    }
    const timer = setInterval(poll, POLL_MS)
    timer.unref()
    const stop = (): void => {
      if (!this.#isWatched) return
      this.#isWatched = false
      clearInterval(timer)
      socket.off('close', stop)
      if (socket.destroyed) return
      sender.stop()
      if (handle.reading === true) handle.readStart()
    }
    socket.once('close', stop)
    return { hadUnread, stop }
  }
}
