/** A folder /proc that says what a test puts there. */
import type { BigIntStats } from 'node:fs'
import type { NamespacedProc } from '#daemon/src/identity/linux-program.ts'

export interface FakeFile {
  readonly ino: bigint
  readonly ctimeNs?: bigint
  readonly nlink?: bigint
  readonly isFolder?: true
  readonly isUntimed?: true
  /** How its content begins. */
  readonly head?: string
}

const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })

const found = <T>(table: Readonly<Record<string, T>> | undefined, path: string): T => {
  const value = table?.[path]
  if (value === undefined) throw missing(path)
  return value
}

/** The first parts of the paths below a folder. */
function namesIn(paths: readonly string[], folder: string): readonly string[] {
  const below = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? '')
  if (below.length === 0) throw missing(folder)
  return [...new Set(below)]
}

/** The links of an unconfined process and of the bridge, which are the same. */
export const unconfinedLinks = (pid: number): Record<string, string> =>
  Object.fromEntries(
    [`/proc/${pid}`, '/proc/self'].flatMap((folder) => [
      [`${folder}/ns/mnt`, 'mnt:[1]'],
      [`${folder}/ns/pid`, 'pid:[2]'],
      [`${folder}/ns/user`, 'user:[3]'],
      [`${folder}/root`, '/'],
    ]),
  )

/** Lines of `/proc/PID/status` as the kernel writes them. */
export const statusOf = ({ uid = 1000, noNewPrivs = 0, parent = 1 } = {}): string =>
  `Name:\tgame\nUmask:\t0022\nState:\tS (sleeping)\nPPid:\t${parent}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nNoNewPrivs:\t${noNewPrivs}\nSeccomp:\t0\n`

const HEAD_BYTES = 65_536

interface Says {
  readonly links?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly stats?: Readonly<Record<string, FakeFile>>
  /** By process. */
  readonly namespaces?: Readonly<Record<number, string>>
}

const statsOf = ({ ino, ctimeNs = 5n, nlink = 1n, isFolder }: FakeFile): BigIntStats =>
  ({ dev: 1n, ino, size: 3n, mtimeNs: 4n, ctimeNs, nlink, isFile: () => isFolder !== true }) as BigIntStats

export const procOf = (says: Says): NamespacedProc => ({
  outerNamespace: (pid) => says.namespaces?.[pid],
  readlink: (path) => found(says.links, path),
  own: (link) => found(says.links, `/proc/self/${link}`),
  ownText: (name) => says.files?.[`/proc/self/${name}`] ?? '',
  read: (path) => found(says.files, path),
  list: (folder) => namesIn(Object.keys(says.files ?? {}), folder),
  realpath: (path) => (says.stats?.[path] === undefined ? found(says.links, path) : path),
  head: (path, bytes) => {
    const text = says.files?.[path]
    return (text === undefined ? Buffer.from(found(says.stats, path).head ?? '', 'latin1') : Buffer.from(text)).subarray(0, bytes)
  },
  headText: (path) => Buffer.from(found(says.files, path)).subarray(0, HEAD_BYTES).toString(),
  firstIn: (path, texts) => texts.find((text) => Buffer.from(found(says.files, path)).subarray(0, HEAD_BYTES).includes(text)),
  isUntimed: (path) => found(says.stats, path).isUntimed === true,
  stat: (path) => statsOf(found(says.stats, path)),
  statIfAny: (path) => (says.stats?.[path] === undefined ? undefined : statsOf(found(says.stats, path))),
})
