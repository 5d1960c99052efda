/** What the process and the system give the bridge. Tests pass a clock and a log of their own. */
import type { Clock } from '@sallyport/core/clock'
import type { ScheduleEndOfTurn } from '@sallyport/core/end-of-turn-queue'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import type { TurnQueue } from '@sallyport/core/turn-queue'
import type { ProgramContents } from '../identity/content.ts'
import type { Meter } from '../operator/metrics/meter.ts'

export interface Host {
  readonly clock: Clock
  readonly log: Logger
  /** What the metrics count. */
  readonly meter: Meter
  /** A number from 0 to 1. */
  readonly random: () => number
  /** The system user whose processes are served; undefined where the system has none. */
  readonly uid: number | undefined
  readonly version: string
  readonly scheduleEndOfTurn: ScheduleEndOfTurn
  /** Long work, such as making a schema. */
  readonly turns: TurnQueue
  /** Memory is released when it is quiet. */
  readonly quiet: Pick<Quiet, 'start' | 'touch'>
  /** Reads the files of programs. */
  readonly contents: ProgramContents
}
