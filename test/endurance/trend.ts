/** How fast something grows: the median of all slopes (Theil and Sen), and how sure that is. One peak says nothing of the trend. */
import { median } from '../bench/statistics.ts'

export interface Point {
  /** Seconds. */
  readonly s: number
  readonly value: number
}

/** Per hour, in the unit of the values. */
export interface Trend {
  readonly perHour: number
  /** With 95 % confidence it is between these (Sen 1968). */
  readonly low: number
  readonly high: number
  readonly points: number
}

const HOUR_S = 3_600
/** Of the normal distribution, for 95 % on both sides. */
const Z = 1.96

/** Between any two points, per second. */
export const slopesOf = (points: readonly Point[]): readonly number[] =>
  points.flatMap((later, index) => points.slice(0, index).map((earlier) => (later.value - earlier.value) / (later.s - earlier.s)))

/** Undefined for fewer than three points. */
export function trendOf(points: readonly Point[]): Trend | undefined {
  const count = points.length
  if (count < 3) return undefined
  const sorted = slopesOf(points)
    .map((slope) => slope * HOUR_S)
    .toSorted((a, b) => a - b)
  const spread = Z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  const at = (rank: number): number => sorted[Math.min(Math.max(Math.round(rank), 0), sorted.length - 1)] ?? Number.NaN
  return { perHour: median(sorted), low: at((sorted.length - spread) / 2), high: at((sorted.length + spread) / 2 - 1), points: count }
}
