/** What tells a file from any that replaces it, and from what it was before it was changed. */
import { type BigIntStats, statSync } from 'node:fs'

/**
 * `device:inode:size:mtime:ctime`. Device and inode name the file; the rest tells when it became another. Whoever can write a file can set
 * its mtime back, and nobody can set ctime.
 */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join(':')

/** Of the file at a path, links followed; undefined when it cannot be looked at. */
export function fileAt(path: string): string | undefined {
  try {
    return identityOf(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}
