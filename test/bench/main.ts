/**
 * `npm run bench`: the floor, this daemon and the published peer, side by side in one run, as a table of the numbers to hold.
 * Slow results do not fail the run: each verdict is a word in the table. A wrong answer fails it.
 */
import { parseArgs } from 'node:util'
import { Ground } from './contestants/contestants.ts'
import { type Effort, FULL, LONG, QUICK } from './effort.ts'
import { circumstances } from './machine.ts'
import { profile } from './profile.ts'
import { linesAsJson, record, report } from './report.ts'
import type { Line, Row } from './row.ts'
import { account } from './rows/account.ts'
import { bindings } from './rows/bindings.ts'
import { clone } from './rows/clone.ts'
import { coldCall } from './rows/cold-call.ts'
import { commands } from './rows/commands.ts'
import { lockStep, pipelined } from './rows/cpu-per-call.ts'
import { crowd } from './rows/crowd.ts'
import { fanOut } from './rows/fan-out.ts'
import { firstCall } from './rows/first-call.ts'
import { forward } from './rows/forward.ts'
import { friends } from './rows/friends.ts'
import { games } from './rows/games.ts'
import { grants } from './rows/grants.ts'
import { handshakes } from './rows/handshakes.ts'
import { hostile } from './rows/hostile.ts'
import { idle } from './rows/idle.ts'
import { idleMemory } from './rows/memory.ts'
import { keys } from './rows/keys.ts'
import { start } from './rows/start.ts'
import { year } from './rows/year.ts'

const ROWS: readonly Row[] = [
  start,
  commands,
  firstCall,
  coldCall,
  idleMemory,
  idle,
  pipelined,
  lockStep,
  crowd,
  handshakes,
  forward,
  keys,
  fanOut,
  grants,
  account,
  friends,
  games,
  year,
  hostile,
  bindings,
  clone,
]

const HELP = `npm run bench -- [ROW…] [--quick | --long] [--json] [--profile [--as-bindings]]

  ROW            ${ROWS.map(({ name }) => name).join(', ')}; default: all
  --quick        less work, for a first look
  --long         counts idle wake-ups for a whole minute
  --json         the figures, for programs; they are not recorded
  --profile      where the daemon spends its time (with the row lock-step: one call at a time)
  --as-bindings  profile what our own bindings ask`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    'as-bindings': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const EFFORTS: Readonly<Record<'quick' | 'full' | 'long', Effort>> = { quick: QUICK, full: FULL, long: LONG }

async function measure(ground: Ground): Promise<void> {
  const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0) throw new Error(`there is no row ${unknown.join(', ')}; there are ${ROWS.map(({ name }) => name).join(', ')}`)
  const rows = positionals.length === 0 ? ROWS : ROWS.filter(({ name }) => positionals.includes(name))
  const kind = values.quick ? 'quick' : values.long ? 'long' : 'full'
  const where = await circumstances(ground)
  const lines: Line[] = []
  for (const row of rows) {
    const from = performance.now()
    try {
      lines.push(...(await row.run({ ground, effort: EFFORTS[kind] })))
    } catch (failure) {
      // The others can still be measured.
      console.error(`${row.name} could not be measured:`, failure)
      process.exitCode = 1
    }
    console.error(`${row.name}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  if (values.json) {
    console.log(linesAsJson(lines))
    return
  }
  console.log(`\n${report(where, lines)}`)
  // A part of the table, or a hasty one, must not replace the record of the whole one.
  if (positionals.length === 0 && kind !== 'quick' && process.exitCode !== 1) record(where, kind, lines)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const ground = new Ground()
process.once('exit', () => ground.remove())
try {
  if (values.help) console.log(HELP)
  else if (values.profile)
    console.log(await profile(ground, { isLockStep: positionals.includes('lock-step'), asBindings: values['as-bindings'] }))
  else if (process.platform !== 'linux') throw new Error('the bench reads /proc, so it runs on Linux only')
  else await measure(ground)
} finally {
  await ground.clear()
}
