/**
 * Checks whether a program may name files by path. The daemon reads the files, so the program must be able to read the same files itself: its
 * process is held, still runs the same program, belongs to the same user and has the rights of the bridge. The rules apply on every system.
 */
import { type Confinement, confinementOf } from '../../identity/confinement.ts'
import { type Proc, systemProc } from '../../identity/proc.ts'
import { programOf } from '../../identity/program.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'

export interface System {
  readonly platform: NodeJS.Platform
  readonly uid: number | undefined
  /** Of Linux. */
  readonly proc: Proc
}

const HERE: System = { platform: process.platform, uid: process.getuid?.(), proc: systemProc }

const HELP = 'send the bytes in data instead'

const PAGE = ' for a page in a browser'
const OTHER_USER = ' for another user'
const CONTAINER = ' for a program in a container, which sees other files than the bridge'
const CONFINED: Readonly<Record<Confinement, string>> = {
  files: CONTAINER,
  namespace: ' for a program in a process or user namespace of its own',
  rights: ' for a program that set no_new_privs, as sandboxes and the processes of browsers do',
  label: ' for a program that the security module of the system confines',
}
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
  if (kind === 'wine') return IN_WINE
  if (peer.process === undefined) return kind === 'container' ? CONTAINER : NO_PROCESS
  if (kind === 'unknown') return NO_PROGRAM
  if (system.platform === 'linux') {
    const denial = confinedDenial(peer.process, system.proc)
    if (denial !== undefined) return denial
  }
  if (kind === 'container') return CONTAINER
  return peer.process.isUnchanged() ? undefined : CHANGED
}

/** Read at each call, because a process can confine itself at any time. */
function confinedDenial(process: NonNullable<PeerIdentity['process']>, proc: Proc): string | undefined {
  const found = process.read((pid) => confinementOf(pid, proc) ?? 'none')
  // A command line of Sallyport hides after it connected. It was not confined then, and it never confines itself.
  if (found === undefined) return process.isUnchanged() && process.isHidden?.() === true ? undefined : CHANGED
  return found === 'none' ? undefined : CONFINED[found]
}
