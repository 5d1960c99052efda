/** The type of a row of the table, and its inputs. */
import type { Ground } from './contestants/contestants.ts'
import type { Effort } from './effort.ts'

export type Unit = 'µs' | 'ms' | 'calls/s' | 'MiB' | 'KiB' | 'per minute' | 'lost' | 'survived' | 'allocations'

export interface Target {
  readonly text: string
  /** Whether the line reaches it. */
  readonly isHeld: (line: Line) => boolean
}

/** One line of the table. A figure that does not exist is absent. */
export interface Line {
  readonly what: string
  readonly unit: Unit
  readonly floor?: number
  readonly sallyport?: number
  /** Against the floor, of turns side by side. */
  readonly ratio?: number
  readonly arrpc?: number
  readonly arrpcRatio?: number
  /** Absent: the line is there to be read, nothing is asked of it. */
  readonly target?: Target
  /** What a reader of the figure must know. */
  readonly note?: string
}

export interface Bench {
  readonly ground: Ground
  readonly effort: Effort
}

export interface Row {
  /** For --only. */
  readonly name: string
  run(bench: Bench): Promise<readonly Line[]>
}

export const ratioAtMost = (most: number): Target => ({ text: `≤ ${most} ×`, isHeld: ({ ratio }) => ratio !== undefined && ratio <= most })
export const ratioAtLeast = (least: number): Target => ({
  text: `≥ ${least} ×`,
  isHeld: ({ ratio }) => ratio !== undefined && ratio >= least,
})
