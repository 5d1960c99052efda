/** A socket or pipe as a link: of a listener or of a connection that we made. */
import type { Socket } from 'node:net'
import type { Link, PeerIdentity } from './transport.ts'

export class SocketLink implements Link {
  readonly peer: PeerIdentity
  readonly #socket: Socket

  constructor(socket: Socket, peer: PeerIdentity) {
    this.#socket = socket
    this.peer = peer
  }
  write(bytes: Buffer): boolean {
    return this.#socket.write(bytes)
  }
  get pendingBytes(): number {
    return this.#socket.writableLength
  }
  pause(): void {
    this.#socket.pause()
  }
  resume(): void {
    this.#socket.resume()
  }
  end(): void {
    this.#socket.end()
  }
  destroy(): void {
    this.#socket.destroy()
  }
}
