/**
 * Whether a process has fewer rights than the bridge, so that the bridge must not act for it. The bridge compares the process with itself,
 * because it runs as the user's programs do. Nothing here can be given back: a process that entered never leaves it for another one.
 */
import { type Proc, readOr, statusField } from './proc.ts'

/**
 * `files`: it sees other files. `namespace`: in a process or user namespace of its own. `rights`: it set no_new_privs, without which no program
 * of an ordinary user can confine itself (Landlock, seccomp). `label`: the security module confines it.
 */
export type Confinement = 'files' | 'namespace' | 'rights' | 'label'

/** Links below /proc/PID that differ from ours for a confined process. */
const LINKS: readonly (readonly [link: string, confinement: Confinement])[] = [
  ['ns/mnt', 'files'],
  ['root', 'files'],
  ['ns/pid', 'namespace'],
  ['ns/user', 'namespace'],
]

const LABEL = 'attr/current'
/** AppArmor's name for no profile, and its mark of a profile that denies nothing, such as the one of Steam on Ubuntu. */
const UNCONFINED = /^(?:unconfined|.* \(unconfined\))\n?$/

const LIMITED_LINE = '\nNoNewPrivs:\t1\n'
const LIMITED = Buffer.from(LIMITED_LINE)
const RIGHTS = [Buffer.from('\nNoNewPrivs:\t0\n'), LIMITED]

const hasLimitedRights = (status: string): boolean => status.includes(LIMITED_LINE)

/** The groups of a process come before the line. Thousands of them make the text longer than what is read at once. */
function isLimited(pid: number, proc: Proc): boolean {
  const path = `/proc/${pid}/status`
  const found = proc.firstIn(path, RIGHTS)
  return found === undefined ? hasLimitedRights(proc.read(path)) : found === LIMITED
}

/**
 * Whether our starter has limited rights too, as all processes of a machine may. The unit of the service takes ours away after the start, and
 * must not hide that a game lacks them.
 */
function isLimitedFromStart(proc: Proc): boolean {
  const own = proc.ownText('status')
  if (!hasLimitedRights(own)) return false
  const starter = readOr(`/proc/${statusField(own, 'PPid') ?? ''}`, 'status', proc)
  return starter === '' || hasLimitedRights(starter)
}

function isLabelled(pid: number, proc: Proc): boolean {
  const own = proc.ownText(LABEL)
  // No security module labels processes here.
  if (own === '') return false
  const label = readOr(`/proc/${pid}`, LABEL, proc)
  return label !== own && !UNCONFINED.test(label)
}

/** The first confinement of a process; undefined when it has the rights of the bridge. Throws when the process is not readable or has exited. */
export function confinementOf(pid: number, proc: Proc): Confinement | undefined {
  for (const [link, confinement] of LINKS) if (proc.readlink(`/proc/${pid}/${link}`) !== proc.own(link)) return confinement
  if (isLimited(pid, proc) && !isLimitedFromStart(proc)) return 'rights'
  return isLabelled(pid, proc) ? 'label' : undefined
}
