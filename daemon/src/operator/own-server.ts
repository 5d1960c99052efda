/** Selects the server for a call of the operator: one of this user, verified by the kernel; for secrets, the one that uses the data folder. */
import type { connectOwnServer as ConnectOwnServer, Environment, ForeignServerError as ForeignServerErrorClass } from '@sallyport/client'
import { readSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { peerIdentifier } from '../ipc/transport/peer-identity.ts'

/** The required parts of the binding, which is loaded lazily. */
interface Binding {
  readonly connectOwnServer: typeof ConnectOwnServer
  readonly ForeignServerError: typeof ForeignServerErrorClass
}

/** `connectOwnServer`, which also verifies the user of the peer if the system reports it. */
export function verifiedConnect({ connectOwnServer, ForeignServerError }: Binding, uid = process.getuid?.()): Environment['connect'] {
  const identify = peerIdentifier()
  return async (path, signal) => {
    const socket = await connectOwnServer(path, signal)
    const peer = identify(socket)
    peer.process?.release()
    if (peer.uid === undefined || peer.uid === uid) return socket
    socket.destroy()
    throw new ForeignServerError(`the server at ${path} runs as another user of the system`)
  }
}

/** The location of a server, as options of the client. */
export interface ServerLocation {
  readonly runtimeDir: string
  readonly ipcPrefix: string
  readonly slot: number
}

const ADDRESS = /^(.*)[\\/]([^\\/]+)-(\d)$/s

/** The location of the server at an address; undefined for any other text. */
export function locationAt(address: string): ServerLocation | undefined {
  const [, runtimeDir, ipcPrefix, slot] = ADDRESS.exec(address) ?? []
  if (runtimeDir === undefined || ipcPrefix === undefined) return undefined
  return { runtimeDir, ipcPrefix, slot: Number(slot) }
}

/** The location of the daemon that uses this data folder, from its address file; undefined if none is running. */
export const locationOnData = (dataDir: string): ServerLocation | undefined => locationAt(readSocketAddress(dataDir) ?? '')
