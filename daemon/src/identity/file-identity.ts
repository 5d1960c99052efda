/** Identity of a file, which changes when the file is replaced or modified. */
import { type BigIntStats, statfsSync, statSync } from 'node:fs'

/**
 * `device:inode:size:mtime:ctime`. Device and inode identify the file; the rest detects changes. A program that can write a file can reset
 * its mtime, but not its ctime.
 */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(':')

/** Identity of the file at a path, links resolved; undefined when it cannot be read. */
export function fileAt(path: string): string | undefined {
  try {
    return identityOf(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

/**
 * File systems that can change a file without its ctime, by their number in statfs(2): tmpfs and ramfs leave it at a write through a mapping, and
 * a FUSE server says what it likes.
 */
const UNTIMED: ReadonlySet<number> = new Set([0x01_02_19_94, 0x85_84_58_f6, 0x65_73_55_46])

/** Devices whose file system is known. */
const untimedDevices = new Map<bigint, boolean>()
const MAX_DEVICES = 64

/** Whether a file may change without its ctime. Throws the system's error. */
export function isUntimed(path: string, { dev }: BigIntStats): boolean {
  const known = untimedDevices.get(dev)
  if (known !== undefined) return known
  const isOne = UNTIMED.has(statfsSync(path).type)
  if (untimedDevices.size === MAX_DEVICES) untimedDevices.clear()
  untimedDevices.set(dev, isOne)
  return isOne
}

const CTIME = /:[^:]*$/
const UNTIMED_MARK = '?'

export const withoutCtime = (file: string): string => file.replace(CTIME, '')

/**
 * The identity of a file that may change without its ctime. It equals no other one in its last part, so that each comparison asks for the
 * content, also after a restart.
 */
export const untimedIdentity = (file: string): string => `${withoutCtime(file)}:${UNTIMED_MARK}${Date.now()}-${process.hrtime.bigint()}`

/** As `fileAt`; of a file that may change without its ctime, an identity that equals no other one. */
export function comparableFileAt(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true })
    return isUntimed(path, stats) ? untimedIdentity(identityOf(stats)) : identityOf(stats)
  } catch {
    return undefined
  }
}

/** Whether a file still has this identity. */
export function hasIdentity(stats: BigIntStats, file: string): boolean {
  const now = identityOf(stats)
  return file.includes(UNTIMED_MARK) ? withoutCtime(now) === withoutCtime(file) : now === file
}
