/** The clock, randomness and system access of the client; tests replace them. */
import type { Duplex } from 'node:stream'

export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Runs `task` once after `delayMs`; returns a function that cancels it. `background`: the timer does not keep the process alive. */
  after(delayMs: number, task: () => void, background?: boolean): () => void
}

export interface Environment {
  readonly clock: Clock
  /** A number in [0, 1). */
  readonly random: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The folder to search for a directory of the discovery rule: itself, or this user's private folder below it if other users can write there. */
  readonly ownFolder: (directory: string) => string
  /** Whether this process runs in a Flatpak or Snap. */
  readonly isContained: () => boolean
  /** Whether there is a file, a socket or a link. */
  readonly exists: (path: string) => boolean
  /** Opens a socket or pipe. Resolves when connected; rejects if nothing listens there, or with ForeignServerError if another user may listen. */
  readonly connect: (path: string, signal: AbortSignal) => Promise<Duplex>
  /** Calls `onEntry` when an entry of a directory appears or changes; returns a function that stops it. Ignores missing directories. */
  readonly watch: (directories: readonly string[], onEntry: (name: string) => void) => () => void
}
