/**
 * Which process sent what a socket receives. A connection can be handed on: a process connects, leaves the socket to a child and becomes
 * another program. The kernel names the connector once, but it names the sender with each message to a socket that asks for it.
 */
import type * as ffiModule from 'node:ffi'

export interface Received {
  readonly bytes: Buffer
  /** Process that sent them, as seen from here; undefined where the kernel did not say. */
  readonly pid: number | undefined
}

/** Reads a socket that nobody else reads meanwhile. */
export interface SenderSocket {
  /** What waits in the socket; undefined when nothing does, or it has ended. Bytes of different senders never come together. */
  receive(): Received | undefined
  /** The kernel names no senders any more. */
  stop(): void
}

/** Asks the kernel to name the senders of what comes from now on. Undefined where it cannot. */
export type OpenSender = (fd: number) => SenderSocket | undefined

const SOL_SOCKET = 1
const SO_PASSCRED = 16
const SCM_CREDENTIALS = 2
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
    // The structures hold addresses of each other, so all of them live as long as the reader.
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    const control = Buffer.alloc(CMSG.bytes)
    const vector = Buffer.alloc(IOVEC_BYTES)
    const message = Buffer.alloc(MSGHDR.bytes)
    vector.writeBigUInt64LE(ffi.getRawPointer(chunk), 0)
    vector.writeBigUInt64LE(BigInt(CHUNK_BYTES), 8)
    return {
      receive() {
        control.fill(0)
        message.fill(0)
        message.writeBigUInt64LE(ffi.getRawPointer(vector), MSGHDR.iov)
        message.writeBigUInt64LE(1n, MSGHDR.iovCount)
        message.writeBigUInt64LE(ffi.getRawPointer(control), MSGHDR.control)
        message.writeBigUInt64LE(BigInt(CMSG.bytes), MSGHDR.controlBytes)
        const bytes = Number(c.recvmsg(fd, message, MSG_DONTWAIT))
        if (bytes <= 0) return undefined
        const isNamed = control.readInt32LE(CMSG.level) === SOL_SOCKET && control.readInt32LE(CMSG.type) === SCM_CREDENTIALS
        return { bytes: Buffer.from(chunk.subarray(0, bytes)), pid: isNamed ? control.readInt32LE(CMSG.pid) : undefined }
      },
      stop: () => void passCredentials(fd, 0),
    }
  }
}
