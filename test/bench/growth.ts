/** How a cost grows with the number of something: the curve of its points, and its shape in words. Pure. */
import { type Figures, figureText, type Unit } from './figures.ts'

export interface Curve {
  readonly name: string
  readonly unit: Unit
  /** What there is more and more of, in the plural. */
  readonly of: string
  /** The smallest number first. */
  readonly points: readonly { readonly at: number; readonly figure: number }[]
}

/** `convex`: faster than linear. `concave`: slower than linear. `falling`: less at the end than at the beginning. */
export type Shape = 'flat' | 'falling' | 'linear' | 'convex' | 'concave'

/** A cost is flat when its largest figure is at most so many times its smallest. */
const FLAT = 1.3
/** How far from the straight line between both ends a point may be: a share of what that line says, or of the largest figure. */
const NEAR = { line: 0.25, largest: 0.05 } as const
/** Slopes are said for so many more. */
const STEP = 1000

export function curvesOf(lines: readonly Figures[]): readonly Curve[] {
  const names = [...new Set(lines.flatMap(({ point }) => point?.curve ?? []))]
  return names.map((name) => {
    const own = lines.flatMap(({ point, unit, sallyport }) =>
      point?.curve === name && sallyport !== undefined ? [{ unit, of: point.of, at: point.at, figure: sallyport }] : [],
    )
    const points = own.toSorted((one, other) => one.at - other.at).map(({ at, figure }) => ({ at, figure }))
    return { name, unit: own[0]?.unit ?? 'ms', of: own[0]?.of ?? '', points }
  })
}

interface Ends {
  readonly first: Curve['points'][number]
  readonly last: Curve['points'][number]
}

function endsOf({ name, points }: Curve): Ends {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || first.at === last.at) throw new Error(`${name} needs points of two numbers or more`)
  return { first, last }
}

/** The figure that one more adds, between both ends. */
export function slopeOf(curve: Curve): number {
  const { first, last } = endsOf(curve)
  return (last.figure - first.figure) / (last.at - first.at)
}

/** The straight line between both ends decides: points far below it mean that the cost grows faster at the end than before. */
export function shapeOf(curve: Curve): Shape {
  const { first, last } = endsOf(curve)
  const figures = curve.points.map(({ figure }) => figure)
  if (Math.max(...figures) <= FLAT * Math.min(...figures)) return 'flat'
  if (last.figure < first.figure) return 'falling'
  const slope = slopeOf(curve)
  const away = curve.points
    .filter((point) => point !== first && point !== last)
    .map(({ at, figure }) => ({ figure, line: first.figure + slope * (at - first.at) }))
    .filter(({ figure, line }) => Math.abs(figure - line) > Math.max(NEAR.line * line, NEAR.largest * last.figure))
  if (away.some(({ figure, line }) => figure > line)) return 'concave'
  return away.length > 0 ? 'convex' : 'linear'
}

/** The shape of a curve with its figures, such as `linear: 4.2 MiB more for each 1,000 games`. */
export function wordsOf(curve: Curve): string {
  const { first, last } = endsOf(curve)
  const ends = [first, last].map(({ at, figure }) => `${figureText(figure, curve.unit)} at ${at.toLocaleString('en')}`).join(', ')
  const change = `${figureText(slopeOf(curve) * STEP, curve.unit)} more for each ${STEP.toLocaleString('en')} ${curve.of}`
  const words: Readonly<Record<Shape, string>> = {
    flat: `flat: ${ends} ${curve.of}`,
    falling: `falling: ${ends} ${curve.of}`,
    linear: `linear: ${change}`,
    convex: `faster than linear: ${ends} ${curve.of}`,
    concave: `slower than linear: ${ends} ${curve.of}`,
  }
  return words[shapeOf(curve)]
}
