/** Who is at the other end of a local connection, in the words of the system that runs here. */
import type { Socket } from 'node:net'
import { openSender, type OpenSender } from '../../identity/sender.ts'
import { openPeers } from '../../identity/systems.ts'
import { descriptorOf } from './socket-handle.ts'
import type { PeerIdentity } from './transport.ts'

const DIRECTORY: PeerIdentity = { trust: 'directory' }

/**
 * Makes the function that names the peer of a connection (a socket, or its descriptor). Call it within the event of the connection, since
 * a named pipe is found as the one that came last, and release the process when the connection is over. Throws where the bridge must not run.
 */
export function peerIdentifier(platform: NodeJS.Platform = process.platform): (connection: Socket | number) => PeerIdentity {
  const { ask } = openPeers(platform)
  return (connection) => {
    const known = ask(typeof connection === 'number' ? connection : descriptorOf(connection))
    return known === undefined ? DIRECTORY : { trust: 'kernel', ...known }
  }
}

/** Undefined where the system does not name senders. */
export function senderOpener(platform: NodeJS.Platform = process.platform): OpenSender | undefined {
  if (platform !== 'linux') return undefined
  try {
    return openSender(process.getBuiltinModule('node:ffi'))
  } catch {
    return undefined // No node:ffi in this Node, or a C library without these functions.
  }
}
