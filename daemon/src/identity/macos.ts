/**
 * Identifies the peer of a local socket on macOS: the user from the socket, the process by its audit token, which identifies one run of one
 * program. Based on the system's headers and source (sys/un.h, sys/proc_info.h, uipc_usrreq.c); not tested on a Mac.
 */
import type * as ffiModule from 'node:ffi'
import { openMacProcesses } from './macos-process.ts'
import type { IdentifyPeer, OpenSystem } from './system.ts'
import { type ProcessWatch, createProcessHandle } from './create-process-handle.ts'

const SOL_LOCAL = 0
/** UUID of the program that the process ran when it first used the socket. */
const LOCAL_PEERUUID = 4
/** Audit token of the process that last used the other end; none once it has exited. */
const LOCAL_PEERTOKEN = 6

const UUID_BYTES = 16
/** audit_token_t: eight numbers of 32 bits, of which the last counts the runs of programs under this PID. */
const TOKEN_BYTES = 32
const TOKEN = { euid: 4, pid: 20 }

export const openMac: OpenSystem = (ffi) => {
  const options = openPeerOptions(ffi)
  const processes = openMacProcesses(ffi)
  const identify: IdentifyPeer = (fd) => {
    const uid = options.userOf(fd)
    if (uid === undefined) return undefined
    const token = options.tokenOf(fd)
    // The connection was passed to a process of another user, or its process has exited.
    if (token === undefined || token.readUInt32LE(TOKEN.euid) !== uid) return { uid }
    const pid = token.readInt32LE(TOKEN.pid)
    const watch: ProcessWatch = {
      /**
       * The same run of the same process used the connection last, and its program is the one that used it first: the socket keeps the first
       * UUID across exec. It reads the descriptor, so it must not run after the connection closed; `createProcessHandle` ensures that.
       */
      isAlive() {
        const uuid = options.uuidOf(fd)
        return options.tokenOf(fd)?.equals(token) === true && uuid !== undefined && processes.uuidOf(pid)?.equals(uuid) === true
      },
      release() {},
    }
    return { uid, ...createProcessHandle(pid, watch, { of: () => processes.programOf(pid, token) }) }
  }
  return identify
}

interface PeerOptions {
  userOf(fd: number): number | undefined
  tokenOf(fd: number): Buffer | undefined
  uuidOf(fd: number): Buffer | undefined
}

function openPeerOptions(ffi: typeof ffiModule): PeerOptions {
  // `null` opens the running program, which has its C library loaded.
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
