/** `npm run simulate`: whole daemons in virtual time, one run for each seed. Fails with the seed and what it broke. */
import { openSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadPatched } from './bugs/patched-sources.ts'
import { openDisk, openSimulation } from './open.ts'
import { reportText, sumOf } from './report.ts'

const HELP = `npm run simulate -- [--seeds N] [--hours H] [--from N] [--lines FILE] [--json] [--patch FILE]

  --seeds N     how many seeds, one run each (20)
  --hours H     simulated hours of each run, before its quiet end (1)
  --from N      the first seed (1)
  --lines FILE  writes what is hashed, to compare two runs
  --patch FILE  runs the daemon with this change; ends with the first failure
  --json        one line of JSON for each run, on stdout`

const OPTIONS = {
  seeds: { type: 'string', default: '20' },
  hours: { type: 'string', default: '1' },
  from: { type: 'string', default: '1' },
  lines: { type: 'string' },
  patch: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function numberOf(name: 'seeds' | 'hours' | 'from', text: string): number {
  const number = Number(text)
  if (text === '' || !(number > 0)) throw new Error(`--${name} takes a number above 0, not "${text}"`)
  return number
}

async function run(values: Values): Promise<boolean> {
  const seeds = numberOf('seeds', values.seeds)
  const hours = numberOf('hours', values.hours)
  const from = numberOf('from', values.from)
  const realNow = performance.now.bind(performance)
  const startedAt = realNow()
  if (values.patch !== undefined) loadPatched(values.patch)
  const simulate = await openSimulation(await openDisk())
  const file = values.lines === undefined ? undefined : openSync(values.lines, 'w')
  const reports = []
  for (let seed = from; seed < from + seeds; seed++) {
    const report = await simulate({
      seed,
      hours,
      ...(file === undefined ? {} : { onLine: (line: string) => writeFileSync(file, line) }),
    })
    reports.push(report)
    for (const failure of report.failures) console.error(`seed ${seed}: ${failure}`)
    if (values.json) console.log(JSON.stringify(report))
    if (values.patch !== undefined && report.failures.length > 0) break
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
