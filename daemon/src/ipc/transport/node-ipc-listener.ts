/**
 * Local sockets and named pipes on node-ipc in raw-buffer mode. Only this file uses the package. It implements `Listener`, so node:net
 * could replace it. The daemon binds the socket itself because node-ipc supports neither a backlog nor inherited descriptors, and because
 * it unlinks a path without a check for a live server.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { IPCModule } from 'node-ipc'
import type { OpenSender } from '../../identity/sender.ts'
import { SocketChannel } from './socket-channel.ts'
import type { ChannelReceiver, Listener, PeerIdentity } from './transport.ts'

/** Pending connections before the kernel refuses more. */
const BACKLOG = 4096

export interface NodeIpcOptions {
  /** Path or pipe to bind, or a descriptor from a service manager. */
  readonly at: { readonly path: string } | { readonly fd: number; readonly address: string }
  /** Identifies the peer process. */
  readonly identify: (socket: Socket) => PeerIdentity
  /** Identifies the sender of received bytes; absent on systems without that feature. */
  readonly openSender?: OpenSender | undefined
  /** Wraps the bind call, so that the socket never exists with permissions that are too wide. */
  readonly aroundBind?: <T>(bind: () => T) => T
}

type BindTarget = { readonly path: string } | { readonly fd: number }

const bind = (server: Server, where: BindTarget, around: <T>(bind: () => T) => T): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    around(() =>
      server.listen({ ...where, backlog: BACKLOG }, () => {
        server.off('error', reject)
        // A failed accept (for example because no descriptors are left) must not end the other connections.
        server.on('error', () => {})
        resolve()
      }),
    )
  })

export function nodeIpcListener(options: NodeIpcOptions): Listener {
  const address = 'path' in options.at ? options.at.path : options.at.address
  return {
    address,
    async listen(onChannel) {
      const ipc = new IPCModule()
      Object.assign(ipc.config, { silent: true, rawBuffer: true, unlink: false, maxConnections: Number.POSITIVE_INFINITY })
      ipc.serve(address)
      const ipcServer = ipc.server
      const receivers = new WeakMap<Socket, ChannelReceiver>()

      ipcServer.on('connect', (socket) => {
        const receiver = onChannel(new SocketChannel(socket, options.identify(socket), options.openSender))
        receivers.set(socket, receiver)
        socket.on('drain', () => receiver.onDrain())
        socket.on('end', () => receiver.onEnd())
      })
      ipcServer.on('data', (data, socket) => receivers.get(socket)?.onBytes(data))
      ipcServer.on('close', (socket) => {
        receivers.get(socket)?.onClose()
        receivers.delete(socket)
      })
      // A vanished peer (ECONNRESET, EPIPE) is normal; 'close' follows and ends the connection.
      ipcServer.on('error', () => {})

      // Half-open: a peer that has ended its side still receives queued frames; then the connection closes our side.
      const server = createServer({ allowHalfOpen: true }, (socket) => ipcServer.addSocket(socket))
      ipcServer.server = server
      await bind(server, 'fd' in options.at ? { fd: options.at.fd } : { path: options.at.path }, options.aroundBind ?? ((now) => now()))
      return async () => {
        const closed = new Promise<void>((resolve) => server.once('close', () => resolve()))
        ipcServer.stop()
        await closed
      }
    },
  }
}
