/**
 * Asks the kernel who is at the other end of a local socket, through `node:ffi`: Node itself has no call for it.
 * Where the answer cannot be had, all that is proved is that the peer could open a socket in a private directory.
 */
import type * as ffiModule from 'node:ffi'
import type { Socket } from 'node:net'
import { fileAt, programOf } from './program-file.ts'
import type { PeerIdentity } from './transport.ts'

/** Reads the identity of the peer of a connected descriptor; undefined when the system does not tell. */
type AskKernel = (fd: number) => Omit<PeerIdentity, 'trust'> | undefined

type Ffi = typeof ffiModule

const DIRECTORY: PeerIdentity = { trust: 'directory' }

// `null` opens the running program itself, whose C library is already there: no library name to guess (glibc, musl, macOS).
const SELF = null
const GETSOCKOPT = { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' } as const

/** struct ucred { pid_t pid; uid_t uid; gid_t gid; } */
function linuxKernel(ffi: Ffi): AskKernel {
  const SOL_SOCKET = 1
  const SO_PEERCRED = 17
  const { getsockopt } = ffi.dlopen(SELF, { getsockopt: GETSOCKOPT }).functions
  // Written by the kernel at every call and read before the next one.
  const credentials = Buffer.alloc(12)
  const length = Buffer.alloc(4)
  return (fd) => {
    length.writeUInt32LE(credentials.length)
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, length) !== 0) return undefined
    const pid = credentials.readInt32LE(0)
    const uid = credentials.readUInt32LE(4)
    // The pid is 0 when the peer lives in a pid namespace that cannot be seen from here.
    return pid > 0 ? { uid, pid, ...programOf(pid) } : { uid }
  }
}

function macKernel(ffi: Ffi): AskKernel {
  const SOL_LOCAL = 0
  const LOCAL_PEERPID = 2
  const PATH_BYTES = 4096
  const { getsockopt, getpeereid, proc_pidpath } = ffi.dlopen(SELF, {
    getsockopt: GETSOCKOPT,
    getpeereid: { arguments: ['int32', 'buffer', 'buffer'], return: 'int32' },
    proc_pidpath: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
  }).functions
  const pidCell = Buffer.alloc(4)
  const uidCell = Buffer.alloc(4)
  const gidCell = Buffer.alloc(4)
  const length = Buffer.alloc(4)
  const path = Buffer.alloc(PATH_BYTES)
  return (fd) => {
    if (getpeereid(fd, uidCell, gidCell) !== 0) return undefined
    const uid = uidCell.readUInt32LE(0)
    length.writeUInt32LE(pidCell.length)
    if (getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, pidCell, length) !== 0) return { uid }
    const pid = pidCell.readInt32LE(0)
    const pathBytes = proc_pidpath(pid, path, PATH_BYTES)
    if (pathBytes <= 0) return { uid, pid }
    const executable = path.toString('utf8', 0, pathBytes)
    return { uid, pid, executable, ...fileAt(executable) }
  }
}

const KERNELS: Partial<Record<NodeJS.Platform, (ffi: Ffi) => AskKernel>> = { linux: linuxKernel, darwin: macKernel }

/** Finds the functions on first use; a system without them answers undefined from then on. */
function openKernel(platform: NodeJS.Platform): AskKernel {
  const open = KERNELS[platform]
  try {
    if (open !== undefined) return open(process.getBuiltinModule('node:ffi'))
  } catch {
    // No node:ffi in this Node, or a C library without these functions.
  }
  return () => undefined
}

/** Node keeps the descriptor of a socket on its handle and offers no public way to it; named pipes have none (-1). */
const descriptorOf = (socket: Socket): number => (socket as Socket & { _handle?: { fd?: number } | null })._handle?.fd ?? -1

/**
 * Makes the function that names the peer of a connection (a socket, or its descriptor). Call it when the connection is accepted:
 * the program is read by pid, and a pid can be used again once its process is gone.
 */
export function peerIdentifier(platform: NodeJS.Platform = process.platform): (connection: Socket | number) => PeerIdentity {
  let ask: AskKernel | undefined
  return (connection) => {
    const fd = typeof connection === 'number' ? connection : descriptorOf(connection)
    if (fd < 0) return DIRECTORY
    ask ??= openKernel(platform)
    const known = ask(fd)
    return known === undefined ? DIRECTORY : { trust: 'kernel', ...known }
  }
}
