/** A folder /proc that says what a test puts there. */
import type { BigIntStats } from 'node:fs'
import type { Proc } from '#daemon/src/identity/proc.ts'

export interface FakeFile {
  readonly ino: bigint
  readonly ctimeNs?: bigint
  readonly nlink?: bigint
  readonly isFolder?: true
  readonly isUntimed?: true
}

const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })

const found = <T>(table: Readonly<Record<string, T>> | undefined, path: string): T => {
  const value = table?.[path]
  if (value === undefined) throw missing(path)
  return value
}

export const procOf = (says: {
  readonly links?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly stats?: Readonly<Record<string, FakeFile>>
}): Proc => ({
  readlink: (path) => found(says.links, path),
  own: (link) => found(says.links, `/proc/self/${link}`),
  read: (path) => found(says.files, path),
  realpath: (path) => (says.stats?.[path] === undefined ? found(says.links, path) : path),
  isUntimed: (path) => found(says.stats, path).isUntimed === true,
  stat: (path) => {
    const { ino, ctimeNs = 5n, nlink = 1n, isFolder } = found(says.stats, path)
    return { dev: 1n, ino, size: 3n, mtimeNs: 4n, ctimeNs, nlink, isFile: () => isFolder !== true } as BigIntStats
  },
})
