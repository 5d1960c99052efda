/**
 * Identifies the sending process of received data. A connection can be passed on: a process connects, a child inherits the socket, and the
 * process executes another program. The kernel reports the connecting process once, but reports the sender of each message on request.
 */
import type * as ffiModule from 'node:ffi'

export interface Received {
  readonly bytes: Buffer
  /** PID of the sender; undefined when the kernel did not report it. */
  readonly pid: number | undefined
}

/** Reads a socket. It must be the only reader. */
interface SenderSocket {
  /** Whether bytes wait that were sent before now. */
  hasUnread(): boolean
  /** The next received bytes; undefined when there are none, or at the end. Bytes of different senders are never combined. */
  receive(): Received | undefined
  /** Stops reporting of senders. */
  stop(): void
}

/** Enables reporting of senders. Undefined when the kernel cannot. */
export type OpenSender = (fd: number) => SenderSocket | undefined

const SOL_SOCKET = 1
const SO_PASSCRED = 16
const SCM_CREDENTIALS = 2
const MSG_PEEK = 0x02
const MSG_DONTWAIT = 0x40
const CHUNK_BYTES = 65_536

/** struct iovec { void *base; size_t len; } */
const IOVEC_BYTES = 16
/** struct msghdr { void *name; socklen_t; struct iovec *; size_t; void *control; size_t controllen; int flags; }, 64 bits. */
const MSGHDR = { bytes: 56, iov: 16, iovCount: 24, control: 32, controlBytes: 40 }
/** struct cmsghdr { size_t len; int level; int type; } and struct ucred behind it. */
const CMSG = { level: 8, type: 12, pid: 16, bytes: 32 }
const ON = 1

/** Linux on 64 bits. Throws where the functions are missing. */
export function openSender(ffi: typeof ffiModule): OpenSender {
  const { functions: c } = ffi.dlopen(null, {
    setsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'uint32'], return: 'int32' },
    recvmsg: { arguments: ['int32', 'buffer', 'int32'], return: 'int64' },
  })
  const flag = Buffer.alloc(4)
  const passCredentials = (fd: number, value: number): boolean => {
    flag.writeInt32LE(value)
    return c.setsockopt(fd, SOL_SOCKET, SO_PASSCRED, flag, flag.length) === 0
  }
  return (fd) => {
    if (!passCredentials(fd, ON)) return undefined
    // The structures point to each other, so all of them live as long as the reader.
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const control = Buffer.alloc(CMSG.bytes)
    const vector = Buffer.alloc(IOVEC_BYTES)
    const message = Buffer.alloc(MSGHDR.bytes)
    vector.writeBigUInt64LE(ffi.getRawPointer(chunk), 0)
    vector.writeBigUInt64LE(BigInt(CHUNK_BYTES), 8)
    const read = (flags: number): number => {
      control.fill(0)
      message.fill(0)
      message.writeBigUInt64LE(ffi.getRawPointer(vector), MSGHDR.iov)
      message.writeBigUInt64LE(1n, MSGHDR.iovCount)
      message.writeBigUInt64LE(ffi.getRawPointer(control), MSGHDR.control)
      message.writeBigUInt64LE(BigInt(CMSG.bytes), MSGHDR.controlBytes)
      return Number(c.recvmsg(fd, message, MSG_DONTWAIT | flags))
    }
    return {
      hasUnread: () => read(MSG_PEEK) > 0,
      receive() {
        const bytes = read(0)
        if (bytes <= 0) return undefined
        const isNamed = control.readInt32LE(CMSG.level) === SOL_SOCKET && control.readInt32LE(CMSG.type) === SCM_CREDENTIALS
        return { bytes: Buffer.from(chunk.subarray(0, bytes)), pid: isNamed ? control.readInt32LE(CMSG.pid) : undefined }
      },
      stop: () => void passCredentials(fd, 0),
    }
  }
}
