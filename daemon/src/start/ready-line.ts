/** The first line of `run --json`: a contract with tools and installers. */
export interface ReadyLine {
  readonly event: 'ready'
  readonly pid: number
  /** Paths of the sockets, or names of the pipes. */
  readonly ipc: readonly string[]
  readonly platform: string
  readonly apiBase: string
  readonly tokenUrl: string
  /** With its token; null when it is off. */
  readonly dashboard: string | null
  /** The address of webhooks, without the application id at its end; absent when they are off. */
  readonly webhooks?: string
  /** Address of the metrics; absent when they are off. */
  readonly metrics?: string
  /** Address of the websocket transport; absent when its ports are all taken. */
  readonly websocket?: string
  /** Address of the presence feed; absent when it is off, or when no port was free. */
  readonly bridge?: string
}
