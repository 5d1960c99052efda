/**
 * The terminal session of a command line, or the program that started it, from the kernel. Parsing is pure; processes are read via an
 * interface.
 */
import { statField } from './proc.ts'
import { isKnown, NO_SESSION, type Program } from './program.ts'

/** The used fields of `/proc/PID/stat`. */
interface ProcessStat {
  readonly parent: number
  readonly group: number
  /** Session leader. */
  readonly session: number
  /** Device number of the controlling terminal; 0 without one. */
  readonly terminal: number
  /** Foreground process group of the terminal; -1 without a terminal. */
  readonly foreground: number
  /** In clock ticks since boot. Unique per process id. */
  readonly startedAt: string
}

/** Field numbers of proc(5). */
const PARENT = 4
const GROUP = 5
const SESSION = 6
const TERMINAL = 7
const FOREGROUND = 8
const STARTED_AT = 22

/** Undefined for text in another format. */
export function parseStat(text: string): ProcessStat | undefined {
  const startedAt = statField(text, STARTED_AT)
  const [parent, group, session, terminal, foreground] = [PARENT, GROUP, SESSION, TERMINAL, FOREGROUND].map((at) =>
    Number(statField(text, at)),
  )
  const isWhole = [parent, group, session, terminal, foreground].every(Number.isSafeInteger)
  if (!text.includes(')') || !isWhole || startedAt === undefined || !/^\d+$/.test(startedAt)) return undefined
  return { parent, group, session, terminal, foreground, startedAt } as ProcessStat
}

/** Whether the process is in the foreground of a terminal, so that a user controls it. */
export const isAtTerminal = ({ terminal, group, foreground }: ProcessStat): boolean => terminal !== 0 && group === foreground

/** Reads processes. */
export interface ProcessReader {
  /** The text of `/proc/PID/stat`. Throws when the process has exited. */
  stat(pid: number): string
  /** The program that a process runs. */
  program(pid: number): Program
}

const TERMINAL_PREFIX = 'tty:'
const STARTER_PREFIX = 'by:'

/** The init process and the programs that adopt orphaned processes. */
const FIRST_PROCESS = 1
const ADOPTERS = new Set(['systemd', 'init', 'launchd', 'tini', 'dumb-init', 'containerd-shim', 'containerd-shim-runc-v2'])

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Session text of the starting program. An orphaned process has no known starter, because its adopter did not start it. */
function startedBy({ kind, executable, file, interpreter, container }: Program): string {
  const starter = [executable, kind, file, interpreter?.executable, interpreter?.file, container]
  return `${STARTER_PREFIX}${JSON.stringify(starter.map((part) => part ?? null))}`
}

function statOf(pid: number, reader: ProcessReader): ProcessStat | undefined {
  try {
    return parseStat(reader.stat(pid))
  } catch {
    return undefined
  }
}

function starterOf(pid: number, { parent }: ProcessStat, reader: ProcessReader): string {
  if (parent <= FIRST_PROCESS) return NO_SESSION
  const program = reader.program(parent)
  // If the parent is unchanged after the read, the PID belonged to it all the time.
  if (statOf(pid, reader)?.parent !== parent) return NO_SESSION
  const isKnownStarter = isKnown(program) && program.file !== undefined && !ADOPTERS.has(lastPart(program.executable ?? ''))
  return isKnownStarter ? startedBy(program) : NO_SESSION
}

/**
 * The session of a process. In the foreground of a terminal: `tty:`, the session leader and its start time. Otherwise: `by:` and the program
 * that started it. NO_SESSION when neither is known.
 */
export function sessionOf(pid: number, reader: ProcessReader): string {
  const stat = statOf(pid, reader)
  if (stat === undefined) return NO_SESSION
  const leader = isAtTerminal(stat) ? statOf(stat.session, reader) : undefined
  return leader === undefined ? starterOf(pid, stat, reader) : `${TERMINAL_PREFIX}${stat.session}:${leader.startedAt}`
}

/** Display text of a session from `sessionOf`. */
export function sessionText(session: string): string {
  if (session.startsWith(TERMINAL_PREFIX)) return 'in a terminal'
  if (!session.startsWith(STARTER_PREFIX)) return 'started by an unknown program'
  const [executable] = JSON.parse(session.slice(STARTER_PREFIX.length)) as readonly string[]
  return `started by ${executable}`
}
