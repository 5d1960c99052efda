/**
 * The container of a confined process. It is an application only where the launcher's evidence cannot come from the process itself.
 *
 * The control group is that evidence: on the whole path from the root, exactly the one that the user's manager makes for the launcher. A
 * contained program can make groups below its own at most, which adds parts to the path. With a control group file system that it can write,
 * it could also be outside of its own group, so then it is no application.
 */
import { join } from 'node:path'
import { type Proc, readOr, statusField } from './proc.ts'
import type { ContainerKind } from './program.ts'

interface Container {
  readonly kind: ContainerKind
  /** Id of the application; for other containers the mount namespace. */
  readonly id: string
}

/** `HIERARCHY:CONTROLLERS:PATH`: systemd's own hierarchy where there is one (v1), else the common one (v2). */
const SYSTEMD_GROUP = [/^\d+:name=systemd:(.*)$/m, /^0::(.*)$/m]
/** `ID PARENT DEVICE ROOT POINT OPTIONS [OPTIONAL…] - TYPE SOURCE SUPER`: a control group file system that may be written. */
const WRITABLE_GROUPS = /^(?:\S+ ){5}rw\b.* - cgroup2? /m

const FLATPAK_NAME = /^\[Application\][^[]*?^name=([\w.-]+)$/m
const FLATPAK_UNIT = /^app-flatpak-([\w.-]+)-\d+\.scope$/
const SNAP_LABEL = /^snap\.([a-z0-9_-]+)\.[\w.-]+ \(enforce\)\n?$/
const SNAP_UNIT = /^snap\.([a-z0-9_-]+)\.[\w-]+[.-][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.scope$/

/** systemd writes other characters than letters, digits, `:`, `_` and `.` as `\xNN`. */
const unescaped = (unit: string): string => unit.replace(/\\x([0-9a-f]{2})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))

/** The unit that the manager of the process's user started it in; undefined when its control group is anywhere else. */
function unitOf(folder: string, proc: Proc): string | undefined {
  const uid = statusField(readOr(folder, 'status', proc), 'Uid')
  const groups = readOr(folder, 'cgroup', proc)
  const group = SYSTEMD_GROUP.map((line) => line.exec(groups)?.[1]).find((path) => path !== undefined)
  const slice = `/user.slice/user-${uid}.slice/user@${uid}.service/app.slice/`
  if (uid === undefined || group?.startsWith(slice) !== true) return undefined
  const unit = group.slice(slice.length)
  const mounts = readOr(folder, 'mountinfo', proc)
  return mounts === '' || WRITABLE_GROUPS.test(mounts) ? undefined : unescaped(unit)
}

/**
 * The container of a process that confinement.ts calls confined. An application's id needs two matching sources: the unit of its launcher, and
 * for Flatpak the file in its sandbox, for Snap the label of the security module.
 */
export function containerOf(pid: number, proc: Proc): Container {
  const folder = `/proc/${pid}`
  const unit = unitOf(folder, proc)
  if (unit !== undefined) {
    const flatpak = FLATPAK_UNIT.exec(unit)?.[1]
    if (flatpak !== undefined && FLATPAK_NAME.exec(readOr(join(folder, 'root'), '.flatpak-info', proc))?.[1] === flatpak)
      return { kind: 'flatpak', id: flatpak }
    const snap = SNAP_UNIT.exec(unit)?.[1]
    if (snap !== undefined && SNAP_LABEL.exec(readOr(folder, 'attr/current', proc))?.[1] === snap) return { kind: 'snap', id: snap }
  }
  return { kind: 'other', id: proc.readlink(`${folder}/ns/mnt`) }
}
