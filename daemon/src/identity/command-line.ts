/** Recognises the command line of Sallyport among the programs that connect: it runs the very file that this daemon runs. */
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { NO_SESSION, type ProgramFacts } from './program.ts'
import { type ProcessReader, sessionOf } from './terminal-session.ts'

/** What runs here, links followed. */
export interface OwnProgram {
  /** Path of the executable: Node, or the packaged file. */
  readonly executable: string
  /** Path of the script; the executable itself where that holds the program. */
  readonly script: string
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // It was removed since it was started.
  }
}

/** This process. */
export const OWN_PROGRAM: OwnProgram = { executable: realPath(process.execPath), script: realPath(process.argv[1] ?? process.execPath) }

/** Beside the script lies another one that starts it, in the source tree and in the package of npm. */
const scriptsOf = ({ script }: OwnProgram): readonly string[] => [script, join(script, '..', '..', 'bin', 'sallyport.mjs')]

/**
 * Whether a program is our command line: a file that took the place of ours counts too. Which script runs is the process's own word, and a
 * program that says ours gains no more than by running it.
 */
export function isCommandLine({ executable, interpreter }: ProgramFacts, own: OwnProgram): boolean {
  if (executable === undefined) return false
  if (own.script === own.executable) return executable === own.executable
  return interpreter?.executable === own.executable && scriptsOf(own).includes(executable)
}

/** The same, where the system says nothing of sessions: our command line has none, and so nothing that it may keep. */
export const withoutSession = (facts: ProgramFacts, own = OWN_PROGRAM): ProgramFacts =>
  isCommandLine(facts, own) ? { ...facts, session: NO_SESSION } : facts

/** What is known of a program on Linux; of our command line its session too. `program`: what any other process runs. */
export function withSession(pid: number, facts: ProgramFacts, program: ProcessReader['program'], own = OWN_PROGRAM): ProgramFacts {
  if (!isCommandLine(facts, own)) return facts
  return { ...facts, session: sessionOf(pid, { stat: (of) => readFileSync(`/proc/${of}/stat`, 'utf8'), program }) }
}
