/** The result of a run: a table for people, a record for programs, and the picture. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Circumstances } from '../bench/machine.ts'
import { pictureOf } from './picture.ts'
import type { Sample } from './sampler.ts'
import type { Minute } from './tally.ts'
import type { Bounds, Measured, Verdict } from './verdicts.ts'

export interface Report {
  readonly seed: number
  readonly games: number
  readonly circumstances: Circumstances
  readonly bounds: Bounds
  readonly measured: Measured
  readonly minutes: readonly Minute[]
  readonly counts: Readonly<Record<string, number>>
  readonly verdicts: readonly Verdict[]
}

const S_PER_MINUTE = 60

export const holds = ({ verdicts }: Report): boolean => verdicts.every(({ isHeld }) => isHeld)

const titleOf = ({ games, measured, circumstances }: Report): string =>
  `${games} games, ${Math.round(measured.loadS / S_PER_MINUTE)} minutes of load, ${circumstances.date.slice(0, 10)}, ${circumstances.commit}`

export function reportText(report: Report): string {
  const { verdicts, counts, measured } = report
  const rows = verdicts.map(({ what, found, bound, isHeld }) => [isHeld ? 'holds' : 'FAILS', what, found, bound])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return [
    `${holds(report) ? 'ok' : 'FAILED'}: seed ${report.seed}, ${titleOf(report)}`,
    ...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')),
    ...Object.entries(counts).map(([what, count]) => `  ${count} ${what}`),
    ...measured.unexpected.map((sentence) => `UNEXPECTED ${sentence}`),
  ].join('\n')
}

/** One list for each figure, which takes a tenth of the room of one object for each sample. */
const columnsOf = (samples: readonly Sample[]): Readonly<Record<keyof Sample, readonly number[]>> => ({
  s: samples.map(({ s }) => s),
  private: samples.map((sample) => sample.private),
  rss: samples.map(({ rss }) => rss),
  descriptors: samples.map(({ descriptors }) => descriptors),
  threads: samples.map(({ threads }) => threads),
  cpu: samples.map(({ cpu }) => cpu),
})

/** Writes NAME.json and NAME.svg; gives their paths. */
export function writeReport(report: Report, folder: string, name: string): readonly string[] {
  const { measured, minutes } = report
  const { samples, ...figures } = measured
  mkdirSync(folder, { recursive: true })
  const json = join(folder, `${name}.json`)
  const svg = join(folder, `${name}.svg`)
  writeFileSync(json, `${JSON.stringify({ ...report, measured: { ...figures, samples: columnsOf(samples) } })}\n`)
  writeFileSync(svg, pictureOf({ title: titleOf(report), samples, minutes, loadS: measured.loadS, warmUpS: report.bounds.warmUpS }))
  return [json, svg]
}
