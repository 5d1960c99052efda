/**
 * The first ancestor of a process that is no launcher (launchers.ts). Processes are read via an interface.
 *
 * Only files of root count as launchers, because every program may call itself `timeout`. Other users' programs cannot be read. Of those, the
 * names that root's processes have count, because no other user can start a process as root under a name of their choice.
 */
import { basename } from 'node:path'
import { type Role, roleOf } from './launchers.ts'
import { parseStat, type ProcessStat } from './process-stat.ts'
import type { Program, ProgramKind } from './program.ts'

/** Reads processes. */
export interface ProcessReader {
  /** The text of `/proc/PID/stat`. Throws when the process has exited. */
  stat(pid: number): string
  /** The program that a process runs; unknown without a path when it cannot be read. */
  program(pid: number): Program
  /** Whether root runs the process, and no other user does. */
  isOfRoot(pid: number): boolean
  /** Whether the file is one of root's, or belongs to this program. */
  isTrusted(path: string): boolean
  /** Whether the file is the script or executable of this program. */
  isOurs(path: string): boolean
}

/** A process as prompts name it. `root`: a process of root. `hidden`: one that cannot be read. Both have their own name as `executable`. */
export interface Ancestor extends Pick<Program, 'executable' | 'file' | 'interpreter' | 'container'> {
  readonly kind: ProgramKind | 'root' | 'hidden'
}

/** The init process of the machine. */
const FIRST_PROCESS = 1
/** More than any honest chain has. */
const MOST_ANCESTORS = 64

export function statOf(pid: number, reader: Pick<ProcessReader, 'stat'>): ProcessStat | undefined {
  try {
    return parseStat(reader.stat(pid))
  } catch {
    return undefined
  }
}

/** A server for remote terminals has a process of the user, which hides from that user, below one of root, which starts no other program. */
function ofRoot(pid: number, { name, parent }: ProcessStat, reader: ProcessReader): string | undefined {
  if (reader.isOfRoot(pid)) return name
  const above = parent > FIRST_PROCESS && reader.isOfRoot(parent) ? statOf(parent, reader)?.name : undefined
  return above !== undefined && roleOf(above) === 'terminal' ? above : undefined
}

function ancestorAt(pid: number, stat: ProcessStat, reader: ProcessReader): Ancestor {
  const program = reader.program(pid)
  if (program.executable !== undefined) return program
  const name = ofRoot(pid, stat, reader)
  return name === undefined
    ? { kind: 'hidden', executable: stat.name, file: undefined }
    : { kind: 'root', executable: name, file: undefined }
}

/** Kinds whose name is that of a file, or one that root chose. */
const NAMED: ReadonlySet<Ancestor['kind']> = new Set(['native', 'script', 'unknown', 'root'])

/** Whether its name says what it is. */
const isTrusted = ({ kind, executable, interpreter }: Ancestor, reader: ProcessReader): boolean =>
  kind === 'root' ||
  (NAMED.has(kind) && [executable, interpreter?.executable].every((path) => path === undefined || reader.isTrusted(path)))

function claimedRole({ kind, executable = '' }: Ancestor, reader: ProcessReader): Role | undefined {
  if (!NAMED.has(kind)) return undefined
  return reader.isOurs(executable) ? 'launcher' : roleOf(basename(executable))
}

export interface Found {
  readonly ancestor: Ancestor
  /** The role that it has by its name. */
  readonly claims: Role | undefined
  /** The same, where the name can be trusted. */
  readonly role: Role | undefined
}

/**
 * The process itself, or else the first of its ancestors, that is no launcher. `isStill`: whether its id is still its own. Undefined when the
 * chain ends at an adopter, because an orphan has no known starter, or when a process in it exits meanwhile.
 */
export function firstThatDecides(from: number, isStill: () => boolean, reader: ProcessReader): Found | undefined {
  let pid = from
  let isCurrent = isStill
  for (let step = 0; step < MOST_ANCESTORS && pid > FIRST_PROCESS; step++) {
    const stat = statOf(pid, reader)
    if (stat === undefined) return undefined
    const ancestor = ancestorAt(pid, stat, reader)
    // If the process below still has it as its parent, the id belonged to it all the time.
    if (!isCurrent()) return undefined
    const claims = claimedRole(ancestor, reader)
    const role = isTrusted(ancestor, reader) ? claims : undefined
    if (role === 'adopter') return undefined
    if (role !== 'launcher') return { ancestor, claims, role }
    const [child, { parent, startedAt }] = [pid, stat]
    isCurrent = () => {
      const now = statOf(child, reader)
      return now?.parent === parent && now.startedAt === startedAt
    }
    pid = parent
  }
  return undefined
}
