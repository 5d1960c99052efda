/** The table for people and the record for programs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Circumstances } from './machine.ts'
import type { Line, Unit } from './row.ts'

const RESULTS = join(import.meta.dirname, 'results/latest.json')
const README = join(import.meta.dirname, 'README.md')
const BEGIN = '<!-- figures: written by a full run -->'
const END = '<!-- end of figures -->'

const DIGITS: Readonly<Record<Unit, number>> = {
  µs: 1,
  ms: 1,
  s: 1,
  'calls/s': 0,
  MiB: 1,
  KiB: 1,
  'per minute': 0,
  lost: 0,
  survived: 0,
  allocations: 0,
}
/** Units that the name of the line says already. */
const UNSAID: readonly Unit[] = ['calls/s', 'lost', 'survived', 'per minute', 'allocations']

const figure = (value: number | undefined, unit: Unit): string => {
  if (value === undefined) return '—'
  const text = value.toLocaleString('en', { maximumFractionDigits: DIGITS[unit], minimumFractionDigits: DIGITS[unit] })
  return UNSAID.includes(unit) ? text : `${text} ${unit}`
}
const times = (ratio: number | undefined): string => (ratio === undefined ? '—' : `${ratio.toFixed(2)} ×`)

type Verdict = 'holds' | 'misses' | 'for reading'

function verdictOf(line: Line): Verdict {
  if (!('target' in line)) return 'for reading'
  return line.target.isHeld(line) ? 'holds' : 'misses'
}

/** The note of a line, and why it has no target. */
function notesOf(line: Line): readonly string[] {
  const why = 'target' in line ? undefined : `no target, because ${line.whyNoTarget}`
  const said = [line.note, why].filter((part) => part !== undefined)
  return said.length === 0 ? [] : [wrapped(`- ${line.what}: ${said.join('; ')}.`)]
}

const HEAD = ['what', 'floor', 'sallyport', 'ratio', 'target', 'arrpc', 'ratio', 'verdict']

/** Columns of the page. */
const WIDTH = 100

/** A list item in lines of at most WIDTH characters. */
const wrapped = (item: string): string =>
  item
    .split(' ')
    .reduce<string[]>((rows, word) => {
      const longer = `${rows.at(-1)} ${word}`
      return rows.length > 0 && longer.length <= WIDTH ? [...rows.slice(0, -1), longer] : [...rows, rows.length > 0 ? `  ${word}` : word]
    }, [])
    .join('\n')

function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.what + (line.unit === 'per minute' ? ', per minute' : ''),
    figure(line.floor, line.unit),
    figure(line.sallyport, line.unit),
    times(line.ratio),
    'target' in line ? line.target.text : '',
    figure(line.arrpc, line.unit),
    times(line.arrpcRatio),
    verdictOf(line),
  ])
  const widths = HEAD.map((head, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]!.length), head.length))
  const format = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 || column === HEAD.length - 1 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 || column === HEAD.length - 1 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const notes = lines.flatMap(notesOf)
  return [format(HEAD), rule, ...rows.map(format), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

const headline = ({ date, commit, node, cores, cpu, load }: Circumstances): string =>
  `${date}, ${commit}, Node ${node},\n${cores} × ${cpu}, load ${load}`

export const report = (where: Circumstances, lines: readonly Line[]): string => `${headline(where)}\n\n${table(lines)}`

/** The figures of each line, as an array of objects. */
export const linesAsJson = (lines: readonly Line[]): string =>
  JSON.stringify(lines.map(({ what, unit, sallyport, ratio }) => ({ what, unit, sallyport, ratio })))

/** The figures for programs, and the same table in the README. */
export function record(where: Circumstances, effort: string, lines: readonly Line[]): void {
  const results = lines.map((line) => ({
    ...line,
    ...('target' in line ? { target: line.target.text } : {}),
    verdict: verdictOf(line),
  }))
  writeFileSync(RESULTS, `${JSON.stringify({ ...where, effort, results }, null, 2)}\n`)
  if (effort === 'quick') return
  const [before, rest = ''] = readFileSync(README, 'utf8').split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${README} has no place for the table: ${BEGIN} … ${END}`)
  writeFileSync(README, `${before}${BEGIN}\n\n${report(where, lines)}\n\n${END}${after}`)
}
