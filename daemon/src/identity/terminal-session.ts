/**
 * From where a command line was started, in the kernel's words: its terminal, or the program that started it.
 * Parsing is pure; what is read of a process comes through a port.
 */
import { statField } from './proc.ts'
import { isKnown, NO_SESSION, type Program } from './program.ts'

/** What `/proc/PID/stat` says of a process, as far as it is used here. */
export interface ProcessStat {
  readonly parent: number
  readonly group: number
  /** Process that began the session. */
  readonly session: number
  /** Device number of the controlling terminal; 0 without one. */
  readonly terminal: number
  /** The process group that the terminal listens to; -1 without a terminal. */
  readonly foreground: number
  /** In clock ticks since the system started. No two processes with the same id have the same one. */
  readonly startedAt: string
}

/** Numbers of the fields in proc(5). */
const PARENT = 4
const GROUP = 5
const SESSION = 6
const TERMINAL = 7
const FOREGROUND = 8
const STARTED_AT = 22

/** Undefined for a text of another form. */
export function parseStat(text: string): ProcessStat | undefined {
  const startedAt = statField(text, STARTED_AT)
  const [parent, group, session, terminal, foreground] = [PARENT, GROUP, SESSION, TERMINAL, FOREGROUND].map((at) =>
    Number(statField(text, at)),
  )
  const isWhole = [parent, group, session, terminal, foreground].every(Number.isSafeInteger)
  if (!text.includes(')') || !isWhole || startedAt === undefined || !/^\d+$/.test(startedAt)) return undefined
  return { parent, group, session, terminal, foreground, startedAt } as ProcessStat
}

/** Whether the process has a controlling terminal that listens to it: the terminal of a person, not of a program in the background. */
export const isAtTerminal = ({ terminal, group, foreground }: ProcessStat): boolean => terminal !== 0 && group === foreground

/** What is read of processes. */
export interface ProcessReader {
  /** The text of `/proc/PID/stat`. Throws when the process has ended. */
  stat(pid: number): string
  /** The program that a process runs. */
  program(pid: number): Program
}

const TERMINAL_PREFIX = 'tty:'
const STARTER_PREFIX = 'by:'

/** The process that takes over those whose parent has ended, and programs that do the same for a session of a user. */
const FIRST_PROCESS = 1
const TAKES_OVER = new Set(['systemd', 'init', 'launchd', 'tini', 'dumb-init', 'containerd-shim', 'containerd-shim-runc-v2'])

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** A process whose parent has ended belongs to another one, which started nothing: what it was started by is not known any more. */
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
  // Read between two looks: a parent that is still the parent was there, under that id, all the while.
  if (statOf(pid, reader)?.parent !== parent) return NO_SESSION
  const isKnownStarter = isKnown(program) && program.file !== undefined && !TAKES_OVER.has(lastPart(program.executable ?? ''))
  return isKnownStarter ? startedBy(program) : NO_SESSION
}

/**
 * The session of a process. In the foreground of a terminal: `tty:` and the process that began the terminal's session, with its start time.
 * Anywhere else: `by:` and the program that started it. NO_SESSION when neither is known.
 */
export function sessionOf(pid: number, reader: ProcessReader): string {
  const stat = statOf(pid, reader)
  if (stat === undefined) return NO_SESSION
  const leader = isAtTerminal(stat) ? statOf(stat.session, reader) : undefined
  return leader === undefined ? starterOf(pid, stat, reader) : `${TERMINAL_PREFIX}${stat.session}:${leader.startedAt}`
}

/** Of a session as sessionOf gives it, for people. */
export function sessionText(session: string): string {
  if (session.startsWith(TERMINAL_PREFIX)) return 'in a terminal'
  if (!session.startsWith(STARTER_PREFIX)) return 'started by a program that is not known'
  const [executable] = JSON.parse(session.slice(STARTER_PREFIX.length)) as readonly string[]
  return `started by ${executable}`
}
