/**
 * Who is at the other end of a named pipe on Windows: the process that opened it, held by a handle, so that its number names no other one. The
 * system has no user numbers as others have: a process of this user has none here, and any other has the relative id of its user, so that it is refused.
 */
import type * as ffiModule from 'node:ffi'
import { openNewestPipe } from './newest-pipe.ts'
import type { LocalPeer, OpenSystem } from './system.ts'
import { watchedProcess } from './watched-process.ts'
import { lastPart, openWindowsProcesses, type WindowsProcess, type WindowsProcesses } from './windows-process.ts'

const PIPE_SERVER_END = 1
/** S-1-5-2: whoever comes over the network. Pipes can be opened from another machine; nobody there is served. */
const NETWORK = 2
const MOST_NAME_BYTES = 512

/** A pipe has no descriptor: it is asked for within the event of its connection, when it is the pipe that Node made last. */
export const openWindows: OpenSystem = (ffi) => {
  const newest = openNewestPipe(ffi, process.execPath)
  const clients = openPipeClients(ffi)
  const processes = openWindowsProcesses(ffi)
  return () => {
    const pipe = newest()
    if (pipe === undefined) return undefined
    if (clients.isFromNetwork(pipe)) return { uid: NETWORK }
    const pid = clients.clientOf(pipe)
    return pid === undefined ? undefined : peerOf(pid, processes)
  }
}

interface PipeClients {
  /** Process that opened the other end; undefined when this is not the server's end, or nobody has opened the other. */
  clientOf(pipe: bigint): number | undefined
  isFromNetwork(pipe: bigint): boolean
}

function openPipeClients(ffi: typeof ffiModule): PipeClients {
  const { lib, functions: k } = ffi.dlopen('kernel32.dll', {
    GetNamedPipeInfo: { arguments: ['pointer', 'buffer', 'pointer', 'pointer', 'pointer'], return: 'int32' },
    GetNamedPipeClientProcessId: { arguments: ['pointer', 'buffer'], return: 'int32' },
  })
  const computerName = optional(() =>
    lib.getFunction('GetNamedPipeClientComputerNameW', { arguments: ['pointer', 'buffer', 'uint32'], return: 'int32' }),
  )
  const cell = Buffer.alloc(4)
  const name = Buffer.alloc(MOST_NAME_BYTES)
  return {
    clientOf(pipe) {
      if (k.GetNamedPipeInfo(pipe, cell, null, null, null) === 0 || (cell.readUInt32LE(0) & PIPE_SERVER_END) === 0) return undefined
      return k.GetNamedPipeClientProcessId(pipe, cell) === 0 ? undefined : cell.readUInt32LE(0)
    },
    // It fails for a client of this machine.
    isFromNetwork: (pipe) => computerName !== undefined && computerName(pipe, name, name.length) !== 0,
  }
}

/** Wine has no such function, and no clients from the network. */
const optional = <T>(find: () => T): T | undefined => {
  try {
    return find()
  } catch {
    return undefined
  }
}

function peerOf(pid: number, processes: WindowsProcesses): LocalPeer {
  const held = processes.open(pid)
  // It has ended; or this user may not look at it, and then it may be anybody's.
  if (held === undefined) return { pid, kind: 'unknown' }
  const { user, isConfined } = held.token
  const isOurs = user !== undefined && processes.own.user?.equals(user) === true
  if (isOurs && isConfined !== undefined) return watchedProcess(pid, watchOf(held), () => factsOf(held, isConfined))
  held.close()
  return { pid, kind: 'unknown', ...(user === undefined || isOurs ? {} : { uid: lastPart(user) ?? NETWORK }) }
}

const watchOf = (held: WindowsProcess) => ({ isAlive: () => held.isAlive(), release: () => held.close() })

const factsOf = (held: WindowsProcess, isConfined: boolean) =>
  isConfined ? { ...held.program(), kind: 'container' as const, container: 'other' as const } : held.program()
