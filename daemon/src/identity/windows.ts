/**
 * Identifies the peer of a named pipe on Windows: the process that opened it, with a handle so that its PID is not reused. Windows has no
 * numeric user ids: a process of this user has none here. Any other has the relative id of its user, so it is refused.
 */
import type * as ffiModule from 'node:ffi'
import { openNewestPipe } from './newest-pipe.ts'
import type { LocalPeer, OpenSystem } from './system.ts'
import { createProcessHandle } from './create-process-handle.ts'
import { lastPart, openWindowsProcesses, type WindowsProcess, type WindowsProcesses } from './windows-process.ts'

const PIPE_SERVER_END = 1
/** S-1-5-2: network logon. Other machines can open pipes, but are refused. */
const NETWORK = 2
const MOST_NAME_BYTES = 512

/** A pipe has no descriptor, so it is looked up during its connection event, when it is the newest pipe. */
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
  /** Process that opened the other end; undefined when this is not the server's end, or no client is connected. */
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
    // It fails for local clients.
    isFromNetwork: (pipe) => computerName !== undefined && computerName(pipe, name, name.length) !== 0,
  }
}

/** Wine lacks this function and has no network clients. */
const optional = <T>(find: () => T): T | undefined => {
  try {
    return find()
  } catch {
    return undefined
  }
}

function peerOf(pid: number, processes: WindowsProcesses): LocalPeer {
  const held = processes.open(pid)
  // It has exited, or access is denied because it may belong to another user.
  if (held === undefined) return { pid, kind: 'unknown' }
  const { user, isConfined } = held.token
  const isOurs = user !== undefined && processes.own.user?.equals(user) === true
  if (isOurs && isConfined !== undefined) return createProcessHandle(pid, watchOf(held), { of: () => factsOf(held, isConfined) })
  held.close()
  return { pid, kind: 'unknown', ...(user === undefined || isOurs ? {} : { uid: lastPart(user) ?? NETWORK }) }
}

const watchOf = (held: WindowsProcess) => ({ isAlive: () => held.isAlive(), release: () => held.close() })

const factsOf = (held: WindowsProcess, isConfined: boolean) =>
  isConfined ? { ...held.program(), kind: 'container' as const, container: 'sandbox' as const } : held.program()
