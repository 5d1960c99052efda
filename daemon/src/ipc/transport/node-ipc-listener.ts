/**
 * Local sockets and named pipes on node-ipc in raw-buffer mode. Only this file uses the package. It implements `Listener`, so node:net
 * could replace it. The daemon binds the socket itself (`local.ts`): before this package is loaded, and because node-ipc supports
 * neither a backlog nor inherited descriptors, and unlinks a path without a check for a live server.
 */
import type { Socket } from 'node:net'
import type { HeldServer } from '@sallyport/core/net/held-server'
import { once } from '@sallyport/core/once'
import { IPCModule } from 'node-ipc'
import type { OpenSender } from '../../identity/sender.ts'
import { SocketChannel } from './socket-channel.ts'
import { ReadBuffer } from './socket-handle.ts'
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

interface OpenSocket {
  readonly channel: SocketChannel
  readonly receiver: ChannelReceiver
}

export function nodeIpcListener({ address, held, openSender }: NodeIpcOptions): Listener {
  return {
    address,
    async listen(onChannel) {
      const ipc = openIpc()
      ipc.serve(address)
      const ipcServer = ipc.server
      const reads = new ReadBuffer()
      const open = new Map<Socket, OpenSocket>()
      // One of each for all sockets: a thousand connections would have as many of each closure.
      function onDrain(this: Socket): void {
        open.get(this)?.receiver.onDrain()
      }
      function onEnd(this: Socket): void {
        open.get(this)?.receiver.onEnd()
      }
      /** The peer of the socket that is being added, which `connect` is emitted for meanwhile. */
      let added: PeerIdentity | undefined

      ipcServer.on('connect', (socket) => {
        if (added === undefined) return void socket.destroy()
        const channel = new SocketChannel(socket, added, openSender)
        open.set(socket, { channel, receiver: onChannel(channel) })
        socket.on('drain', onDrain)
        socket.on('end', onEnd)
        reads.take(socket)
      })
      ipcServer.on('data', (data, socket) => open.get(socket)?.receiver.onBytes(data))
      ipcServer.on('close', (socket) => {
        const closed = open.get(socket)
        open.delete(socket)
        closed?.receiver.onClose()
        closed?.channel.release()
      })
      // A vanished peer (ECONNRESET, EPIPE) is normal; 'close' follows and ends the connection.
      ipcServer.on('error', () => {})

      held.serve((socket, peer) => {
        added = peer
        ipcServer.addSocket(socket)
        added = undefined
      })
      return async () => {
        // It has no server of its own, so this closes its sockets only.
        ipcServer.stop()
        await held.close()
      }
    },
  }
}
