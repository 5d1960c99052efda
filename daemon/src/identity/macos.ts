/** Who is at the other end of a local socket on macOS. It has not run on a Mac. */
import { fileAt } from './file-identity.ts'
import type { OpenSystem } from './system.ts'

const SOL_LOCAL = 0
const LOCAL_PEERPID = 2
const PATH_BYTES = 4096

export const openMac: OpenSystem = (ffi) => {
  const { getsockopt, getpeereid, proc_pidpath } = ffi.dlopen(null, {
    getsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' },
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
    const file = fileAt(executable)
    return { uid, pid, executable, ...(file === undefined ? {} : { file }) }
  }
}
