/** The bridge as the command line sees it: what starts it, what it prints when it is ready, and how it stops. */
import type { Settings } from '../config/load.ts'
import type { Confirm } from '@sallyport/core/confirm'
import type { Logger } from '@sallyport/core/logger'

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
  /** Address of the websocket transport; absent when its ports are all taken. */
  readonly websocket?: string
  /** Address of the presence feed; absent when it is off, or when no port was free. */
  readonly bridge?: string
}

export interface RunningBridge {
  readonly ready: ReadyLine
  /** Resolves when no game was connected for the time of `idleExit`; never if that is off. */
  readonly idle: Promise<void>
  stop(): Promise<void>
}

/** How the bridge reaches the user at its terminal. */
export interface Terminal {
  readonly log: Logger
  /** Prints a line for people. */
  readonly announce: (text: string) => void
  /** Absent without a terminal. */
  readonly confirm?: Confirm
}

/** Resolves when everything listens. */
export type StartBridge = (settings: Settings, terminal: Terminal) => Promise<RunningBridge>
