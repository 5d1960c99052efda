/** Creates a process handle from a system's watch: the rules that all systems share. */
import type { ProcessHandle } from './process-handle.ts'
import { compareFiles, type Program, type ProgramFacts, programOf } from './program.ts'
import type { LocalPeer } from './system.ts'

/** A system's way to check that a process is the one that connected. */
export interface ProcessWatch {
  isAlive(): boolean
  release(): void
}

const attempt = <T>(readFacts: () => T): T | undefined => {
  try {
    return readFacts()
  } catch {
    return undefined
  }
}

/** `factsOf` returns the program of the process and throws when it is not readable. `own`: see ProcessHandle. */
export function createProcessHandle(
  pid: number,
  watch: ProcessWatch,
  factsOf: (pid: number) => ProgramFacts,
  own: Pick<ProcessHandle, 'imagePath' | 'isHidden'> = {},
): LocalPeer {
  let isReleased = false
  const read = <T>(readFacts: (pid: number) => T): T | undefined => {
    if (isReleased || !watch.isAlive()) return undefined
    const seen = attempt(() => readFacts(pid))
    // The facts may belong to a process that reused the PID.
    return watch.isAlive() ? seen : undefined
  }
  const first = read(factsOf)
  const process: ProcessHandle = {
    pid,
    ...own,
    read,
    isUnchanged() {
      const now = read(factsOf)
      return now !== undefined && first !== undefined && runsTheSame(programOf(first), programOf(now))
    },
    release() {
      if (isReleased) return
      isReleased = true
      watch.release()
    },
  }
  return { pid, ...first, process }
}

/** Ignores ctime: the file may have been linked or replaced on the disk, but the process still runs its original file. */
const runsTheSame = (one: Program, other: Program): boolean =>
  one.kind === other.kind &&
  one.executable === other.executable &&
  one.interpreter?.executable === other.interpreter?.executable &&
  one.session === other.session &&
  compareFiles(one, other) !== 'other'
