/** What a system says of the process at the other end of a local connection: the port, with one implementation for each system. */
import type * as ffiModule from 'node:ffi'
import type { HeldProcess } from './held-process.ts'
import type { ProgramFacts } from './program.ts'

export interface LocalPeer extends ProgramFacts {
  readonly pid?: number
  /** The process itself; absent where it has ended, or cannot be held. */
  readonly process?: HeldProcess
}

/** Asked once, when a connection is accepted. `fd`: its descriptor, -1 where it has none (a named pipe). Undefined: the system does not say. */
export type AskSystem = (fd: number) => LocalPeer | undefined

/** Finds the functions of the system. Throws where they are missing. */
export type OpenSystem = (ffi: typeof ffiModule) => AskSystem
