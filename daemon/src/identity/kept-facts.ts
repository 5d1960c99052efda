/**
 * The facts of command lines of Sallyport that hide after they connected. They hold tokens, so they forbid other programs to read them
 * (core/src/os/harden.ts), and the bridge of an ordinary user then cannot read them again either.
 */
import { closeSync, openSync, readSync } from 'node:fs'
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
export interface ConnectionFacts {
  /** Throws when the process is not readable, and is no command line that was readable before. */
  readonly of: (pid: number) => ProgramFacts
  /** Whether the last facts are those that were kept. */
  readonly isHidden: () => boolean
  readonly release: () => void
}

/** Creates the facts of each connection. All connections of a process share what is kept of it. */
export function keptFacts({ read, sessionOf, hold = holdImage }: Parts): () => ConnectionFacts {
  const kept = new Map<number, Kept>()

  return () => {
    let isHidden = false
    let own: { readonly pid: number; readonly kept: Kept } | undefined
    const keep = (pid: number, found: Kept): void => {
      if (own !== undefined) return
      own = { pid, kept: found }
      found.connections++
    }
    const reread = (pid: number): ProgramFacts => {
      const found = own?.kept ?? kept.get(pid)
      if (found?.image.isInUse() !== true) throw new Error(`process ${pid} hides, and was not known before`)
      keep(pid, found)
      return { ...found.facts, session: sessionOf(pid) }
    }
    const isKept = ({ kind, session }: ProgramFacts): boolean => session !== undefined && (kind === 'native' || kind === 'script')
    return {
      of(pid) {
        let facts: ProgramFacts
        isHidden = false
        try {
          facts = read(pid)
        } catch {
          const known = reread(pid)
          isHidden = true
          return known
        }
        if (own === undefined && isKept(facts)) {
          const before = kept.get(pid)
          const found = before?.image.isInUse() === true ? before : { facts, image: hold(pid), connections: 0 }
          kept.set(pid, found)
          keep(pid, found)
        }
        return facts
      },
      isHidden: () => isHidden,
      release() {
        if (own === undefined || --own.kept.connections > 0) return
        own.kept.image.release()
        if (kept.get(own.pid) === own.kept) kept.delete(own.pid)
      },
    }
  }
}
