/**
 * Whether a caller may name files by their path. The daemon reads them for it, so it must be sure that the caller could read the same
 * file itself: its process is held, runs what it ran when it connected, belongs to the same user and sees the same files. On every system.
 */
import { readlinkSync } from 'node:fs'
import { programOf } from '../../identity/program.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

export interface System {
  readonly platform: NodeJS.Platform
  readonly uid: number | undefined
  /** Throws when it cannot be read. */
  readlink(path: string): string
}

const HERE: System = { platform: process.platform, uid: process.getuid?.(), readlink: (path) => readlinkSync(path) }

/** What makes up the tree of files that a process sees on Linux. Elsewhere programs share one tree, but for those in a container. */
const VIEW = ['ns/mnt', 'root'] as const

const HELP = 'hand the bytes over in data'

const PAGE = ' for a page in a browser'
const OTHER_USER = ' for another user of the system'
const CONTAINER = ' for a program in a container, which sees other files than the bridge'
const NO_PROCESS = ', since it is not known which process asks'
const NO_PROGRAM = ', since it is not known which program asks'
const CHANGED = ', since the process that connected has ended or runs another program'

/** The rest of a sentence that begins with the field; undefined when the caller may. Asked for every call: a process can move. */
export function pathRefusal(peer: PeerIdentity, system: System = HERE): string | undefined {
  const why = outsider(peer, system)
  return why === undefined ? undefined : `cannot be read${why}; ${HELP}`
}

/**
 * Why this peer cannot name what lies in our tree of files, as words that follow a verb; undefined when it can. What it could not do itself,
 * nobody does for it.
 */
export function outsider(peer: PeerIdentity, system: System = HERE): string | undefined {
  if (peer.trust === 'origin') return PAGE
  if (peer.uid !== undefined && peer.uid !== system.uid) return OTHER_USER
  const { kind } = programOf(peer)
  if (kind === 'container') return CONTAINER
  if (peer.process === undefined) return NO_PROCESS
  if (kind === 'unknown') return NO_PROGRAM
  if (!peer.process.isSame()) return CHANGED
  return system.platform === 'linux' ? outsiderOnLinux(peer.process, system) : undefined
}

function outsiderOnLinux(process: NonNullable<PeerIdentity['process']>, system: System): string | undefined {
  const sees = process.read((pid) => seesTheSame(pid, system))
  if (sees === undefined) return CHANGED
  return sees ? undefined : CONTAINER
}

function seesTheSame(pid: number, system: System): boolean {
  try {
    return VIEW.every((part) => system.readlink(`/proc/${pid}/${part}`) === system.readlink(`/proc/self/${part}`))
  } catch {
    return false
  }
}
