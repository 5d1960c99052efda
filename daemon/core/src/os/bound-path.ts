/** The path of a Unix socket, from the system. */

const AF_UNIX = 1
/** struct sockaddr_un { sa_family_t family; char path[108]; } */
const ADDRESS = { bytes: 110, path: 2 }
/** The first byte of a path in the file system. Addresses without a file begin with NUL. */
const SLASH = 0x2f
const NUL = 0

/**
 * Path at which a socket was bound; undefined if it has none. From the descriptor itself: in /proc/net/unix, a socket of another
 * user can have a path with line breaks, and so a row that looks like ours.
 */
export function boundPath(fd: number): string | undefined {
  try {
    const { getsockname } = process.getBuiltinModule('node:ffi').dlopen(null, {
      getsockname: { arguments: ['int32', 'buffer', 'buffer'], return: 'int32' },
    }).functions
    const address = Buffer.alloc(ADDRESS.bytes)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(address.length)
    if (getsockname(fd, address, length) !== 0 || address.readUInt16LE(0) !== AF_UNIX || address[ADDRESS.path] !== SLASH) return undefined
    const end = address.indexOf(NUL, ADDRESS.path)
    return address.toString('utf8', ADDRESS.path, end < 0 ? address.length : end)
  } catch {
    return undefined // No node:ffi in this Node, or a C library without this function.
  }
}
