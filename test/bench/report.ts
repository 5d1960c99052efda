/** What a run leaves: the text for people who started it, and after a whole run the record for programs, both pages and the picture. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Curve, curvesOf } from './growth.ts'
import { pictureOf } from './growth-picture.ts'
import type { Circumstances } from './machine.ts'
import { type Line, targetOf, verdictOf } from './row.ts'
import { growthTable, growthWords, headlineTable, notes, wholeTable, wrapped } from './tables.ts'
import { scaleOf } from './targets.ts'

const README = join(import.meta.dirname, 'README.md')
const RESULTS = join(import.meta.dirname, 'results')
const BEGIN = '<!-- figures: written by a full run -->'
const END = '<!-- end of figures -->'

function head({ date, commit, node, cores, cpu, load, nodeCpuMs }: Circumstances): string {
  const scale = scaleOf(nodeCpuMs)
  const times = scale === 1 ? 'as they are' : `multiplied by ${scale.toFixed(2)}`
  return [
    `${date}, ${commit}, Node ${node},`,
    `${cores} × ${cpu}, load ${load}.`,
    `\`node -e 0\` takes ${nodeCpuMs.toFixed(1)} ms of CPU here, so targets in ms and µs hold ${times}.`,
  ].join('\n')
}

/** A part that is empty is left out with its heading. */
const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')

const growthParts = (curves: readonly Curve[]): readonly string[] =>
  curves.length === 0 ? [] : [growthWords(curves).join('\n'), growthTable(curves)]

/** For the terminal: everything that was measured. */
export function report(where: Circumstances, lines: readonly Line[]): string {
  const scale = scaleOf(where.nodeCpuMs)
  return paragraphs(
    head(where),
    headlineTable(lines, scale, true),
    wholeTable(lines, scale, true),
    notes(lines).join('\n'),
    ...growthParts(curvesOf(lines)),
  )
}

/** The figures of each line, as an array of objects. */
export const linesAsJson = (lines: readonly Line[]): string =>
  JSON.stringify(lines.map(({ what, sallyport, ratio }) => ({ what, sallyport, ratio })))

/** The part of the README: ten rows, and how costs grow. */
function readmePart(where: Circumstances, lines: readonly Line[]): string {
  return paragraphs(
    head(where),
    headlineTable(lines, scaleOf(where.nodeCpuMs), false),
    'How costs grow:',
    growthWords(curvesOf(lines)).join('\n'),
    '![How costs grow](results/growth.svg)',
    'All other figures are in [results](results/README.md).',
  )
}

function resultsPage(where: Circumstances, lines: readonly Line[]): string {
  const curves = curvesOf(lines)
  return paragraphs(
    '# All figures',
    wrapped('A full run of `npm run bench` writes this page. [The README](../README.md) says how to read it.').replaceAll('\n  ', '\n'),
    head(where),
    wholeTable(
      lines.filter(({ point }) => point === undefined),
      scaleOf(where.nodeCpuMs),
      false,
    ),
    notes(lines).join('\n'),
    '## How costs grow',
    growthWords(curves).join('\n'),
    growthTable(curves),
    '![How costs grow](growth.svg)',
    '',
  )
}

function writeReadme(part: string): void {
  const [before, rest = ''] = readFileSync(README, 'utf8').split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${README} has no place for the table: ${BEGIN} … ${END}`)
  writeFileSync(README, `${before}${BEGIN}\n\n${part}\n\n${END}${after}`)
}

/** Everything that is committed after a whole run. */
export function record(where: Circumstances, effort: string, lines: readonly Line[]): void {
  const scale = scaleOf(where.nodeCpuMs)
  const results = lines.map((line) => ({ ...line, target: targetOf(line)?.text(scale), verdict: verdictOf(line, scale) }))
  writeFileSync(join(RESULTS, 'latest.json'), `${JSON.stringify({ ...where, scale, effort, results }, null, 2)}\n`)
  writeFileSync(join(RESULTS, 'growth.svg'), pictureOf(curvesOf(lines)))
  writeFileSync(join(RESULTS, 'README.md'), `${resultsPage(where, lines)}\n`)
  writeReadme(readmePart(where, lines))
}
