/** `npm run simulate`: whole daemons in virtual time, one run for each seed. Fails with the seed and what it broke. */
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadPatched } from './bugs/patched-sources.ts'
import { openDisk, openSimulation } from './open.ts'
import { reportText, sumOf } from './report.ts'
import type { Schedule, Step } from './schedule.ts'
import { kindOf, shrink } from './shrink.ts'
import type { RunOptions, RunReport } from './simulate.ts'

const HELP = `npm run simulate -- [--seeds N] [--hours H] [--from N] [--lines FILE] [--json]
                        [--patch FILE] [--shrink FILE] [--schedule FILE]

  --seeds N        how many seeds, one run each (20)
  --hours H        simulated hours of each run, before its quiet end (1)
  --from N         the first seed (1); "today": that of the date
  --lines FILE     writes what is hashed, to compare two runs
  --patch FILE     runs the daemon with this change; ends with the first failure
  --shrink FILE    writes the shortest schedule that it finds for the first failure
  --schedule FILE  runs that schedule alone
  --json           one line of JSON for each run, on stdout`

const OPTIONS = {
  seeds: { type: 'string', default: '20' },
  hours: { type: 'string', default: '1' },
  from: { type: 'string', default: '1' },
  lines: { type: 'string' },
  patch: { type: 'string' },
  shrink: { type: 'string' },
  schedule: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Simulate = Awaited<ReturnType<typeof openSimulation>>
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

const DAY_MS = 86_400_000
/** Seeds of one day; the next day begins with others. */
const SEEDS_A_DAY = 1_000
/** Of shrinking. */
const MOST_RUNS = 300

function numberOf(name: 'seeds' | 'hours' | 'from', text: string): number {
  const number = Number(text)
  if (text === '' || !(number > 0)) throw new Error(`--${name} takes a number above 0, not "${text}"`)
  return number
}

function readSchedule(file: string): Schedule {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Schedule
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new Error(`--schedule takes a file that --shrink wrote; ${file} cannot be read (${reason})`, { cause: failure })
  }
}

/** The runs that are wanted. */
function runsOf({ seeds, hours, from, schedule }: Values, today: number): readonly Omit<RunOptions, 'onLine'>[] {
  if (schedule !== undefined) return [readSchedule(schedule)]
  const first = from === 'today' ? today * SEEDS_A_DAY : numberOf('from', from)
  return Array.from({ length: numberOf('seeds', seeds) }, (_, index) => ({ seed: first + index, hours: numberOf('hours', hours) }))
}

/** Writes the shortest schedule that has the failure, and prints its steps. */
async function shrinkTo(file: string, simulate: Simulate, { seed, hours, failures }: RunReport): Promise<void> {
  const [kind] = failures.map(kindOf)
  const { scheduleOf, stepText } = await import('./schedule.ts')
  const stillFails = async (steps: readonly Step[]): Promise<boolean> =>
    (await simulate({ seed, hours, steps })).failures.some((failure) => kindOf(failure) === kind)
  const { schedule, runs } = await shrink(scheduleOf(seed, hours), stillFails, MOST_RUNS)
  writeFileSync(file, JSON.stringify(schedule, undefined, 2))
  console.error([`${schedule.steps.length} steps are left after ${runs} runs:`, ...schedule.steps.map(stepText)].join('\n'))
}

async function run(values: Values): Promise<boolean> {
  const realNow = performance.now.bind(performance)
  const startedAt = realNow()
  const runs = runsOf(values, Math.floor(Date.now() / DAY_MS))
  if (values.patch !== undefined) loadPatched(values.patch)
  const simulate = await openSimulation(await openDisk())
  const file = values.lines === undefined ? undefined : openSync(values.lines, 'w')
  const reports: RunReport[] = []
  for (const options of runs) {
    const report = await simulate({
      ...options,
      ...(file === undefined ? {} : { onLine: (line: string) => writeFileSync(file, line) }),
    })
    reports.push(report)
    for (const failure of report.failures) console.error(`seed ${report.seed}: ${failure}`)
    if (values.json) console.log(JSON.stringify(report))
    if (report.failures.length === 0) continue
    if (values.shrink !== undefined) await shrinkTo(values.shrink, simulate, report)
    if (values.shrink !== undefined || values.patch !== undefined) break
  }
  const sum = sumOf(reports)
  console.error(reportText(sum, (realNow() - startedAt) / 1_000))
  return sum.failures === 0
}

try {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) console.log(HELP)
  else process.exitCode = (await run(values)) ? 0 : 1
} catch (failure) {
  console.error(failure instanceof Error ? failure.message : failure)
  process.exitCode = 2
}
