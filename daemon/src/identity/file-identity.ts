/** Identity of a file, which changes when the file is replaced or modified. */
import { type BigIntStats, statSync } from 'node:fs'

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
