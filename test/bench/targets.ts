/** Targets, and how those in ms and µs follow the speed of the machine. Pure. */
import { type Figures, figureText, ratioText, type Unit } from './figures.ts'

type Shown = 'ratio' | 'figure'

export interface Target {
  /** `scale`: what a time in it is multiplied by on this machine. */
  readonly text: (scale: number) => string
  /** Whether the figures reach it. */
  readonly isHeld: (figures: Figures, scale: number) => boolean
  /** Which figures it is about. */
  readonly shows: readonly Shown[]
}

/** CPU of `node -e 0`, in ms, on the machines for which times of targets are written. */
const FASTEST_MS = 21
const SLOWEST_MS = 25

/**
 * What times of targets are multiplied by where `node -e 0` takes so much CPU. From 21 to 25 ms it is 1; beyond, the share of the nearer bound,
 * so that no machine is just beside a step.
 */
export function scaleOf(nodeCpuMs: number): number {
  if (nodeCpuMs > SLOWEST_MS) return nodeCpuMs / SLOWEST_MS
  return nodeCpuMs < FASTEST_MS ? nodeCpuMs / FASTEST_MS : 1
}

const isTime = (unit: Unit): boolean => unit === 'ms' || unit === 'µs'

export const ratioAtMost = (most: number): Target => ({
  text: () => `≤ ${most} ×`,
  isHeld: ({ ratio }) => ratio !== undefined && ratio <= most,
  shows: ['ratio'],
})

/** A time is scaled; anything else is not. */
export const atMost = (most: number, unit: Unit): Target => ({
  text: (scale) =>
    isTime(unit) && scale !== 1 ? `≤ ${figureText(most * scale, unit)} (${most} × ${scale.toFixed(2)})` : `≤ ${most} ${unit}`,
  isHeld: ({ sallyport }, scale) => sallyport !== undefined && sallyport <= most * (isTime(unit) ? scale : 1),
  shows: ['figure'],
})

export const floorPlus = (more: number, unit: Unit): Target => ({
  text: () => `≤ floor + ${more} ${unit}`,
  isHeld: ({ sallyport, floor }) => sallyport !== undefined && floor !== undefined && sallyport <= floor + more,
  shows: ['figure'],
})

export const exactly = (figure: number): Target => ({
  text: () => String(figure),
  isHeld: ({ sallyport }) => sallyport === figure,
  shows: ['figure'],
})

export const both = (one: Target, other: Target): Target => ({
  text: (scale) => `${one.text(scale)}; ${other.text(scale)}`,
  isHeld: (figures, scale) => one.isHeld(figures, scale) && other.isHeld(figures, scale),
  shows: [...one.shows, ...other.shows],
})

/** The figures that a target is about. */
export const shownText = ({ shows }: Target, { unit, sallyport, ratio }: Figures): string =>
  shows.map((shown) => (shown === 'ratio' ? ratioText(ratio) : figureText(sallyport, unit))).join('; ')
