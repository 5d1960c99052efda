/**
 * The container of a confined process. It is an application only where two sources agree that are not the process itself.
 *
 * The control group is one: on the whole path from the root, exactly the one that the user's manager makes for the launcher. A contained program
 * can make groups below its own at most, which adds parts to the path. With a control group file system that it can write, it could enter any
 * other group, so the group alone says nothing. No file of the container is read: its program could put anything there, also a pipe.
 */
import { deviceText, listOr, type Proc, readOr, statOr, statusField } from './proc.ts'
import type { ContainerKind } from './program.ts'

interface Container {
  readonly kind: ContainerKind
  /** Id of the application; for other containers the mount namespace. */
  readonly id: string
}

/**
 * `HIERARCHY:CONTROLLERS:PATH`: systemd's own hierarchy where it uses one (v1), else the common one (v2). In a hierarchy that no systemd of this
 * system uses, every process is at the root.
 */
const SYSTEMD_GROUP = [/^\d+:name=systemd:(\/.+)$/m, /^0::(\/.+)$/m]
/** `ID PARENT DEVICE ROOT POINT OPTIONS [OPTIONAL…] - TYPE SOURCE SUPER`: a control group file system that may be written. */
const WRITABLE_GROUPS = /^(?:\S+ ){5}rw\b.* - cgroup2? /m

/** Flatpak's folder has one for each running sandbox, with a number as its name, and others that sandboxes can write to. */
const FLATPAK_INSTANCE = /^\d+$/
const FLATPAK_NAME = /^\[Application\][^[]*?^name=([\w.-]+)$/m
const FLATPAK_FIRST = /"child-pid"\s*:\s*(\d+)/
const FLATPAK_NAMESPACE = /"mnt-namespace"\s*:\s*(\d+)/
const FLATPAK_UNIT = /^app-flatpak-([\w.-]+)-\d+\.scope$/
const SNAP_LABEL = /^snap\.([a-z0-9_-]+)\.[\w.-]+ \(enforce\)\n?$/
const SNAP_UNIT = /^snap\.([a-z0-9_-]+)\.[\w-]+[.-][0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.scope$/

/** systemd writes other characters than letters, digits, `:`, `_` and `.` as `\xNN`. */
const unescaped = (unit: string): string => unit.replace(/\\x([0-9a-f]{2})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))

/** The unit that the manager of this user started the process in; undefined when its control group is anywhere else. */
function unitOf(folder: string, uid: string, proc: Proc): string | undefined {
  const groups = readOr(folder, 'cgroup', proc)
  const group = SYSTEMD_GROUP.map((line) => line.exec(groups)?.[1]).find((path) => path !== undefined)
  const slice = `/user.slice/user-${uid}.slice/user@${uid}.service/app.slice/`
  return group?.startsWith(slice) === true ? unescaped(group.slice(slice.length)) : undefined
}

/**
 * Whether the first process of a sandbox holds the lock that it takes for its life. Without it the sandbox has ended: its note may be there for
 * long, while the kernel gives its numbers to others. No sandbox but this one can open the file.
 */
function isLocked(file: string, pid: string | undefined, proc: Proc): boolean {
  const found = statOr(file, proc)
  if (found === undefined || pid === undefined) return false
  // `ID: POSIX ADVISORY READ PID MAJOR:MINOR:INODE START END`, the device in hexadecimal.
  return readOr('/proc', 'locks', proc).includes(` READ ${pid} ${deviceText(found.dev)}:${found.ino} `)
}

/** Whether Flatpak itself noted that it made this mount namespace for this application. */
function isMadeByFlatpak(namespace: string, id: string, uid: string, proc: Proc): boolean {
  const folder = `/run/user/${uid}/.flatpak`
  return listOr(folder, proc).some((name) => {
    if (!FLATPAK_INSTANCE.test(name)) return false
    const sandbox = readOr(`${folder}/${name}`, 'bwrapinfo.json', proc)
    return (
      namespace === `mnt:[${FLATPAK_NAMESPACE.exec(sandbox)?.[1]}]` &&
      id === FLATPAK_NAME.exec(readOr(`${folder}/${name}`, 'info', proc))?.[1] &&
      isLocked(`${folder}/${name}/.ref`, FLATPAK_FIRST.exec(sandbox)?.[1], proc)
    )
  })
}

/** Whether it sees no control groups that it can write. */
function staysInItsGroup(folder: string, proc: Proc): boolean {
  const mounts = readOr(folder, 'mountinfo', proc)
  return mounts !== '' && !WRITABLE_GROUPS.test(mounts)
}

/**
 * The container of a process that confinement.ts calls confined. An application's id needs two matching sources: the unit of its launcher, and
 * for Flatpak its note of the mount namespace, for Snap the label of the security module.
 */
export function containerOf(pid: number, proc: Proc): Container {
  const folder = `/proc/${pid}`
  const namespace = proc.readlink(`${folder}/ns/mnt`)
  const uid = statusField(readOr(folder, 'status', proc), 'Uid')
  const unit = uid === undefined ? undefined : unitOf(folder, uid, proc)
  if (uid !== undefined && unit !== undefined) {
    const flatpak = FLATPAK_UNIT.exec(unit)?.[1]
    if (flatpak !== undefined && isMadeByFlatpak(namespace, flatpak, uid, proc)) return { kind: 'flatpak', id: flatpak }
    const snap = SNAP_UNIT.exec(unit)?.[1]
    const label = SNAP_LABEL.exec(readOr(folder, 'attr/current', proc))?.[1]
    if (snap !== undefined && snap === label && staysInItsGroup(folder, proc)) return { kind: 'snap', id: snap }
  }
  return { kind: 'other', id: namespace }
}
