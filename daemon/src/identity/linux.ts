/**
 * Identifies the peer of a local socket on Linux: user and process from the kernel, the program from /proc. A pidfd (SO_PEERPIDFD, Linux 6.5)
 * holds the process, because its PID can be reused after it exits.
 */
import { openLinuxHandles } from './linux-handles.ts'
import { type Proc, systemProc } from './proc.ts'
import type { IdentifyPeer, OpenSystem } from './system.ts'

const SOL_SOCKET = 1
const SO_PEERCRED = 17
/** struct ucred { pid_t pid; uid_t uid; gid_t gid; } */
const UCRED_BYTES = 12

export const openLinux: OpenSystem = (ffi) => linuxSystem(ffi, systemProc)

function linuxSystem(ffi: Parameters<OpenSystem>[0], proc: Proc): IdentifyPeer {
  const hold = openLinuxHandles(ffi, proc)
  // Reused: the kernel writes it at every call, and it is read before the next one.
  const credentials = Buffer.alloc(UCRED_BYTES)
  return (fd) => {
    if (!hold.option(fd, SOL_SOCKET, SO_PEERCRED, credentials)) return undefined
    const pid = credentials.readInt32LE(0)
    const uid = credentials.readUInt32LE(4)
    // The pid is 0 when the peer is in a pid namespace that is not visible here.
    return pid > 0 ? { uid, ...hold.process(fd, pid) } : { uid }
  }
}
