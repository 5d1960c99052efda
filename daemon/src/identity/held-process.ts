/** A process at the other end of a connection, held so that no other process can pass for it: the port. */

export interface HeldProcess {
  readonly pid: number
  /** Leads to the very file that it runs, wherever that lies by now; undefined where the system has no such name. */
  readonly imagePath?: string
  /** Whether it lives, and still runs the file that it ran when it connected. */
  isSame(): boolean
  /** What `look` gives, read between two looks at the process; undefined when it has ended, or `look` throws. */
  read<T>(look: (pid: number) => T): T | undefined
  /** Lets it go. Called once, when the connection is over. */
  release(): void
}
