/** Creates a process handle from a system's watch: the rules that all systems share. */
import type { ProcessHandle } from './process-handle.ts'
import { compareFiles, type Program, type ProgramFacts, programOf } from './program.ts'
import type { LocalPeer } from './system.ts'

/** A system's way to check that a process is the one that connected. */
export interface ProcessWatch {
  isAlive(): boolean
  release(): void
}

/** What says which program a process runs. */
export interface FactsSource {
  /** Throws when the process is not readable. */
  of(pid: number): ProgramFacts
  /** See ProcessHandle. */
  isHidden?(): boolean
}

/** `imagePath`: see ProcessHandle. */
export function createProcessHandle(pid: number, watch: ProcessWatch, source: FactsSource, imagePath?: string): LocalPeer {
  const process = new WatchedProcess(pid, watch, source, imagePath)
  return { pid, ...process.first, process }
}

/** A class, because a thousand connections would have as many of each closure. */
class WatchedProcess implements ProcessHandle {
  readonly pid: number
  readonly imagePath: string | undefined
  /** The program that connected; undefined when it was not readable. */
  readonly first: ProgramFacts | undefined
  readonly #watch: ProcessWatch
  readonly #source: FactsSource
  #isReleased = false

  constructor(pid: number, watch: ProcessWatch, source: FactsSource, imagePath: string | undefined) {
    this.pid = pid
    this.imagePath = imagePath
    this.#watch = watch
    this.#source = source
    this.first = this.#facts()
  }

  read<T>(readFacts: (pid: number) => T): T | undefined {
    if (this.#isReleased || !this.#watch.isAlive()) return undefined
    let seen: T | undefined
    try {
      seen = readFacts(this.pid)
    } catch {
      return undefined
    }
    // The facts may belong to a process that reused the PID.
    return this.#watch.isAlive() ? seen : undefined
  }

  isUnchanged(): boolean {
    const now = this.#facts()
    return now !== undefined && this.first !== undefined && runsTheSame(programOf(this.first), programOf(now))
  }

  isHidden(): boolean {
    return this.#source.isHidden?.() === true
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#watch.release()
  }

  #facts(): ProgramFacts | undefined {
    return this.read((pid) => this.#source.of(pid))
  }
}

/** Ignores ctime: the file may have been linked or replaced on the disk, but the process still runs its original file. */
const runsTheSame = (one: Program, other: Program): boolean =>
  one.kind === other.kind &&
  one.executable === other.executable &&
  one.interpreter?.executable === other.interpreter?.executable &&
  one.session === other.session &&
  compareFiles(one, other) !== 'other'
