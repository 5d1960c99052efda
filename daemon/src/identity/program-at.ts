/** The program of a process, from its path and command line: a native file, or a script and its interpreter. */
import { realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { withoutSession } from './command-line.ts'
import { fileAt, identityOf } from './file-identity.ts'
import { isInterpreter, scriptWordOf } from './interpreters.ts'
import type { FileIdentity, ProgramFacts } from './program.ts'

export interface Launched {
  /** Path of the program file. */
  readonly executable: string
  /** Arguments of its command line. Read for interpreters only; undefined when the system does not return them. */
  argv(): readonly string[] | undefined
  /** Its working folder; undefined when the system does not return it. */
  folder(): string | undefined
}

/** An interpreter whose script is not found is unknown, because it could run anything. */
export function programAt(launched: Launched): ProgramFacts {
  const { executable } = launched
  const file = fileAt(executable)
  if (file === undefined) return { kind: 'unknown', executable }
  // File names are case-insensitive on these systems.
  const name = basename(executable).toLowerCase()
  if (!isInterpreter(name)) return withoutSession({ kind: 'native', executable, file })
  const script = scriptOf(name, launched)
  return script === undefined
    ? { kind: 'unknown', executable }
    : withoutSession({ kind: 'script', ...script, interpreter: { executable, file } })
}

function scriptOf(name: string, launched: Launched): FileIdentity | undefined {
  const found = scriptWordOf(name, launched.argv() ?? [])
  if (found === undefined) return undefined
  const from = isAbsolute(found.word) ? '' : launched.folder()
  if (from === undefined) return undefined
  try {
    const path = realpathSync(join(from, found.word))
    return regularFile(path) ?? (found.inFolder === undefined ? undefined : regularFile(join(path, found.inFolder)))
  } catch {
    return undefined
  }
}

function regularFile(path: string): FileIdentity | undefined {
  const stats = statSync(path, { bigint: true })
  return stats.isFile() ? { executable: path, file: identityOf(stats) } : undefined
}
