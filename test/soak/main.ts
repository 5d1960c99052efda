/** `npm run soak`: breaks every link at random moments that a seed decides, and fails with the seed and the step when something does not come back. */
import { parseArgs } from 'node:util'
import { SMOKE_TARGETS } from '../e2e/support/daemon.ts'
import { BREAK_KINDS } from './breaks.ts'
import { PROBES } from './probes.ts'
import { REQUESTERS } from './recovery.ts'
import { reportText } from './report.ts'
import { soak } from './soak.ts'

const NAMES: readonly string[] = [...BREAK_KINDS, ...PROBES.map(({ name }) => name), ...REQUESTERS]

const HELP = `npm run soak -- [--seed N] [--minutes N] [--steps N] [--target source|packaged] [--json]

  --seed N          the same seed breaks the same things in the same order (1)
  --minutes N       how long (10)
  --steps N         at most so many breaks
  --target NAME     the daemon from the sources' build, or the packaged file (source)
  --authorize-ms N  longest time from a recovery to AUTHORIZE_REQUEST at every game (1000)
  --live-ms N       longest time to everything else (90000)
  --pause-ms N      longest rest between two steps (400)
  --together N      how many kinds are broken at once in the first round, in which each comes once (1)
  --without NAME    leave out a kind of break, a probe, or who asks; may be repeated:
${NAMES.map((name) => `                      ${name}`).join('\n')}
  --json            the report as one line of JSON on stdout`

const NUMBERS = {
  seed: '1',
  minutes: '10',
  steps: 'Infinity',
  'authorize-ms': '1000',
  'live-ms': '90000',
  'pause-ms': '400',
  together: '1',
} as const

const parsed = () =>
  parseArgs({
    options: {
      ...(Object.fromEntries(Object.entries(NUMBERS).map(([name, usual]) => [name, { type: 'string', default: usual }])) as Record<
        keyof typeof NUMBERS,
        { type: 'string'; default: string }
      >),
      target: { type: 'string', default: 'source' },
      without: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values

const MINUTE_MS = 60_000

async function run(values: ReturnType<typeof parsed>): Promise<void> {
  const numberOf = (name: keyof typeof NUMBERS): number => {
    const number = Number(values[name])
    if (values[name] !== '' && number >= 0) return number
    throw new Error(`--${name} takes a number, not "${values[name]}"`)
  }
  const target = SMOKE_TARGETS.find(({ name }) => name === values.target)
  if (target === undefined) throw new Error(`there is no ${values.target}: it is source, or packaged once npm run package has made it`)
  const unknown = values.without.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new Error(`--without knows no "${unknown}"; --help lists what there is`)
  const report = await soak({
    target,
    seed: numberOf('seed'),
    milliseconds: numberOf('minutes') * MINUTE_MS,
    steps: numberOf('steps'),
    longestPauseMs: numberOf('pause-ms'),
    longestRestMs: Number.POSITIVE_INFINITY,
    together: numberOf('together'),
    bounds: { authorizeMs: numberOf('authorize-ms'), liveMs: numberOf('live-ms') },
    without: values.without,
    onStep: (line) => console.error(line),
  })
  console.error(reportText(report))
  if (values.json) console.log(JSON.stringify(report))
  process.exitCode = report.ok ? 0 : 1
}

try {
  const values = parsed()
  if (values.help) console.log(HELP)
  else await run(values)
} catch (failure) {
  const { message, code = '' } = failure as NodeJS.ErrnoException
  console.error(`soak: ${message}${code.startsWith('ERR_PARSE_ARGS') ? `. npm run soak -- --help lists the options.` : ''}`)
  process.exitCode = 2
}
