/**
 * Local sockets and named pipes on node-ipc in raw-buffer mode. Only this file uses the package. It implements `Listener`, so node:net
 * could replace it. The daemon binds the socket itself (`held-sockets.ts`): before this package is loaded, and because node-ipc supports
 * neither a backlog nor inherited descriptors, and unlinks a path without a check for a live server.
 */
import type { Socket } from 'node:net'
import type { HeldServer } from '@sallyport/core/net/held-server'
import { once } from '@sallyport/core/once'
import { IPCModule } from 'node-ipc'
import type { OpenSender } from '../../identity/sender.ts'
import { SocketChannel } from './socket-channel.ts'
import { readBuffer, readInto } from './socket-handle.ts'
import type { ChannelReceiver, Listener, PeerIdentity } from './transport.ts'

interface NodeIpcOptions {
  /** For display. */
  readonly address: string
  readonly held: Pick<HeldServer<PeerIdentity>, 'serve' | 'close'>
  /** Identifies the sender of received bytes; absent on systems without that feature. */
  readonly openSender?: OpenSender | undefined
}

/** One for all sockets: each asks the system for its users and its network. The server of each socket is its own. */
const openIpc = once(() => {
  const ipc = new IPCModule()
  Object.assign(ipc.config, { silent: true, rawBuffer: true, unlink: false, maxConnections: Number.POSITIVE_INFINITY })
  return ipc
})

export function nodeIpcListener({ address, held, openSender }: NodeIpcOptions): Listener {
  return {
    address,
    async listen(onChannel) {
      const ipc = openIpc()
      ipc.serve(address)
      const ipcServer = ipc.server
      const buffer = readBuffer()
      const peers = new WeakMap<Socket, PeerIdentity>()
      const receivers = new WeakMap<Socket, ChannelReceiver>()

      ipcServer.on('connect', (socket) => {
        const peer = peers.get(socket)
        if (peer === undefined) return void socket.destroy()
        const receiver = onChannel(new SocketChannel(socket, peer, openSender))
        receivers.set(socket, receiver)
        socket.on('drain', () => receiver.onDrain())
        socket.on('end', () => receiver.onEnd())
        readInto(buffer, socket)
      })
      ipcServer.on('data', (data, socket) => receivers.get(socket)?.onBytes(data))
      ipcServer.on('close', (socket) => {
        receivers.get(socket)?.onClose()
        receivers.delete(socket)
      })
      // A vanished peer (ECONNRESET, EPIPE) is normal; 'close' follows and ends the connection.
      ipcServer.on('error', () => {})

      held.serve((socket, peer) => {
        peers.set(socket, peer)
        ipcServer.addSocket(socket)
      })
      return async () => {
        // It has no server of its own, so this closes its sockets only.
        ipcServer.stop()
        await held.close()
      }
    },
  }
}
