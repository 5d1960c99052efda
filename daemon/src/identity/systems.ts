/** Selects the implementation for this operating system, or the behaviour without one. */
import type * as ffiModule from 'node:ffi'
import { BridgeError } from '@sallyport/core/errors'
import { openLinux } from './linux.ts'
import { openMac } from './macos.ts'
import type { IdentifyPeer, OpenSystem } from './system.ts'
import { openWindows } from './windows.ts'

type Systems = Partial<Record<NodeJS.Platform, OpenSystem>>

const SYSTEMS: Systems = { linux: openLinux, darwin: openMac, win32: openWindows }

/**
 * Systems on which the bridge does not start without peer identification, because other users and containers may be able to open the socket.
 * On Windows only programs of this user can open the pipe.
 */
const NEEDED: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'darwin'])

export interface Peers {
  /** Returns undefined when the peer is not identified. */
  readonly identify: IdentifyPeer
  /** Why peers are not identified, as text for the status; absent otherwise. */
  readonly unknown?: string
}

const NO_FFI =
  'This Node cannot identify connected programs, because node:ffi is missing or disabled. Use the Node that comes with the bridge, and remove --no-experimental-ffi from its options and from NODE_OPTIONS.'
const NO_FUNCTION = 'The libraries of this system cannot identify connected programs, so the bridge does not start. Missing:'
const UNKNOWN =
  'This system does not identify connected programs. Programs cannot pass file paths or register a launch command; pass the bytes in data.'

/** Undefined when this Node has none. */
const builtinFfi = (): typeof ffiModule | undefined => process.getBuiltinModule('node:ffi')

/** Loads the system's functions. Throws SERVICE_UNAVAILABLE where the bridge must not run without them. */
export function openPeers(platform: NodeJS.Platform, systems: Systems = SYSTEMS, loadFfi = builtinFfi): Peers {
  try {
    const open = systems[platform]
    const ffi = open === undefined ? undefined : loadFfi()
    if (open !== undefined && ffi !== undefined) return { identify: open(ffi) }
    if (NEEDED.has(platform)) throw new BridgeError('SERVICE_UNAVAILABLE', NO_FFI)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    const missing = failure instanceof Error ? failure.message : String(failure)
    if (NEEDED.has(platform)) throw new BridgeError('SERVICE_UNAVAILABLE', `${NO_FUNCTION} ${missing}`, {}, { cause: failure })
  }
  return { identify: () => undefined, unknown: UNKNOWN }
}
