/** Which server a command talks to: one of this user as the kernel says, and for secrets of the operator the one that runs on their data. */
import type { dialOwnServer as DialOwnServer, ForeignServer as ForeignServerClass, Ports } from '@sallyport/client'
import { readSocketAddress } from '@sallyport/core/storage/socket-address'
import { peerIdentifier } from '../ipc/transport/peer-identity.ts'

/** The parts of the binding that this needs, which is loaded late. */
interface Binding {
  readonly dialOwnServer: typeof DialOwnServer
  readonly ForeignServer: typeof ForeignServerClass
}

/** As the binding connects, and where the system tells who listens, only to this very user. */
export function kernelCheckedDial({ dialOwnServer, ForeignServer }: Binding, uid = process.getuid?.()): Ports['dial'] {
  const identify = peerIdentifier()
  return async (path, signal) => {
    const socket = await dialOwnServer(path, signal)
    const peer = identify(socket)
    if (peer.uid === undefined || peer.uid === uid) return socket
    socket.destroy()
    throw new ForeignServer(`the server at ${path} runs as another user of the system`)
  }
}

/** One place, as options of the client. */
export interface ServerPlace {
  readonly runtimeDir: string
  readonly ipcPrefix: string
  readonly slot: number
}

const ADDRESS = /^(.*)[\\/]([^\\/]+)-(\d)$/s

/** Where the daemon on this data listens, as it wrote itself; undefined when none runs on it. */
export function placeOnData(dataDir: string): ServerPlace | undefined {
  const [, runtimeDir, ipcPrefix, slot] = ADDRESS.exec(readSocketAddress(dataDir) ?? '') ?? []
  if (runtimeDir === undefined || ipcPrefix === undefined) return undefined
  return { runtimeDir, ipcPrefix, slot: Number(slot) }
}
