/** Which file a process runs: its path, and what tells the file at that path from one that replaces it. */
import { readlinkSync, statSync, type BigIntStats } from 'node:fs'

export interface ProgramFile {
  readonly executable?: string
  readonly file?: string
}

const DELETED = ' (deleted)'

/** Device and inode name a file; the rest tells when its content became another. Whoever can write it can set mtime, and nobody ctime. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(':')

/** The identity of the file at a path; nothing when it cannot be looked at. */
export function fileAt(path: string): { readonly file?: string } {
  try {
    return { file: identityOf(statSync(path, { bigint: true })) }
  } catch {
    return {}
  }
}

/**
 * The program of a process on Linux. The link leads to the very file that runs, even when another one lies at its path by now: such a
 * process keeps the path and the identity it began with. It may be unreadable, or the process already gone.
 */
export function programOf(pid: number): ProgramFile {
  const link = `/proc/${pid}/exe`
  try {
    const path = readlinkSync(link)
    const stats = statSync(link, { bigint: true })
    const isReplaced = stats.nlink === 0n && path.endsWith(DELETED)
    return { executable: isReplaced ? path.slice(0, -DELETED.length) : path, file: identityOf(stats) }
  } catch {
    return {}
  }
}
