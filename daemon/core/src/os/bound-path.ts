/** What a descriptor is, from the system: whether it is a socket that a daemon may listen on, and the path of that socket. */

const AF_UNIX = 1
/** struct sockaddr_un { sa_family_t family; char path[108]; } */
const ADDRESS = { bytes: 110, path: 2 }
/** The first byte of a path in the file system. Addresses without a file begin with NUL. */
const SLASH = 0x2f
const NUL = 0

const SOL_SOCKET = 1
const SO_TYPE = 3
const SO_ACCEPTCONN = 30
const SOCK_STREAM = 1

interface BoundSocket {
  /** Undefined if it is no socket. */
  readonly family: number | undefined
  /** Where it lies in the file system. */
  readonly path: string | undefined
  /** An option of SOL_SOCKET. */
  readonly option: (name: number) => number | undefined
}

/** Throws when this Node or the C library lacks the calls. */
function inspect(fd: number): BoundSocket {
  const { getsockname, getsockopt } = process.getBuiltinModule('node:ffi').dlopen(null, {
    getsockname: { arguments: ['int32', 'buffer', 'buffer'], return: 'int32' },
    getsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' },
  }).functions
  const address = Buffer.alloc(ADDRESS.bytes)
  const length = Buffer.alloc(4)
  const option = (name: number): number | undefined => {
    const value = Buffer.alloc(4)
    length.writeUInt32LE(value.length)
    return getsockopt(fd, SOL_SOCKET, name, value, length) === 0 ? value.readUInt32LE() : undefined
  }
  length.writeUInt32LE(address.length)
  if (getsockname(fd, address, length) !== 0) return { family: undefined, path: undefined, option }
  const family = address.readUInt16LE(0)
  if (family !== AF_UNIX || address[ADDRESS.path] !== SLASH) return { family, path: undefined, option }
  const end = address.indexOf(NUL, ADDRESS.path)
  return { family, path: address.toString('utf8', ADDRESS.path, end < 0 ? address.length : end), option }
}

/**
 * Path at which a socket was bound; undefined if it has none. From the descriptor itself: in /proc/net/unix, a socket of another
 * user can have a path with line breaks, and so a row that looks like ours.
 */
export function boundPath(fd: number): string | undefined {
  try {
    return inspect(fd).path
  } catch {
    return undefined // No node:ffi in this Node, or a C library without this function.
  }
}

/** Why a daemon must not listen on a descriptor of Linux, the first that holds. Only a path in the file system has an owner and a mode. */
const FAULTS: readonly (readonly [holds: (socket: BoundSocket) => boolean, what: string])[] = [
  [({ family }) => family === undefined, 'is no socket; let the unit have ListenStream only'],
  [({ family }) => family !== AF_UNIX, 'is a socket of a network, which every user could reach; set ListenStream to a path'],
  [({ option }) => option(SO_TYPE) !== SOCK_STREAM, 'is no stream socket; set ListenStream, not ListenDatagram or ListenSequentialPacket'],
  [({ option }) => option(SO_ACCEPTCONN) !== 1, 'does not listen; set Accept=no'],
  [({ path }) => path === undefined, 'has no path in the file system, so every user could reach it; set ListenStream to a path'],
]

/** What is wrong with a descriptor as a socket for games; undefined if nothing is, or nothing can be known. */
export function listenerFault(fd: number): string | undefined {
  try {
    const socket = inspect(fd)
    return FAULTS.find(([holds]) => holds(socket))?.[1]
  } catch {
    return undefined // As above.
  }
}
