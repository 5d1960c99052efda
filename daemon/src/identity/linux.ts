/**
 * Identifies the peer of a local socket on Linux: user and process from the kernel, the program from /proc. A pidfd (SO_PEERPIDFD, Linux 6.5)
 * holds the process, because its PID can be reused after it exits; where the kernel has none for a socket, PID and start time do.
 */
import type * as ffiModule from 'node:ffi'
import { sessionOnLinux, withSession } from './command-line.ts'
import { type ProcessWatch, createProcessHandle } from './create-process-handle.ts'
import { type ConnectionFacts, keptFacts } from './kept-facts.ts'
import { type NamespacedProc, programFacts, starterFacts } from './linux-program.ts'
import { startTimeOf, systemProc } from './proc.ts'
import { type Program, programOf } from './program.ts'
import type { IdentifyPeer, LocalPeer, OpenSystem } from './system.ts'
import { openOuterNamespace } from './user-namespace.ts'

const SOL_SOCKET = 1
const SO_PEERCRED = 17
/** struct ucred { pid_t pid; uid_t uid; gid_t gid; } */
const UCRED_BYTES = 12

export const openLinux: OpenSystem = (ffi) => linuxSystem(ffi, { ...systemProc, outerNamespace: openOuterNamespace(ffi) })

function linuxSystem(ffi: Parameters<OpenSystem>[0], proc: NamespacedProc): IdentifyPeer {
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

/** Linux 6.5. */
const SO_PEERPIDFD = 77
const AF_UNIX = 1
const SOCK_STREAM = 1
const POLLIN = 1
/** struct pollfd { int fd; short events; short revents; } */
const POLLFD_BYTES = 8

interface LinuxHandles {
  /** Reads a socket option into `value`; false when the system does not have it. */
  option(fd: number, level: number, name: number, value: Buffer): boolean
  /** The process that connected and its program; empty when it has exited. */
  process(fd: number, pid: number): LocalPeer
}

/** Releases the facts with the process. Undefined when the process has exited. */
type OpenWatch = (fd: number, pid: number, facts: ConnectionFacts) => ProcessWatch | undefined

// `null` opens the running program, which has its C library loaded.
const SELF = null

function openLinuxHandles(ffi: typeof ffiModule, proc: NamespacedProc): LinuxHandles {
  const { functions: c } = ffi.dlopen(SELF, {
    getsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'buffer'], return: 'int32' },
    socketpair: { arguments: ['int32', 'int32', 'int32', 'buffer'], return: 'int32' },
    poll: { arguments: ['buffer', 'uint64', 'int32'], return: 'int32' },
    close: { arguments: ['int32'], return: 'int32' },
  })
  const length = Buffer.alloc(4)
  const cell = Buffer.alloc(4)
  const pollfd = Buffer.alloc(POLLFD_BYTES)

  const option = (fd: number, level: number, name: number, value: Buffer): boolean => {
    length.writeUInt32LE(value.length)
    return c.getsockopt(fd, level, name, value, length) === 0
  }

  const pidfdOf = (fd: number): number => (option(fd, SOL_SOCKET, SO_PEERPIDFD, cell) ? cell.readInt32LE(0) : -1)

  /** Tested with our own socket pair, because a failure for a peer may also mean that the peer has exited. */
  const supportsPidfd = (): boolean => {
    const pair = Buffer.alloc(8)
    if (c.socketpair(AF_UNIX, SOCK_STREAM, 0, pair) !== 0) return false
    const [one, other] = [pair.readInt32LE(0), pair.readInt32LE(4)]
    const pidfd = pidfdOf(one)
    for (const fd of [one, other, pidfd]) if (fd >= 0) c.close(fd)
    return pidfd >= 0
  }

  pollfd.writeInt32LE(POLLIN, 4)

  /** A class, because a thousand connections would have as many of each closure. */
  class ByDescriptor implements ProcessWatch {
    readonly #pidfd: number
    readonly #facts: ConnectionFacts

    constructor(pidfd: number, facts: ConnectionFacts) {
      this.#pidfd = pidfd
      this.#facts = facts
    }

    /** A descriptor is readable once its process has exited, even before the parent reads the exit code. */
    isAlive(): boolean {
      pollfd.writeInt32LE(this.#pidfd, 0)
      return c.poll(pollfd, 1n, 0) === 0
    }

    release(): void {
      c.close(this.#pidfd)
      this.#facts.release()
    }
  }

  const byDescriptor: OpenWatch = (fd, _pid, facts) => {
    const pidfd = pidfdOf(fd)
    return pidfd < 0 ? undefined : new ByDescriptor(pidfd, facts)
  }

  const byStartTime: OpenWatch = (_fd, pid, facts) => {
    const read = (): string | undefined => {
      try {
        return startTimeOf(pid, proc)
      } catch {
        return undefined
      }
    }
    const began = read()
    return began === undefined ? undefined : { isAlive: () => read() === began, release: () => facts.release() }
  }

  const openWatch = supportsPidfd() ? byDescriptor : byStartTime
  const programAt = (pid: number): Program => programOfOther(pid, proc)
  const connectionFacts = keptFacts({
    read: (pid) => withSession(pid, programFacts(pid, proc), programAt),
    sessionOf: (pid) => sessionOnLinux(pid, programAt),
  })
  return {
    option,
    process(fd, pid) {
      const facts = connectionFacts()
      const watch = openWatch(fd, pid, facts)
      return watch === undefined ? {} : createProcessHandle(pid, watch, facts, `/proc/${pid}/exe`)
    },
  }
}

/** The program of a process that started another one. */
function programOfOther(pid: number, proc: NamespacedProc): Program {
  try {
    return programOf(starterFacts(pid, proc))
  } catch {
    return programOf({}) // It is not readable, or has exited.
  }
}
