/**
 * The facts of command lines of Sallyport that hide after they connected. They hold tokens, so they forbid other programs to read them
 * (core/src/os/harden.ts), and the bridge of an ordinary user then cannot read them again either.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { FactsSource } from './create-process-handle.ts'
import type { ProgramFacts } from './program.ts'

/** The memory of a process, from the time when it could be read. */
export interface HeldImage {
  /** Whether the process still has that memory. It has not once it has exited or runs another program. */
  isInUse(): boolean
  release(): void
}

/** Throws when the process is not readable. */
export function holdImage(pid: number): HeldImage {
  // The system checks the reader when the file is opened, not at each read. The text ends with the memory of which it is.
  const maps = openSync(`/proc/${pid}/maps`, 'r')
  const byte = Buffer.alloc(1)
  return {
    isInUse() {
      try {
        return readSync(maps, byte, 0, byte.length, 0) > 0
      } catch {
        return false
      }
    },
    release: () => closeSync(maps),
  }
}

interface Kept {
  readonly facts: ProgramFacts
  readonly image: HeldImage
  connections: number
}

interface Parts {
  /** Throws when the process is not readable. */
  readonly read: (pid: number) => ProgramFacts
  /** The session of a command line, which it may leave. */
  readonly sessionOf: (pid: number) => string
  readonly hold?: (pid: number) => HeldImage
}

/** Facts of one connection. */
export interface ConnectionFacts extends FactsSource {
  /** Whether the last facts are those that were kept. */
  isHidden(): boolean
  release(): void
}

const isKept = ({ kind, session }: ProgramFacts): boolean => session !== undefined && (kind === 'native' || kind === 'script')

/** Creates the facts of each connection. All connections of a process share what is kept of it. */
export function keptFacts({ read, sessionOf, hold = holdImage }: Parts): () => ConnectionFacts {
  const kept = new Map<number, Kept>()

  /** A class, because a thousand connections would have as many of each closure. */
  class OfConnection implements ConnectionFacts {
    /** What this connection counts in. */
    #kept: Kept | undefined
    #pid = 0
    #isHidden = false

    of(pid: number): ProgramFacts {
      let facts: ProgramFacts
      this.#isHidden = false
      try {
        facts = read(pid)
      } catch {
        const known = this.#reread(pid)
        this.#isHidden = true
        return known
      }
      if (this.#kept === undefined && isKept(facts)) {
        const before = kept.get(pid)
        const found = before?.image.isInUse() === true ? before : { facts, image: hold(pid), connections: 0 }
        kept.set(pid, found)
        this.#keep(pid, found)
      }
      return facts
    }

    isHidden(): boolean {
      return this.#isHidden
    }

    release(): void {
      const own = this.#kept
      if (own === undefined || --own.connections > 0) return
      own.image.release()
      if (kept.get(this.#pid) === own) kept.delete(this.#pid)
    }

    #reread(pid: number): ProgramFacts {
      const found = this.#kept ?? kept.get(pid)
      if (found?.image.isInUse() !== true) throw new Error(`process ${pid} hides, and was not known before`)
      this.#keep(pid, found)
      return { ...found.facts, session: sessionOf(pid) }
    }

    #keep(pid: number, found: Kept): void {
      if (this.#kept !== undefined) return
      this.#pid = pid
      this.#kept = found
      found.connections++
    }
  }

  return () => new OfConnection()
}
