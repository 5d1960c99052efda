/** Whether a process sees the same files as the bridge, and which application's container it is when it does not. */
import { join } from 'node:path'
import type { Proc } from './proc.ts'
import type { ContainerKind } from './program.ts'

interface Container {
  readonly kind: ContainerKind
  /** Id of the application; for other containers the mount namespace, which changes at each start. */
  readonly id: string
}

/** Together they determine the files that a process sees. */
const VIEW = ['ns/mnt', 'root'] as const

/** Throws the system's error. */
export const seesSameFiles = (pid: number, proc: Proc): boolean =>
  VIEW.every((part) => proc.readlink(`/proc/${pid}/${part}`) === proc.own(part))

/** Below the process's folder in /proc. */
const FLATPAK_INFO = join('root', '.flatpak-info')
const FLATPAK_NAME = /^\[Application\][^[]*?^name=([\w.-]+)$/m
const FLATPAK_GROUP = /app-flatpak-([\w.-]+?)-\d+\.scope/
const SNAP_LABEL = /^snap\.([a-z0-9-]+)\./
const SNAP_GROUP = /snap\.([a-z0-9-]+)\.[\w-]+/

/** Empty when there is no such file. */
const readOr = (pid: number, name: string, proc: Proc): string => {
  try {
    return proc.read(join('/proc', String(pid), name))
  } catch {
    return ''
  }
}

/**
 * The container of a process that sees other files. An application id needs two matching sources. For Flatpak: the file in its sandbox and the
 * control group of the system's launcher. For Snap: the label of the security module and, where present, its control group.
 */
export function containerOf(pid: number, proc: Proc): Container {
  const group = readOr(pid, 'cgroup', proc)
  const flatpak = FLATPAK_NAME.exec(readOr(pid, FLATPAK_INFO, proc))?.[1]
  if (flatpak !== undefined && FLATPAK_GROUP.exec(group)?.[1] === flatpak) return { kind: 'flatpak', id: flatpak }
  const label = SNAP_LABEL.exec(readOr(pid, 'attr/current', proc))?.[1]
  if (label !== undefined && (SNAP_GROUP.exec(group)?.[1] ?? label) === label) return { kind: 'snap', id: label }
  return { kind: 'other', id: proc.readlink(`/proc/${pid}/ns/mnt`) }
}
