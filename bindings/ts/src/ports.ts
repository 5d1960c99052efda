/** What the client needs of the world, as ports: tests decide what time it is, how dice fall and which servers exist. */
import type { Duplex } from 'node:stream'

export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Runs `task` once after `delayMs`; the function it returns cancels. `background`: does not keep the process alive. */
  after(delayMs: number, task: () => void, background?: boolean): () => void
}

export interface Ports {
  readonly clock: Clock
  /** A number in [0, 1). */
  readonly random: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The folder in a directory of the discovery rule to look in: itself, or where other users may put sockets there too, one of this user alone. */
  readonly ownFolder: (directory: string) => string
  /** Opens a socket or pipe; resolves once connected, rejects when nothing listens there, or (ForeignServer) perhaps another user. */
  readonly dial: (path: string, signal: AbortSignal) => Promise<Duplex>
  /** Tells when an entry appears or changes in one of the directories; the function it returns stops. Missing directories are passed over. */
  readonly watch: (directories: readonly string[], onEntry: (name: string) => void) => () => void
}
