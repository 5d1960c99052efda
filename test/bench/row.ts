/** The type of a row of the table, and its inputs. */
import type { Ground } from './contestants/contestants.ts'
import type { Effort } from './effort.ts'

export type Unit = 'µs' | 'ms' | 's' | 'calls/s' | 'MiB' | 'KiB' | 'per minute' | 'lost' | 'survived' | 'allocations'

export interface Target {
  readonly text: string
  /** Whether the figures reach it. */
  readonly isHeld: (figures: Figures) => boolean
}

/** A figure that does not exist is absent. */
export interface Figures {
  readonly what: string
  readonly unit: Unit
  readonly floor?: number
  readonly sallyport?: number
  /** Against the floor, of turns side by side. */
  readonly ratio?: number
  readonly arrpc?: number
  readonly arrpcRatio?: number
  /** What a reader of the figure must know. */
  readonly note?: string
}

/** One line of the table: it has a target, or says why there is none. */
export type Line = Figures & ({ readonly target: Target } | { readonly whyNoTarget: string })

export interface Bench {
  readonly ground: Ground
  readonly effort: Effort
}

export interface Row {
  /** For the command line. */
  readonly name: string
  run(bench: Bench): Promise<readonly Line[]>
}

export const ratioAtMost = (most: number): Target => ({ text: `≤ ${most} ×`, isHeld: ({ ratio }) => ratio !== undefined && ratio <= most })
export const ratioAtLeast = (least: number): Target => ({
  text: `≥ ${least} ×`,
  isHeld: ({ ratio }) => ratio !== undefined && ratio >= least,
})
export const atMost = (most: number, unit: Unit): Target => ({
  text: `≤ ${most} ${unit}`,
  isHeld: ({ sallyport }) => sallyport !== undefined && sallyport <= most,
})
export const floorPlus = (more: number, unit: Unit): Target => ({
  text: `≤ floor + ${more} ${unit}`,
  isHeld: ({ sallyport, floor }) => sallyport !== undefined && floor !== undefined && sallyport <= floor + more,
})
export const none: Target = { text: '0', isHeld: ({ sallyport }) => sallyport === 0 }
