/** Recognises the command line of Sallyport among the programs that connect: it runs the very file that this daemon runs. */
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NO_SESSION } from './program.ts'
import { type ProcessReader, sessionOf } from './terminal-session.ts'

/** Arguments that are looked at for the script: switches of the interpreter may stand before it. */
const LEADING_ARGUMENTS = 8

/** What runs here. */
export interface OwnProgram {
  /** Path of the executable: Node, or the packaged file. */
  readonly executable: string
  /** Path of the script; the executable itself where that holds the program. */
  readonly script: string
}

/** Device and inode; undefined where nothing can be looked at. */
function fileKey(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

const isOneOf = (key: string | undefined, paths: readonly string[]): boolean =>
  key !== undefined && paths.some((path) => fileKey(path) === key)

/** Beside the script lies another one that starts it, in the source tree and in the package of npm. */
const scriptsOf = ({ script }: OwnProgram): readonly string[] => [script, join(script, '..', '..', 'bin', 'sallyport.mjs')]

/** Only of arguments that name a file; the rest of a command line is not kept. */
function namesScript(pid: number, own: OwnProgram): boolean {
  try {
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const directory = readlinkSync(`/proc/${pid}/cwd`)
    const named = args.slice(0, LEADING_ARGUMENTS).filter((argument) => argument !== '' && !argument.startsWith('-'))
    return named.some((argument) => isOneOf(fileKey(resolve(directory, argument)), scriptsOf(own)))
  } catch {
    return false
  }
}

const isPackaged = ({ executable, script }: OwnProgram): boolean => fileKey(script) === fileKey(executable)

/**
 * Whether a process is our command line, on Linux. The executable is compared by the file that runs, which may have been replaced at its path since
 * this daemon started: both files count. What a script is named by is the process's own word, and gains it no more than running that script.
 */
export function isCommandLine(pid: number, own: OwnProgram): boolean {
  if (!isOneOf(fileKey(`/proc/${pid}/exe`), ['/proc/self/exe', own.executable])) return false
  return isPackaged(own) || namesScript(pid, own)
}

/** The same where the system says nothing of sessions: the packaged command line has none, and so nothing that it may keep. */
export const sessionlessFacts = (executable: string, own: OwnProgram): { readonly session?: string } =>
  isPackaged(own) && isOneOf(fileKey(executable), [own.executable]) ? { session: NO_SESSION } : {}

/** What a connection of the command line says besides, on Linux: its session. Nothing for any other program. */
export function sessionFacts(pid: number, own: OwnProgram, program: ProcessReader['program']): { readonly session?: string } {
  if (!isCommandLine(pid, own)) return {}
  return { session: sessionOf(pid, { stat: (of) => readFileSync(`/proc/${of}/stat`, 'utf8'), program }) }
}
