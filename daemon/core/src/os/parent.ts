/**
 * Checks that the process at the other end of an inherited channel is the parent, of this user, and runs the same executable. On Linux, a
 * hardened parent (harden.ts), such as the daemon, hides its executable from unprivileged processes; then only the first two are checked.
 */
import type * as ffiModule from 'node:ffi'
import { type BigIntStats, statSync } from 'node:fs'

type Ffi = typeof ffiModule

interface Peer {
  readonly pid: number
  readonly uid: number
}

const GETSOCKOPT = { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' } as const
const PATH_BYTES = 4096

const lengthOf = (buffer: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(buffer.length)
  return length
}

interface System {
  /** The process that created the channel; undefined if the system does not report it. */
  peer(ffi: Ffi, fd: number): Peer | undefined
  /** The path of the executable of a process. */
  program(ffi: Ffi, pid: number): string | undefined
}

const SYSTEMS: Partial<Record<NodeJS.Platform, System>> = {
  linux: {
    peer(ffi, fd) {
      const [SOL_SOCKET, SO_PEERCRED] = [1, 17]
      // struct ucred { pid_t pid; uid_t uid; gid_t gid; }
      const credentials = Buffer.alloc(12)
      const { getsockopt } = ffi.dlopen(null, { getsockopt: GETSOCKOPT }).functions
      if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, lengthOf(credentials)) !== 0) return undefined
      return { pid: credentials.readInt32LE(0), uid: credentials.readUInt32LE(4) }
    },
    program: (_ffi, pid) => `/proc/${pid}/exe`,
  },
  darwin: {
    peer(ffi, fd) {
      const [SOL_LOCAL, LOCAL_PEERPID] = [0, 2]
      const { getsockopt, getpeereid } = ffi.dlopen(null, {
        getsockopt: GETSOCKOPT,
        getpeereid: { arguments: ['int32', 'buffer', 'buffer'], return: 'int32' },
      }).functions
      const [pid, uid, gid] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4)]
      if (getpeereid(fd, uid, gid) !== 0 || getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, pid, lengthOf(pid)) !== 0) return undefined
      return { pid: pid.readInt32LE(0), uid: uid.readUInt32LE(0) }
    },
    program(ffi, pid) {
      const { proc_pidpath } = ffi.dlopen(null, {
        proc_pidpath: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
      }).functions
      const path = Buffer.alloc(PATH_BYTES)
      const bytes = proc_pidpath(pid, path, PATH_BYTES)
      return bytes > 0 ? path.toString('utf8', 0, bytes) : undefined
    },
  },
}

const isSameFile = (one: BigIntStats, other: BigIntStats): boolean => one.dev === other.dev && one.ino === other.ino

const isHidden = (failure: unknown): boolean => failure instanceof Error && 'code' in failure && failure.code === 'EACCES'

/** Why the channel at `fd` is not from the own program, as the end of a sentence; undefined if it may be. */
export function channelOriginProblem(fd: number): string | undefined {
  const system = SYSTEMS[process.platform]
  // Windows reports neither, so the channel is the only check.
  if (system === undefined) return undefined
  try {
    const ffi = process.getBuiltinModule('node:ffi')
    const peer = system.peer(ffi, fd)
    if (peer?.pid !== process.ppid || peer.uid !== process.getuid?.()) return 'was not created by the parent process'
    return runsOwnExecutable(system.program(ffi, peer.pid)) ? undefined : 'comes from another program'
  } catch {
    return 'cannot be examined on this system'
  }
}

function runsOwnExecutable(program: string | undefined): boolean {
  if (program === undefined) return false
  try {
    return isSameFile(statSync(program, { bigint: true }), statSync(process.execPath, { bigint: true }))
  } catch (failure) {
    return isHidden(failure)
  }
}
