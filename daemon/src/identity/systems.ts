/** The systems that name the program at the other end of a connection, and what follows where this one cannot. */
import type * as ffiModule from 'node:ffi'
import { BridgeError } from '@sallyport/core/errors'
import { openLinux } from './linux.ts'
import { openMac } from './macos.ts'
import type { AskSystem, OpenSystem } from './system.ts'
import { openWindows } from './windows.ts'

export type Systems = Partial<Record<NodeJS.Platform, OpenSystem>>

const SYSTEMS: Systems = { linux: openLinux, darwin: openMac, win32: openWindows }

/**
 * Where the bridge does not start without it: other users, and programs in containers, may be able to open the socket there, and nothing else
 * tells them apart. The pipe of Windows is opened by programs of this user alone.
 */
const NEEDED: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'darwin'])

export interface Peers {
  /** Answers undefined where nothing is known. */
  readonly ask: AskSystem
  /** Why nothing is known, as sentences for the status; absent where the system names its peers. */
  readonly unknown?: string
}

const NO_FFI =
  'This Node cannot ask the system which program calls: node:ffi is absent or switched off. Use the Node that comes with the bridge, and remove --no-experimental-ffi from its options and from NODE_OPTIONS.'
const NO_FUNCTION = 'The libraries of this system do not name the program that calls, so the bridge does not start. What is missing:'
const UNKNOWN =
  'This system does not say which program calls. No program may name files by their path or register a launch command; hand the bytes over in data.'

/** `undefined` in a Node that has none. */
const builtinFfi = (): typeof ffiModule | undefined => process.getBuiltinModule('node:ffi')

/** Finds the functions of the system, once. Throws SERVICE_UNAVAILABLE where the bridge must not run without them. */
export function openPeers(platform: NodeJS.Platform, systems: Systems = SYSTEMS, loadFfi = builtinFfi): Peers {
  try {
    const open = systems[platform]
    const ffi = open === undefined ? undefined : loadFfi()
    if (open !== undefined && ffi !== undefined) return { ask: open(ffi) }
    if (NEEDED.has(platform)) throw new BridgeError('SERVICE_UNAVAILABLE', NO_FFI)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    const missing = failure instanceof Error ? failure.message : String(failure)
    if (NEEDED.has(platform)) throw new BridgeError('SERVICE_UNAVAILABLE', `${NO_FUNCTION} ${missing}`, {}, { cause: failure })
  }
  return { ask: () => undefined, unknown: UNKNOWN }
}
