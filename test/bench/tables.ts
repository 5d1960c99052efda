/** The tables and notes of the pages, as Markdown. Pure. */
import { figureText, ratioText } from './figures.ts'
import { type Curve, wordsOf } from './growth.ts'
import { AIMS, HEADLINES } from './headlines.ts'
import { type Line, targetOf, type Verdict, verdictOf } from './row.ts'
import { shownText, type Target } from './targets.ts'

/** Columns of a page; a table may be wider. */
const WIDTH = 100

/** A list item in lines of at most WIDTH characters. */
export const wrapped = (item: string): string =>
  item
    .split(' ')
    .reduce<string[]>((rows, word) => {
      const longer = `${rows.at(-1)} ${word}`
      return rows.length > 0 && longer.length <= WIDTH ? [...rows.slice(0, -1), longer] : [...rows, rows.length > 0 ? `  ${word}` : word]
    }, [])
    .join('\n')

/** The first column and the last hold words, all between them figures. Cells are not padded on a page, whose lines have a limit. */
function table(head: readonly string[], rows: readonly (readonly string[])[], isPadded = true): string {
  const isText = (column: number): boolean => column === 0 || column === head.length - 1
  const widths = head.map((_, column) => (isPadded ? Math.max(...[head, ...rows].map((row) => row[column]!.length)) : 1))
  const padded = (cell: string, column: number): string => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))
  const rule = widths.map((width, column) => (isText(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')
  return [head, ...rows]
    .map((row) => `| ${row.map(padded).join(' | ')} |`)
    .toSpliced(1, 0, `|${rule}|`)
    .join('\n')
}

const verdictOfAll = (lines: readonly Line[], scale: number): Verdict =>
  lines.every((line) => verdictOf(line, scale) === 'holds') ? 'holds' : 'misses'

/** Ten rows in plain words; one of which a part was not measured is left out. */
export function headlineTable(lines: readonly Line[], scale: number, isPadded: boolean): string {
  const rows = HEADLINES.flatMap(({ says, aims }) => {
    const parts = aims.flatMap((aim) => lines.filter((line) => 'aim' in line && line.aim === aim))
    if (parts.length < aims.length) return []
    const joined = (textOf: (line: Line, target: Target) => string): string =>
      parts.map((line, index) => textOf(line, AIMS[aims[index]!])).join('; ')
    const ours = joined((line, target) => shownText(target, line))
    return [[says, ours, joined((_, target) => target.text(scale)), verdictOfAll(parts, scale)]]
  })
  return table(['what', 'sallyport', 'target', 'verdict'], rows, isPadded)
}

/** Every line. */
export const wholeTable = (lines: readonly Line[], scale: number, isPadded: boolean): string =>
  table(
    ['what', 'floor', 'sallyport', 'ratio', 'target', 'arrpc', 'ratio', 'verdict'],
    lines.map((line) => [
      line.what + (line.unit === 'per minute' ? ', per minute' : ''),
      figureText(line.floor, line.unit),
      figureText(line.sallyport, line.unit),
      ratioText(line.ratio),
      targetOf(line)?.text(scale) ?? '',
      figureText(line.arrpc, line.unit),
      ratioText(line.arrpcRatio),
      verdictOf(line, scale),
    ]),
    isPadded,
  )

/** The note of each line that has one, and why lines have no target; points of a curve need no reason. */
export const notes = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap((line) => {
    const why = 'whyNoTarget' in line && line.point === undefined ? `no target, because ${line.whyNoTarget}` : undefined
    const said = [line.note, why].filter((part) => part !== undefined)
    return said.length === 0 ? [] : [wrapped(`- ${line.what}: ${said.join('; ')}.`)]
  })

/** What each curve does, in a sentence. */
export const growthWords = (curves: readonly Curve[]): readonly string[] =>
  curves.map((curve) => wrapped(`- ${curve.name}: ${wordsOf(curve)}.`))

/** The points of each curve. */
export const growthTable = (curves: readonly Curve[]): string =>
  table(
    ['what', 'number', 'figure', 'of'],
    curves.flatMap(({ name, unit, of, points }) =>
      points.map(({ at, figure }) => [name, at.toLocaleString('en'), figureText(figure, unit), of]),
    ),
  )
