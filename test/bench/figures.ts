/** What a line of the bench holds, and how its figures are written. */

export type Unit = 'µs' | 'ms' | 's' | 'MiB' | 'KiB' | 'per minute' | 'lost' | 'survived' | 'allocations' | 'processes'

/** One point of a curve that shows how a cost grows. */
export interface Point {
  /** Lines of one curve have the same. */
  readonly curve: string
  /** How many of `of` there were. */
  readonly at: number
  /** In the plural, such as grants. */
  readonly of: string
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
  readonly point?: Point
}

const DIGITS: Readonly<Record<Unit, number>> = {
  µs: 1,
  ms: 1,
  s: 1,
  MiB: 1,
  KiB: 1,
  'per minute': 0,
  lost: 0,
  survived: 0,
  allocations: 0,
  processes: 0,
}
/** Units that the name of the line says already. */
const UNSAID: readonly Unit[] = ['lost', 'survived', 'per minute', 'allocations', 'processes']
const NOTHING = '—'

const numberText = (value: number, digits: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })

export function figureText(value: number | undefined, unit: Unit): string {
  if (value === undefined || Number.isNaN(value)) return NOTHING
  // Of less than one, a tenth is too much to leave out.
  const text = numberText(value, DIGITS[unit] + (DIGITS[unit] > 0 && value !== 0 && Math.abs(value) < 1 ? 1 : 0))
  return UNSAID.includes(unit) ? text : `${text} ${unit}`
}

export const ratioText = (ratio: number | undefined): string =>
  ratio === undefined || Number.isNaN(ratio) ? NOTHING : `${numberText(ratio, 2)} ×`
