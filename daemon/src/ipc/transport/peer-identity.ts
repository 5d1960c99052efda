/** Identifies the peer of a local connection via the operating system. */
import type { Socket } from 'node:net'
import { openSender, type OpenSender } from '../../identity/sender.ts'
import { openPeers } from '../../identity/systems.ts'
import { descriptorOf } from './socket-handle.ts'
import type { PeerIdentity } from './transport.ts'

const DIRECTORY: PeerIdentity = { trust: 'directory' }

/**
 * Creates the function that identifies the peer of a connection (a socket or its descriptor). Call that function in the connection event,
 * because a named pipe is identified as the newest one. Release the process when the connection ends. Throws on an unsupported system.
 */
export function peerIdentifier(platform: NodeJS.Platform = process.platform): (connection: Socket | number) => PeerIdentity {
  const { identify } = openPeers(platform)
  return (connection) => {
    const known = identify(typeof connection === 'number' ? connection : descriptorOf(connection))
    return known === undefined ? DIRECTORY : { trust: 'kernel', ...known }
  }
}

/** Undefined on systems that do not identify senders. */
export function senderOpener(platform: NodeJS.Platform = process.platform): OpenSender | undefined {
  if (platform !== 'linux') return undefined
  try {
    return openSender(process.getBuiltinModule('node:ffi'))
  } catch {
    return undefined // No node:ffi in this Node, or a C library without these functions.
  }
}
