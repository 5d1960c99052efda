/** The program of a process on Linux, from /proc: a native file, a script and its interpreter, or a container. */
import type { BigIntStats } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { confinementOf } from './confinement.ts'
import { containerOf } from './containers.ts'
import { identityOf, isSameFile, untimedIdentity } from './file-identity.ts'
import { isInterpreter, type ScriptWord, scriptWordOf } from './interpreters.ts'
import type { Proc } from './proc.ts'
import type { FileIdentity, ProgramFacts } from './program.ts'
import { HEAD_BYTES, unlistedScript } from './unlisted-script.ts'
import type { OuterNamespace } from './user-namespace.ts'

/** Confined, but in our own user namespace, or in one that is not below ours. */
const IN_OURS = '0'

const DELETED = ' (deleted)'

export interface NamespacedProc extends Proc {
  readonly outerNamespace: OuterNamespace
}

/** The program file that a process runs. */
interface Image extends FileIdentity {
  readonly stats: BigIntStats
  /** It was deleted: its path has another file or none. */
  readonly isGone: boolean
  /** It may change without its ctime. */
  readonly isUntimed: boolean
}

/**
 * The program of a process. Throws when the process is not readable or has exited. An interpreter whose script is not found is unknown,
 * because it could run anything. So is a program that seems to run a script and is in no row of the table, because nothing says how it chooses
 * the script.
 */
export function programFacts(pid: number, proc: NamespacedProc): ProgramFacts {
  const facts = starterFacts(pid, proc)
  const { executable, file } = facts
  if (facts.kind !== 'native' || executable === undefined || file === undefined) return facts
  const word = unlistedScript(argvOf(pid, proc), (one) => headOf(one, pid, proc))
  return word === undefined ? facts : { kind: 'unknown', executable: word, interpreter: { executable, file } }
}

/** The program of a process that started another one. Its command line names that other one, so a script there is no sign of an interpreter. */
export function starterFacts(pid: number, proc: NamespacedProc): ProgramFacts {
  const image = imageOf(pid, proc)
  const { executable } = image
  const file = image.isUntimed ? untimedIdentity(image.file) : image.file
  if (confinementOf(pid, proc) !== undefined || !isAtItsPath(image, proc)) return contained(pid, image, proc)
  const name = basename(executable)
  if (!isInterpreter(name)) return { kind: 'native', executable, file }
  const script = scriptOf(pid, name, proc)
  return script === undefined ? { kind: 'unknown', executable } : { kind: 'script', ...script, interpreter: { executable, file } }
}

/** The link opens exactly the running file, even when its path has another file. The process then keeps its original path. */
function imageOf(pid: number, proc: Proc): Image {
  const link = `/proc/${pid}/exe`
  const path = proc.readlink(link)
  const stats = proc.stat(link)
  const isGone = stats.nlink === 0n && path.endsWith(DELETED)
  return {
    executable: isGone ? path.slice(0, -DELETED.length) : path,
    file: identityOf(stats),
    stats,
    isGone,
    isUntimed: proc.isUntimed(link, stats),
  }
}

/** A path with another file belongs to another mount namespace or root. */
function isAtItsPath({ executable, stats, isGone }: Image, proc: Proc): boolean {
  if (isGone) return true
  try {
    return isSameFile(proc.stat(executable), stats)
  } catch {
    return false
  }
}

/** An application is identified by its id. The path in any other container is its own claim, and only the file is reliable. */
function contained(pid: number, { executable, file }: Image, proc: NamespacedProc): ProgramFacts {
  const { kind, id } = containerOf(pid, proc)
  if (kind === 'other') {
    return { kind: 'container', container: kind, executable, file: `${id}:${file}`, namespace: proc.outerNamespace(pid) ?? IN_OURS }
  }
  return { kind: 'container', container: kind, executable: id }
}

/** Each argument ends with a NUL, unless the process wrote another command line. It may have megabytes: what names a script comes first. */
function argvOf(pid: number, proc: Proc): readonly string[] {
  const text = proc.headText(`/proc/${pid}/cmdline`)
  return (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0')
}

/** Empty unless the argument names a file. */
function headOf(word: string, pid: number, proc: Proc): string {
  try {
    const path = fromFolder(word, pid, proc)
    return proc.statIfAny(path)?.isFile() === true ? proc.head(path, HEAD_BYTES).toString('latin1') : ''
  } catch {
    return ''
  }
}

/** Undefined when no file is named, or it does not exist. */
function scriptOf(pid: number, name: string, proc: Proc): FileIdentity | undefined {
  const found = scriptWordOf(name, argvOf(pid, proc))
  if (found === undefined) return undefined
  try {
    const path = proc.realpath(found.isWindowsPath ? unixPath(found.word, pid, proc) : fromFolder(found.word, pid, proc))
    const stats = proc.stat(path)
    if (stats.isFile()) return scriptAt(path, stats, proc)
    return inFolder(path, found, proc)
  } catch {
    return undefined
  }
}

function scriptAt(path: string, stats: BigIntStats, proc: Proc): FileIdentity {
  const file = identityOf(stats)
  return { executable: path, file: proc.isUntimed(path, stats) ? untimedIdentity(file) : file }
}

const fromFolder = (word: string, pid: number, proc: Proc): string =>
  isAbsolute(word) ? word : join(proc.readlink(`/proc/${pid}/cwd`), word)

function inFolder(folder: string, { inFolder: name }: ScriptWord, proc: Proc): FileIdentity | undefined {
  if (name === undefined) return undefined
  const path = join(folder, name)
  const stats = proc.stat(path)
  return stats.isFile() ? scriptAt(path, stats, proc) : undefined
}

/** Wine's drives are links in the folder of its prefix. */
function unixPath(word: string, pid: number, proc: Proc): string {
  const environment = new Map(
    proc
      .read(`/proc/${pid}/environ`)
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  )
  const prefix = environment.get('WINEPREFIX') ?? join(environment.get('HOME') ?? '', '.wine')
  return join(prefix, 'dosdevices', word.slice(0, 2).toLowerCase(), word.slice(2).replaceAll('\\', '/'))
}
