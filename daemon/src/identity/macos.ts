/**
 * Who is at the other end of a local socket on macOS: the user from the socket, the process by its audit token, which names one run of one
 * program. Written from the headers and the source of the system (sys/un.h, sys/proc_info.h, uipc_usrreq.c); it has not run on a Mac.
 */
import type * as ffiModule from 'node:ffi'
import { openMacProcesses } from './macos-process.ts'
import type { AskSystem, OpenSystem } from './system.ts'
import { type Watch, watchedProcess } from './watched-process.ts'

const SOL_LOCAL = 0
/** UUID of the program that the process ran when it first used the socket. */
const LOCAL_PEERUUID = 4
/** Audit token of the process that used the other end last; none once that process has ended. */
const LOCAL_PEERTOKEN = 6

const UUID_BYTES = 16
/** audit_token_t: eight numbers of 32 bits, of which the last counts the runs of programs under this PID. */
const TOKEN_BYTES = 32
const TOKEN = { euid: 4, pid: 20 }

export const openMac: OpenSystem = (ffi) => {
  const options = openPeerOptions(ffi)
  const processes = openMacProcesses(ffi)
  const ask: AskSystem = (fd) => {
    const uid = options.userOf(fd)
    if (uid === undefined) return undefined
    const token = options.tokenOf(fd)
    // The connection was handed to a process of somebody else, or its process has ended.
    if (token === undefined || token.readUInt32LE(TOKEN.euid) !== uid) return { uid }
    const pid = token.readInt32LE(TOKEN.pid)
    const watch: Watch = {
      /**
       * The same run of the same process used the connection last, and it is the program that used it first: the UUID stays when a process
       * becomes another program. Asked by descriptor, so nothing may be asked after the connection is over; `release` sees to that.
       */
      isAlive() {
        const uuid = options.uuidOf(fd)
        return options.tokenOf(fd)?.equals(token) === true && uuid !== undefined && processes.uuidOf(pid)?.equals(uuid) === true
      },
      release() {},
    }
    return { uid, ...watchedProcess(pid, watch, () => processes.programOf(pid, token)) }
  }
  return ask
}

interface PeerOptions {
  userOf(fd: number): number | undefined
  tokenOf(fd: number): Buffer | undefined
  uuidOf(fd: number): Buffer | undefined
}

function openPeerOptions(ffi: typeof ffiModule): PeerOptions {
  // `null` opens the running program itself, whose C library is already there.
  const { functions: c } = ffi.dlopen(null, {
    getsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' },
    getpeereid: { arguments: ['int32', 'buffer', 'buffer'], return: 'int32' },
  })
  const length = Buffer.alloc(4)
  const uid = Buffer.alloc(4)
  const gid = Buffer.alloc(4)
  const option = (fd: number, name: number, bytes: number): Buffer | undefined => {
    const value = Buffer.alloc(bytes)
    length.writeUInt32LE(bytes)
    const isRead = c.getsockopt(fd, SOL_LOCAL, name, value, length) === 0 && length.readUInt32LE(0) === bytes
    return isRead ? value : undefined
  }
  return {
    userOf: (fd) => (c.getpeereid(fd, uid, gid) === 0 ? uid.readUInt32LE(0) : undefined),
    tokenOf: (fd) => option(fd, LOCAL_PEERTOKEN, TOKEN_BYTES),
    uuidOf: (fd) => option(fd, LOCAL_PEERUUID, UUID_BYTES),
  }
}
