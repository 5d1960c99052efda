/** The interface of a handle to the peer process. A process that reuses its PID is not mistaken for it. */

export interface ProcessHandle {
  readonly pid: number
  /** Path that opens exactly the running file, even when moved; undefined where the system has none. */
  readonly imagePath?: string | undefined
  /** Whether it cannot be read any more, but is the command line of Sallyport that was read before. As of the last check. */
  isHidden?(): boolean
  /** Whether it is alive and still runs the same file as when it connected. */
  isUnchanged(): boolean
  /** The result of `readFacts`, with a liveness check before and after; undefined when the process has exited or `readFacts` throws. */
  read<T>(readFacts: (pid: number) => T): T | undefined
  /** Closes the handle. Called once, when the connection closes. */
  release(): void
}
