/** `npm run endurance`: fifty games for an hour at the packaged daemon; fails when its memory, its descriptors or its wake-ups grow, or an answer is wrong. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packaged } from '../bench/contestants/contestants.ts'
import { endurance } from './endurance.ts'
import { holds, reportText, writeReport } from './report.ts'
import type { Bounds } from './verdicts.ts'

const HELP = `npm run endurance -- [--minutes N] [--seed N] [--games N] [--pace N] [--name NAME]

  --minutes N   how long the games play (60)
  --seed N      the same seed plays the same turns in the same order (1)
  --games N     how many games (50)
  --pace N      turns of all games together in a second (100)
  --name NAME   keeps the samples and the picture as results/NAME.json and results/NAME.svg`

const NUMBERS = { minutes: '60', seed: '1', games: '50', pace: '100' } as const
const S_PER_MINUTE = 60
const SHORT_MINUTES = 30
/** Why these: README.md, "How it judges". */
const LONG = { bounds: { warmUpS: 1_260, memoryPerHour: 1, by: 'perHour' } satisfies Bounds, roundMs: 150_000 }
const SHORT = { bounds: { warmUpS: 150, memoryPerHour: 6, by: 'low' } satisfies Bounds, roundMs: 40_000 }

const parsed = () =>
  parseArgs({
    options: {
      ...(Object.fromEntries(Object.entries(NUMBERS).map(([name, usual]) => [name, { type: 'string', default: usual }])) as Record<
        keyof typeof NUMBERS,
        { type: 'string'; default: string }
      >),
      name: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values

async function run(values: ReturnType<typeof parsed>): Promise<void> {
  const numberOf = (name: keyof typeof NUMBERS): number => {
    const number = Number(values[name])
    if (values[name] !== '' && number > 0) return number
    throw new Error(`--${name} takes a number above 0, not "${values[name]}"`)
  }
  const minutes = numberOf('minutes')
  const startedAt = performance.now()
  const report = await endurance({
    target: { name: 'packaged', command: [packaged()] },
    seed: numberOf('seed'),
    minutes,
    games: numberOf('games'),
    perSecond: numberOf('pace'),
    ...(minutes < SHORT_MINUTES ? SHORT : LONG),
    onPhase: (line) => console.error(`${((performance.now() - startedAt) / 1000 / S_PER_MINUTE).toFixed(1)} min: ${line}`),
  })
  console.log(reportText(report))
  if (values.name !== undefined)
    for (const path of writeReport(report, join(import.meta.dirname, 'results'), values.name)) console.log(path)
  process.exitCode = holds(report) ? 0 : 1
}

try {
  const values = parsed()
  if (values.help) console.log(HELP)
  else await run(values)
} catch (failure) {
  const { message, code = '' } = failure as NodeJS.ErrnoException
  console.error(`endurance: ${message}${code.startsWith('ERR_PARSE_ARGS') ? `. npm run endurance -- --help lists the options.` : ''}`)
  process.exitCode = 2
}
