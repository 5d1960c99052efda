/** The bridge as the command line sees it: what it is composed from, what it says when it is ready, and how it ends. */
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
  /** What comes before the id of an application in the address of its webhooks; absent when they are off. */
  readonly webhooks?: string
  /** Of the websocket transport; absent when its ports are all taken. */
  readonly websocket?: string
  /** Of the presence websocket; absent when it is off, or when no port was free. */
  readonly bridge?: string
}

export interface RunningBridge {
  readonly ready: ReadyLine
  stop(): Promise<void>
}

/** What the bridge reaches the person before it through. */
export interface ComposePorts {
  readonly log: Logger
  /** Text for people. */
  readonly announce: (text: string) => void
  /** Absent when nobody sits at a terminal. */
  readonly confirm?: Confirm
}

/** Resolves when everything listens. */
export type Compose = (settings: Settings, ports: ComposePorts) => Promise<RunningBridge>
