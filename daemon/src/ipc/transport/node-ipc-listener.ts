/**
 * Local sockets and named pipes, carried by node-ipc in raw-buffer mode. The only file that sees the package, written against
 * `Listener`, so that it can be replaced by bare node:net. Binding is ours: node-ipc's own has no backlog, no inherited
 * descriptors, and would unlink a path without asking whether somebody lives there.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { IPCModule } from 'node-ipc'
import type { OpenSender } from '../../identity/sender.ts'
import { SocketLink } from './socket-link.ts'
import type { ChannelReceiver, Listener, PeerIdentity } from './transport.ts'

/** Connections that may wait to be accepted; a burst beyond it is refused by the kernel. */
const BACKLOG = 4096

export interface NodeIpcOptions {
  /** Path or pipe to bind, or a descriptor that a service manager opened. */
  readonly at: { readonly path: string } | { readonly fd: number; readonly address: string }
  /** Names the process at the other end. */
  readonly identify: (socket: Socket) => PeerIdentity
  /** Names the sender of what a socket receives; absent where the system does not. */
  readonly openSender?: OpenSender | undefined
  /** Runs around the bind, so that the socket never exists with wider permissions than it should. */
  readonly aroundBind?: <T>(bind: () => T) => T
}

type Place = { readonly path: string } | { readonly fd: number }

const bound = (server: Server, where: Place, around: <T>(bind: () => T) => T): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    around(() =>
      server.listen({ ...where, backlog: BACKLOG }, () => {
        server.off('error', reject)
        // Not being able to accept one connection, for want of descriptors say, must not end the others.
        server.on('error', () => {})
        resolve()
      }),
    )
  })

export function nodeIpcListener(options: NodeIpcOptions): Listener {
  const address = 'path' in options.at ? options.at.path : options.at.address
  return {
    address,
    async listen(onLink) {
      const ipc = new IPCModule()
      Object.assign(ipc.config, { silent: true, rawBuffer: true, unlink: false, maxConnections: Number.POSITIVE_INFINITY })
      ipc.serve(address)
      const carrier = ipc.server
      const receivers = new WeakMap<Socket, ChannelReceiver>()

      carrier.on('connect', (socket) => {
        const receiver = onLink(new SocketLink(socket, options.identify(socket), options.openSender))
        receivers.set(socket, receiver)
        socket.on('drain', () => receiver.onDrain())
        socket.on('end', () => receiver.onEnd())
      })
      carrier.on('data', (data, socket) => receivers.get(socket)?.onBytes(data))
      carrier.on('close', (socket) => {
        receivers.get(socket)?.onClose()
        receivers.delete(socket)
      })
      // A peer that vanishes (ECONNRESET, EPIPE) is ordinary; 'close' follows and tells the session.
      carrier.on('error', () => {})

      // Half-open: whoever stops sending still gets what waits for them, and then our end is closed by the session.
      const server = createServer({ allowHalfOpen: true }, (socket) => carrier.addSocket(socket))
      carrier.server = server
      await bound(server, 'fd' in options.at ? { fd: options.at.fd } : { path: options.at.path }, options.aroundBind ?? ((bind) => bind()))
      return async () => {
        const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
        carrier.stop()
        await closed
      }
    },
  }
}
