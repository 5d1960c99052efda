/**
 * The container of a process as the kernel nests it: the child of our user namespace that the process is in or below. A container makes
 * further namespaces below its own only, so it stays what it is.
 */
import type * as ffiModule from 'node:ffi'
import { closeSync, fstatSync, openSync } from 'node:fs'

/** ioctl(2) of a namespace descriptor: opens its parent. Fails for the parent of our own. */
const NS_GET_PARENT = 0xb7_02n
/** The kernel nests user namespaces at most this deep. */
const MAX_DEPTH = 32

/** The number of that namespace; undefined for a process in our own or above it, and for one that is not readable. */
export type OuterNamespace = (pid: number) => string | undefined

/** Opens the parent of a namespace; negative when there is none for us. */
type OpenParent = (fd: number) => number

const numberOf = (fd: number): bigint => fstatSync(fd, { bigint: true }).ino

function below(ours: bigint, first: number, openParent: OpenParent, opened: number[]): bigint | undefined {
  let child: bigint | undefined
  for (let fd = first, depth = 0; fd >= 0 && depth <= MAX_DEPTH; fd = openParent(fd), depth += 1) {
    opened.push(fd)
    const number = numberOf(fd)
    if (number === ours) return child
    child = number
  }
  return undefined
}

/** Throws when the C library lacks the call. */
export function openOuterNamespace(ffi: typeof ffiModule): OuterNamespace {
  const { ioctl } = ffi.dlopen(null, { ioctl: { arguments: ['int32', 'uint64'], return: 'int32' } }).functions
  return (pid) => {
    const opened: number[] = []
    try {
      const ours = openSync('/proc/self/ns/user', 'r')
      opened.push(ours)
      return below(numberOf(ours), openSync(`/proc/${pid}/ns/user`, 'r'), (fd) => ioctl(fd, NS_GET_PARENT), opened)?.toString()
    } catch {
      return undefined
    } finally {
      for (const fd of opened) closeSync(fd)
    }
  }
}
