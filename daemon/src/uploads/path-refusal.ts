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
export function pathRefusal(peer: PeerIdentity, system: System = HERE): string | undefined {
  const why = outsider(peer, system)
  return why === undefined ? undefined : `cannot be read${why}; ${HELP}`
}

/**
 * Why this peer cannot name what lies in our tree of files, as words that follow a verb; undefined when it can. What it could not do itself,
 * nobody does for it.
 */
export function outsider({ trust, uid, pid }: PeerIdentity, system: System = HERE): string | undefined {
  if (trust === 'origin') return ' for a page in a browser'
  if (uid !== undefined && uid !== system.uid) return ' for another user of the system'
  // Elsewhere a connection comes from the same user by the place of its socket, and programs share one tree of files.
  if (system.platform !== 'linux') return undefined
  if (uid === undefined || pid === undefined) return ', since it is not known which process asks'
  return seesTheSame(pid, system) ? undefined : ' for a program in a container, which sees other files than the bridge'
}

function seesTheSame(pid: number, system: System): boolean {
  try {
    return VIEW.every((part) => system.readlink(`/proc/${pid}/${part}`) === system.readlink(`/proc/self/${part}`))
  } catch {
    return false
  }
}
