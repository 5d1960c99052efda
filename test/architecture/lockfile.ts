/** Reads the lockfile for the architecture tests, and walks the packages that are installed with a package. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-tree.ts'

export interface LockEntry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: string | readonly string[]
  readonly libc?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

interface LockFile {
  /** From the root; the root is empty. */
  readonly folder: string
  readonly text: string
  readonly lock: Lock
}

/** Folders with packages of their own, which `npm ci` of the root does not install. */
const FOLDERS = ['', 'daemon/docs/site']

export const LOCKS: readonly LockFile[] = FOLDERS.map((folder) => {
  const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')
  return { folder, text, lock: JSON.parse(text) as Lock }
})

/** That of the root. */
export const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock

/** A system that packages are made for, as npm names its parts. */
export interface System {
  readonly os: string
  readonly cpu: string
  readonly libc?: string
}

/** A list of npm: names that are allowed, or with `!` names that are not. */
function allows(list: string | readonly string[] | undefined, name: string | undefined): boolean {
  if (list === undefined) return true
  const names = [list].flat()
  if (name === undefined) return false
  const denied = names.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1))
  return denied.length > 0 ? !denied.includes(name) : names.includes(name)
}

/** Whether npm installs it there. */
export const runsOn = ({ os, cpu, libc }: LockEntry, system: System): boolean =>
  allows(os, system.os) && allows(cpu, system.cpu) && allows(libc, system.libc)

/** Where npm lays the package `name` for who stands at `from`, as Node would find it. */
function found({ packages }: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = packages[path]
    if (entry !== undefined) return entry.link === true ? entry.resolved : path
    if (folder === '') return undefined
  }
}

/** Dependencies of a package that npm installs with it. The user chooses the optional peers. */
const asked = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: LockEntry): readonly string[] => [
  ...Object.keys(dependencies ?? {}),
  ...Object.keys(optionalDependencies ?? {}),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
]

/** What a package would load if it were there, and works without. */
const loadedIfThere = ({ optionalDependencies, peerDependenciesMeta }: LockEntry): readonly string[] => [
  ...Object.keys(optionalDependencies ?? {}),
  ...Object.entries(peerDependenciesMeta ?? {}).flatMap(([name, { optional }]) => (optional === true ? [name] : [])),
]

export interface Walked {
  /** Path in the lockfile to the names of who brings it. */
  readonly packages: ReadonlyMap<string, ReadonlySet<string>>
  /** Names that a package would load, and that the lockfile does not hold. */
  readonly absent: ReadonlyMap<string, ReadonlySet<string>>
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Everything that stands on a system when the workspaces are installed without what they are developed with. Throws when a part is missing. */
export function walk(of: Lock, workspaces: readonly string[], system: System): Walked {
  const packages = new Map<string, Set<string>>()
  const absent = new Map<string, Set<string>>()
  const note = (to: Map<string, Set<string>>, key: string, by: string) => to.set(key, (to.get(key) ?? new Set()).add(by))
  const visited = new Set<string>()
  const visit = (path: string): void => {
    if (visited.has(path)) return
    visited.add(path)
    const entry = of.packages[path]
    if (entry === undefined) throw new Error(`package-lock.json holds no ${path}`)
    const by = path.includes('node_modules/') ? nameOf(path) : `workspace ${path === '' ? 'root' : path}`
    const optional = new Set(loadedIfThere(entry))
    for (const name of new Set([...asked(entry), ...optional])) {
      const there = found(of, path, name)
      if (there === undefined) {
        if (!optional.has(name)) throw new Error(`package-lock.json holds no ${name}, which ${by} needs`)
        note(absent, name, by)
      } else if (runsOn(of.packages[there] ?? {}, system)) {
        if (there.includes('node_modules/')) note(packages, there, by)
        visit(there)
      }
    }
  }
  workspaces.forEach(visit)
  return { packages, absent }
}
