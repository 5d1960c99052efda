/**
 * Who is at the other end of a local socket on Linux: user and process from the kernel, the program from /proc. The process is held by a
 * descriptor of its own (SO_PEERPIDFD, Linux 6.5), since its number is given to another one once it has ended.
 */
import { openHold } from './linux-hold.ts'
import { type Proc, systemProc } from './proc.ts'
import type { AskSystem, OpenSystem } from './system.ts'

const SOL_SOCKET = 1
const SO_PEERCRED = 17
/** struct ucred { pid_t pid; uid_t uid; gid_t gid; } */
const UCRED_BYTES = 12

export const openLinux: OpenSystem = (ffi) => linuxSystem(ffi, systemProc)

export function linuxSystem(ffi: Parameters<OpenSystem>[0], proc: Proc): AskSystem {
  const hold = openHold(ffi, proc)
  // Written by the kernel at every call and read before the next one.
  const credentials = Buffer.alloc(UCRED_BYTES)
  return (fd) => {
    if (!hold.option(fd, SOL_SOCKET, SO_PEERCRED, credentials)) return undefined
    const pid = credentials.readInt32LE(0)
    const uid = credentials.readUInt32LE(4)
    // The pid is 0 when the peer lives in a pid namespace that cannot be seen from here.
    return pid > 0 ? { uid, ...hold.process(fd, pid) } : { uid }
  }
}
