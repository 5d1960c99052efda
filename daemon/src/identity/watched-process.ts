/** A held process, made of what a system gives to hold it by: the rules that are the same on every system. */
import type { HeldProcess } from './held-process.ts'
import { compareFiles, type Program, type ProgramFacts, programOf } from './program.ts'
import type { LocalPeer } from './system.ts'

/** One way to know that a process is the one that connected. */
export interface Watch {
  isAlive(): boolean
  release(): void
}

const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** `factsOf` says what the process runs; it throws where that cannot be read. `imagePath`: as HeldProcess has it. */
export function watchedProcess(pid: number, watch: Watch, factsOf: (pid: number) => ProgramFacts, imagePath?: string): LocalPeer {
  let isReleased = false
  const read = <T>(look: (pid: number) => T): T | undefined => {
    if (isReleased || !watch.isAlive()) return undefined
    const seen = attempt(() => look(pid))
    // What was read may be of a process that began after ours had ended.
    return watch.isAlive() ? seen : undefined
  }
  const first = read(factsOf)
  const process: HeldProcess = {
    pid,
    ...(imagePath === undefined ? {} : { imagePath }),
    read,
    isSame() {
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

/** A file whose ctime alone is another may have been linked or replaced on the disk; the process runs what it began with. */
const runsTheSame = (one: Program, other: Program): boolean =>
  one.kind === other.kind &&
  one.executable === other.executable &&
  one.interpreter?.executable === other.interpreter?.executable &&
  one.session === other.session &&
  compareFiles(one, other) !== 'other'
