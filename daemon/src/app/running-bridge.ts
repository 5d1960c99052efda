/** The bridge as the command line sees it: what starts it, and how it stops. */
import type { Settings } from '../config/load.ts'
import type { HttpSend } from '../platform/api/forwarder-port.ts'
import type { OpenPorts } from '../start/open-ports.ts'
import type { Confirm } from '@sallyport/core/confirm'
import type { Logger } from '@sallyport/core/logger'

interface RunningBridge {
  /** Resolves when no game was connected for the time of `idleExit` and nothing waits for the user, or an operator ends the bridge. */
  readonly ended: Promise<'idle' | 'operator'>
  stop(): Promise<void>
}

/** How the bridge reaches its user: at its terminal, or by a tray. */
export interface Terminal {
  readonly log: Logger
  /** Prints a line for people. */
  readonly announce: (text: string) => void
  /** Absent without a terminal. */
  readonly confirm?: Confirm
  /** Starts a tray, where the user has a desktop. Absent with a terminal, which shows the prompts. */
  readonly startTray?: () => void
}

/** Answers requests in place of the platform, or passes them on. */
export type AnswerRequests = (send: HttpSend) => HttpSend

/** Resolves when the ports are served. They stay open when it stops. Without `answer`, all requests are sent to the platform. */
export type StartBridge = (settings: Settings, terminal: Terminal, ports: OpenPorts, answer?: AnswerRequests) => Promise<RunningBridge>
