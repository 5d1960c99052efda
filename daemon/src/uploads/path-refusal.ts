/**
 * Whether a caller may name files by their path. The daemon reads them for it, so it must be sure that the caller could read the same
 * file itself: it is the same user and, on Linux, sees the same tree of files. A game in a container sees another one.
 */
import { readlinkSync } from 'node:fs'
import type { PeerIdentity } from '../transport/transport.ts'

export interface System {
  readonly platform: NodeJS.Platform
  readonly uid: number | undefined
  /** Throws when it cannot be read. */
  readlink(path: string): string
}

const HERE: System = { platform: process.platform, uid: process.getuid?.(), readlink: (path) => readlinkSync(path) }

/** What makes up the tree of files that a process sees. */
const VIEW = ['ns/mnt', 'root'] as const

const HELP = 'hand the bytes over in data'

/** The rest of a sentence that begins with the field; undefined when the caller may. Asked for every call: a process can move. */
export function pathRefusal({ uid, pid }: PeerIdentity, system: System = HERE): string | undefined {
  if (uid !== undefined && uid !== system.uid) return `cannot be read for another user of the system; ${HELP}`
  // Elsewhere a connection comes from the same user by the place of its socket, and programs share one tree of files.
  if (system.platform !== 'linux') return undefined
  if (uid === undefined || pid === undefined) return `cannot be read, since it is not known which process asks; ${HELP}`
  return seesTheSame(pid, system)
    ? undefined
    : `cannot be read for a program in a container, which sees other files than the bridge; ${HELP}`
}

function seesTheSame(pid: number, system: System): boolean {
  try {
    return VIEW.every((part) => system.readlink(`/proc/${pid}/${part}`) === system.readlink(`/proc/self/${part}`))
  } catch {
    return false
  }
}
