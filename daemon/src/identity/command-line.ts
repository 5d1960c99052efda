/** Recognises the command line of Sallyport among connected programs: it runs the same file as this daemon. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_SESSION, type ProgramFacts } from './program.ts'
import type { ProcessReader } from './ancestors.ts'
import { isAllOfRoot } from './proc.ts'
import { isTyped, sessionOf } from './terminal-session.ts'

/** The files that this process runs, links resolved. */
interface OwnProgram {
  /** Path of the executable: Node, or the packaged file. */
  readonly executable: string
  /** Path of the script; the executable itself where that holds the program. */
  readonly script: string
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // It was removed after the start.
  }
}

const ROOT = 0
const WRITABLE_BY_ALL = 0o002

/** This process. */
export const OWN_PROGRAM: OwnProgram = { executable: realPath(process.execPath), script: realPath(process.argv[1] ?? process.execPath) }

const LAUNCHER = 'sallyport.mjs'

/** Whether a path is that of the script, or of its launcher in the source tree and the npm package. */
const isOurScript = (path: string, { script }: OwnProgram): boolean =>
  path === script || (path.endsWith(LAUNCHER) && path === join(script, '..', '..', 'bin', LAUNCHER))

/**
 * Whether a program is Sallyport's command line. A replaced file counts too. A process can fake which script it runs, but gains no more than
 * by running ours.
 */
export function isCommandLine({ executable, interpreter }: ProgramFacts, own: OwnProgram): boolean {
  if (executable === undefined) return false
  if (own.script === own.executable) return executable === own.executable
  return interpreter?.executable === own.executable && isOurScript(executable, own)
}

/** Program facts on systems without terminal sessions: the command line gets NO_SESSION, so its grants are not stored. */
export const withoutSession = (facts: ProgramFacts, own = OWN_PROGRAM): ProgramFacts =>
  isCommandLine(facts, own) ? { ...facts, session: NO_SESSION } : facts

/** Whether only root can change the file, and give its name to another one: a link to it elsewhere may have any name. */
function isFileOfRoot(path: string): boolean {
  try {
    return [path, dirname(path)].map((one) => statSync(one)).every(({ uid, mode }) => uid === ROOT && (mode & WRITABLE_BY_ALL) === 0)
  } catch {
    return false // It was removed.
  }
}

const processReader = (program: ProcessReader['program'], own: OwnProgram): ProcessReader => ({
  stat: (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8'),
  program,
  isOfRoot(pid) {
    try {
      return isAllOfRoot(readFileSync(`/proc/${pid}/status`, 'utf8'))
    } catch {
      return false
    }
  },
  isTrusted: (path) => path === own.executable || isOurScript(path, own) || isFileOfRoot(path),
  isOurs: (path) => isOurScript(path, own),
})

/** The session of our command line on Linux. `program`: reads the program of another process. */
export const sessionOnLinux = (pid: number, program: ProcessReader['program'], own = OWN_PROGRAM): string =>
  sessionOf(pid, processReader(program, own))

/** Program facts on Linux, with the session for our command line. */
export function withSession(pid: number, facts: ProgramFacts, program: ProcessReader['program'], own = OWN_PROGRAM): ProgramFacts {
  if (!isCommandLine(facts, own)) return facts
  return { ...facts, session: sessionOnLinux(pid, program, own), isTyped: isTyped(pid, processReader(program, own)) }
}
