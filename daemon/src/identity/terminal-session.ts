/**
 * The terminal session of a command line, or the program that started it, from the kernel. The chain of its ancestors says who made the
 * terminal, and who started it (ancestors.ts).
 */
import { type Ancestor, firstThatDecides, type Found, type ProcessReader, statOf } from './ancestors.ts'
import { isAtTerminal, type ProcessStat } from './process-stat.ts'
import { isKnown, NO_SESSION, type Program } from './program.ts'

/** `tty`: a terminal that a user sees. `pty`: one that another program made. `by`: no terminal, but a starter. `none`: neither is known again. */
export type SessionKind = 'tty' | 'pty' | 'by' | typeof NO_SESSION

/** A session as prompts describe it. `ancestor`: who made the terminal, or started the command line; undefined when that is not known. */
export interface Session {
  readonly kind: SessionKind
  readonly ancestor: Ancestor | undefined
}

const partsOf = ({ kind, executable, file, interpreter, container }: Ancestor): string =>
  JSON.stringify([executable, kind, file, interpreter?.executable, interpreter?.file, container].map((part) => part ?? null))

type Parts = readonly [string, Ancestor['kind'], string | null, string | null, string | null, Ancestor['container'] | null]

function ancestorOf(parts: string): Ancestor {
  const [executable, kind, file, interpreter, interpreterFile, container] = JSON.parse(parts) as Parts
  return {
    executable,
    kind,
    file: file ?? undefined,
    ...(interpreter === null ? {} : { interpreter: { executable: interpreter, file: interpreterFile ?? '' } }),
    ...(container === null ? {} : { container }),
  }
}

/** Whether the starter can be recognised, and is the one that decides what it starts. */
const isKeptStarter = ({ ancestor, claims }: Found): boolean =>
  claims === undefined && ancestor.file !== undefined && isKnown(ancestor as Program)

function starterOf(pid: number, { parent }: ProcessStat, reader: ProcessReader): string {
  const found = firstThatDecides(parent, () => statOf(pid, reader)?.parent === parent, reader)
  if (found === undefined) return NO_SESSION
  return `${isKeptStarter(found) ? 'by' : NO_SESSION}:${partsOf(found.ancestor)}`
}

/** The command line itself made no terminal. It may hide by now, so it is not looked at. */
function terminalOf(pid: number, leader: number, { startedAt, parent }: ProcessStat, reader: ProcessReader): string {
  const isStill = (): boolean => {
    const now = statOf(leader, reader)
    return now?.startedAt === startedAt && now.parent === parent
  }
  const found = firstThatDecides(pid === leader ? parent : leader, isStill, reader)
  const kind = found?.role === 'terminal' ? 'tty' : 'pty'
  return `${kind}:${leader}:${startedAt}:${found === undefined ? '' : partsOf(found.ancestor)}`
}

/**
 * The session of a process. In the foreground of a terminal: `tty:` or `pty:`, the session leader, its start time, and who made the terminal.
 * Otherwise: `by:` and the program that started it. NO_SESSION, alone or with a name for the prompt, when that one is not known again.
 */
export function sessionOf(pid: number, reader: ProcessReader): string {
  const stat = statOf(pid, reader)
  if (stat === undefined) return NO_SESSION
  const leader = isAtTerminal(stat) ? statOf(stat.session, reader) : undefined
  return leader === undefined ? starterOf(pid, stat, reader) : terminalOf(pid, stat.session, leader, reader)
}

/**
 * Whether the process stands in the foreground of a terminal, and only shells and other launchers are between it and the program that shows that
 * terminal. A program that the user runs there is none of these, so what it starts was not typed.
 */
export function isTyped(pid: number, reader: ProcessReader): boolean {
  const stat = statOf(pid, reader)
  if (stat === undefined || !isAtTerminal(stat)) return false
  return firstThatDecides(stat.parent, () => statOf(pid, reader)?.parent === stat.parent, reader)?.role === 'terminal'
}

const SESSION = /^(tty|pty|by|none)(?::\d+:\d+)?(?::(\[.*\])?)?$/s

/** What a text from `sessionOf` says. */
export function parseSession(session: string): Session {
  const [, kind = NO_SESSION, parts] = SESSION.exec(session) ?? []
  return { kind: kind as SessionKind, ancestor: parts === undefined ? undefined : ancestorOf(parts) }
}
