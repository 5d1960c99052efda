/**
 * Checks whether a program may name files by path. The daemon reads the files, so the program must be able to read the same files itself: its
 * process is held, still runs the same program, belongs to the same user and sees the same file system. The rules apply on every system.
 */
import { readlinkSync } from 'node:fs'
import { programOf } from '../../identity/program.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

export interface System {
  readonly platform: NodeJS.Platform
  readonly uid: number | undefined
  /** Throws if the link cannot be read. */
  readlink(path: string): string
}

const HERE: System = { platform: process.platform, uid: process.getuid?.(), readlink: (path) => readlinkSync(path) }

/** Links below /proc/PID that define a process's view of the file system on Linux. On other systems only containers have their own view. */
const VIEW = ['ns/mnt', 'root'] as const

const HELP = 'send the bytes in data instead'

const PAGE = ' for a page in a browser'
const OTHER_USER = ' for another user'
const CONTAINER = ' for a program in a container, which sees other files than the bridge'
const IN_WINE = ' for a Windows program in Wine, which only its pipe bridge has named'
const NO_PROCESS = ' because the calling process is unknown'
const NO_PROGRAM = ' because the calling program is unknown'
const CHANGED = ' because the process that connected has ended or runs another program'

/** The rest of an error sentence after the field; undefined if access is allowed. Checked per call: a process can enter a container. */
export function pathAccessDenial(peer: PeerIdentity, system: System = HERE): string | undefined {
  const why = localAccessDenial(peer, system)
  return why === undefined ? undefined : `cannot be read${why}; ${HELP}`
}

/**
 * Why this peer may not name local files, as words that follow a verb; undefined if it may. The daemon must not read files that the peer
 * could not read.
 */
export function localAccessDenial(peer: PeerIdentity, system: System = HERE): string | undefined {
  if (peer.trust === 'origin') return PAGE
  if (peer.uid !== undefined && peer.uid !== system.uid) return OTHER_USER
  const { kind } = programOf(peer)
  if (kind === 'container') return CONTAINER
  if (kind === 'wine') return IN_WINE
  if (peer.process === undefined) return NO_PROCESS
  if (kind === 'unknown') return NO_PROGRAM
  if (!peer.process.isUnchanged()) return CHANGED
  return system.platform === 'linux' ? linuxAccessDenial(peer.process, system) : undefined
}

function linuxAccessDenial(process: NonNullable<PeerIdentity['process']>, system: System): string | undefined {
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
