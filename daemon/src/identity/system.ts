/** The interface that identifies the peer of a local connection, with one implementation per operating system. */
import type * as ffiModule from 'node:ffi'
import type { ProcessHandle } from './process-handle.ts'
import type { ProgramFacts } from './program.ts'

export interface LocalPeer extends ProgramFacts {
  readonly pid?: number
  /** Handle of the process; absent when it has exited or has no handle. */
  readonly process?: ProcessHandle
}

/** Called once per accepted connection. `fd`: its descriptor, -1 for a named pipe. Undefined when the system cannot identify the peer. */
export type IdentifyPeer = (fd: number) => LocalPeer | undefined

/** Loads the system's functions. Throws when they are missing. */
export type OpenSystem = (ffi: typeof ffiModule) => IdentifyPeer
