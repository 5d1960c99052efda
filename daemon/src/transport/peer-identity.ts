/** Who is at the other end of a local connection, in the words of the system that runs here. */
import type { Socket } from 'node:net'
import { openLinux } from '../identity/linux.ts'
import { openMac } from '../identity/macos.ts'
import { openSender, type OpenSender } from '../identity/sender.ts'
import type { AskSystem, OpenSystem } from '../identity/system.ts'
import { descriptorOf } from './socket-handle.ts'
import type { PeerIdentity } from './transport.ts'

const DIRECTORY: PeerIdentity = { trust: 'directory' }

const SYSTEMS: Partial<Record<NodeJS.Platform, OpenSystem>> = { linux: openLinux, darwin: openMac }

/** Finds the functions on first use; a system without them answers undefined from then on. */
function openSystem(platform: NodeJS.Platform): AskSystem {
  const open = SYSTEMS[platform]
  try {
    if (open !== undefined) return open(process.getBuiltinModule('node:ffi'))
  } catch {
    // No node:ffi in this Node, or a C library without these functions.
  }
  return () => undefined
}

/**
 * Makes the function that names the peer of a connection (a socket, or its descriptor). Call it when the connection is accepted, and release
 * the process when the connection is over.
 */
export function peerIdentifier(platform: NodeJS.Platform = process.platform): (connection: Socket | number) => PeerIdentity {
  let ask: AskSystem | undefined
  return (connection) => {
    const fd = typeof connection === 'number' ? connection : descriptorOf(connection)
    if (fd < 0) return DIRECTORY
    ask ??= openSystem(platform)
    const known = ask(fd)
    return known === undefined ? DIRECTORY : { trust: 'kernel', ...known }
  }
}

/** Undefined where the system does not name senders. */
export function senderOpener(platform: NodeJS.Platform = process.platform): OpenSender | undefined {
  if (platform !== 'linux') return undefined
  try {
    return openSender(process.getBuiltinModule('node:ffi'))
  } catch {
    return undefined // As above.
  }
}
