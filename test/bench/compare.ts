/**
 * `npm run bench:compare -- CHECKOUT [ROW…]`: measures this checkout against another one, for example of an earlier commit, with the rows of this
 * checkout. The other one is measured twice in each round: the difference of its two figures is the noise. A line is worse when its change
 * is larger than 3 % and than the noise. Both checkouts must be built, and have their executable (`npm run package`). What an older one cannot
 * do is named and left out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figures } from './figures.ts'
import { median } from './statistics.ts'

const HELP = `npm run bench:compare -- CHECKOUT [ROW…] [--rounds N] [--quick]

  CHECKOUT    the folder of the other checkout
  ROW         rows of npm run bench; default: those that a change of the daemon can reach
  --rounds N  how often each is measured (5)
  --quick     less work in each`

const ROOT = resolve(import.meta.dirname, '../..')
const ROWS = [
  'start',
  'commands',
  'first-call',
  'cold-call',
  'memory',
  'pipelined',
  'lock-step',
  'crowd',
  'handshakes',
  'forward',
  'fan-out',
  'grants',
  'account',
  'friends',
  'games',
  'year',
]
/** A smaller change is none. */
const LEAST = 0.03

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

type Line = Pick<Figures, 'what' | 'sallyport' | 'ratio'>
const SIDES = ['before', 'before again', 'now'] as const
type Side = (typeof SIDES)[number]

/** Each line's figure: its ratio to the floor, which the load of the machine reaches less, else the figure itself. Larger is worse. */
const figureOf = ({ sallyport, ratio }: Line): number => ratio ?? sallyport ?? Number.NaN

/** None of a row that cannot be measured there; its reason is on the standard error. */
function measure(checkout: string, row: string): readonly Line[] {
  const args = ['--disable-warning=ExperimentalWarning', ...process.execArgv, join(import.meta.dirname, 'main.ts'), row, '--json']
  const { stdout } = spawnSync(process.execPath, [...args, ...(values.quick ? ['--quick'] : [])], {
    encoding: 'utf8',
    env: { ...process.env, SALLYPORT_BENCH_CHECKOUT: checkout },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) || '[]') as readonly Line[]
}

interface Compared {
  readonly what: string
  readonly change: number
  readonly noise: number
}

/** Also of a figure that was 0. */
const changeOf = (figure: number, before: number): number => (figure === before ? 0 : figure / before - 1)

/** The median of the paired changes of a line, and of those of the other checkout against itself. */
function compare(what: string, figures: Readonly<Record<Side, readonly number[]>>): Compared {
  const paired = (side: Side): number => median(figures[side].map((figure, round) => changeOf(figure, figures.before[round] ?? Number.NaN)))
  return { what, change: paired('now'), noise: Math.abs(paired('before again')) }
}

function compareRow(row: string, other: string, rounds: number): readonly Compared[] {
  const found = new Map<string, Record<Side, number[]>>()
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < SIDES.length; turn++) {
      const side = SIDES[(round + turn) % SIDES.length] ?? 'now'
      for (const line of measure(side === 'now' ? ROOT : other, row)) {
        const figures = found.get(line.what) ?? { before: [], 'before again': [], now: [] }
        figures[side].push(figureOf(line))
        found.set(line.what, figures)
      }
    }
  }
  if (found.size === 0) throw new Error(`The row ${row} could be measured in neither checkout.`)
  return [...found].map(([what, figures]) => compare(what, figures))
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(8)
const isKnown = ({ change }: Compared): boolean => !Number.isNaN(change)
const isWorse = ({ change, noise }: Compared): boolean => change > Math.max(LEAST, noise)

const [other, ...rows] = positionals
if (values.help || other === undefined || !existsSync(join(other, 'daemon/dist/sallyport.cjs'))) {
  console.log(values.help || other === undefined ? HELP : `${other} is not built. Run npm run build and npm run package in it.`)
  process.exitCode = values.help ? 0 : 1
} else {
  console.log('  change    noise  verdict')
  for (const row of rows.length > 0 ? rows : ROWS) {
    for (const line of compareRow(row, resolve(other), Number(values.rounds))) {
      if (isWorse(line)) process.exitCode = 1
      const verdict = isKnown(line) ? (isWorse(line) ? 'worse' : 'holds') : 'only one checkout has it'
      console.log(`${percent(line.change)} ${percent(line.noise)}  ${verdict}  ${line.what}`)
    }
  }
}
