/** Identity of a file, which changes when the file is replaced or modified. */
import { type BigIntStats, statfsSync, statSync } from 'node:fs'

/**
 * `device:inode:size:mtime:ctime`. Device and inode identify the file; the rest detects changes. A program that can write a file can reset
 * its mtime, but not its ctime.
 */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`

/** Whether both have the same identity: for each connection, so no text is made. */
export const isSameFile = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino &&
  one.dev === other.dev &&
  one.size === other.size &&
  one.mtimeNs === other.mtimeNs &&
  one.ctimeNs === other.ctimeNs

const MTIME = 3

/** When the content of a file with this identity was written, in nanoseconds since the epoch, as its owner says. */
export const modifiedNsOf = (file: string): bigint => BigInt(file.split(':')[MTIME] ?? 0)

/** Identity of the file at a path, links resolved; undefined when it cannot be read. */
export function fileAt(path: string): string | undefined {
  try {
    return identityOf(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

/**
 * File systems that change ctime at each change, and let no program set it, by their number in statfs(2): ext2 to ext4, btrfs, XFS, F2FS,
 * and the images squashfs, EROFS and ISO 9660. On any other one ctime proves nothing: tmpfs leaves it at a write through a mapping, and so does
 * overlayfs above tmpfs; FAT and exFAT keep it equal to mtime, which a program can set; servers of FUSE and networks say what they like.
 */
const TIMED: ReadonlySet<number> = new Set([0xef_53, 0x91_23_68_3e, 0x58_46_53_42, 0xf2_f5_20_10, 0x73_71_73_68, 0xe0_f5_e1_e2, 0x96_60])

/** Devices whose file system is known. */
const timedDevices = new Map<bigint, boolean>()
const MAX_DEVICES = 64

function isOnTimedDevice(path: string, dev: bigint): boolean {
  const known = timedDevices.get(dev)
  if (known !== undefined) return known
  const isTimed = TIMED.has(statfsSync(path).type)
  if (timedDevices.size === MAX_DEVICES) timedDevices.clear()
  timedDevices.set(dev, isTimed)
  return isTimed
}

/** The kernel's clock for files is slower than a program: two changes within this time may have one ctime. */
const CLOCK_MS = 50

/** Whether a file may change without its ctime. Throws the system's error. */
export const isUntimed = (path: string, { dev, ctimeMs }: BigIntStats): boolean =>
  Date.now() - Number(ctimeMs) < CLOCK_MS || !isOnTimedDevice(path, dev)

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
