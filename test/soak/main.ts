/** `npm run soak`: breaks every link at random moments that a seed decides, and fails with the seed and the step when something does not come back. */
import { parseArgs } from 'node:util'
import { TARGETS } from '../e2e/support/daemon.ts'
import { BREAK_KINDS } from './breaks.ts'
import { PROBES } from './probes.ts'
import { ASKERS } from './recovery.ts'
import { reportText } from './report.ts'
import { soak } from './soak.ts'

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
${[...BREAK_KINDS, ...PROBES.map(({ name }) => name), ...ASKERS].map((name) => `                      ${name}`).join('\n')}
  --json            the report as one line of JSON on stdout`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    steps: { type: 'string', default: 'Infinity' },
    target: { type: 'string', default: 'source' },
    'authorize-ms': { type: 'string', default: '1000' },
    'live-ms': { type: 'string', default: '90000' },
    'pause-ms': { type: 'string', default: '400' },
    together: { type: 'string', default: '1' },
    without: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const MINUTE_MS = 60_000

async function run(): Promise<void> {
  const target = TARGETS.find(({ name }) => name === values.target)
  if (target === undefined) throw new Error(`there is no ${values.target}: make it with npm run package`)
  const report = await soak({
    target,
    seed: Number(values.seed),
    milliseconds: Number(values.minutes) * MINUTE_MS,
    steps: Number(values.steps),
    longestPauseMs: Number(values['pause-ms']),
    longestRestMs: Number.POSITIVE_INFINITY,
    together: Number(values.together),
    bounds: { authorizeMs: Number(values['authorize-ms']), liveMs: Number(values['live-ms']) },
    without: values.without,
    onStep: (line) => console.error(line),
  })
  console.error(reportText(report))
  if (values.json) console.log(JSON.stringify(report))
  process.exitCode = report.ok ? 0 : 1
}

if (values.help) console.log(HELP)
else await run()
