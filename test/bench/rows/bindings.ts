/** What a call costs the game itself, with each of our clients; and the size and the rest of the C library. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPrograms, isInstalled, OPTIMIZED } from '../../support/c-build.ts'
import { buildShared, textBytes } from '../../support/c-library.ts'
import type { Bench, Line, Row, Target, Unit } from '../row.ts'
import { median } from '../statistics.ts'

const run = promisify(execFile)
const KIB = 1024
const GAME = join(import.meta.dirname, '../contestants/typescript-game.ts')

interface Figures {
  readonly call_us: number
  readonly allocations_per_call?: number
  readonly idle_poll_us?: number
}

const atMost = (most: number, unit: string): Target => ({
  text: `≤ ${most}${unit}`,
  isHeld: ({ sallyport }) => sallyport !== undefined && sallyport <= most,
})

/** Starts the game so many times, and takes the median of each figure. */
async function play(command: readonly [string, ...string[]], runtime: string, { effort }: Bench): Promise<Required<Figures>> {
  const [program, ...args] = command
  const all: Figures[] = []
  for (let round = 0; round < effort.starts; round++) {
    const { stdout } = await run(program, [...args, runtime, String(effort.crowdCalls)])
    all.push(JSON.parse(stdout) as Figures)
  }
  const middle = (figure: keyof Figures): number => median(all.map((figures) => figures[figure] ?? Number.NaN))
  return { call_us: middle('call_us'), allocations_per_call: middle('allocations_per_call'), idle_poll_us: middle('idle_poll_us') }
}

const line = (what: string, unit: Unit, sallyport: number, target?: Target): Line => ({
  what,
  unit,
  sallyport,
  ...(target === undefined ? {} : { target }),
})

async function ofC(runtime: string, bench: Bench): Promise<readonly Line[]> {
  if (!(await isInstalled('gcc'))) return []
  const folder = bench.ground.folder()
  await buildPrograms(folder, { bench: 'tests/bench.c' }, OPTIMIZED)
  const figures = await play([join(folder, 'bench')], runtime, bench)
  const text = await textBytes(await buildShared(join(folder, 'shared')))
  return [
    line('C client: CPU per call, lock-step', 'µs', figures.call_us),
    line('C client: allocations per call', 'allocations', figures.allocations_per_call, atMost(0, '')),
    line('C client: CPU of an idle poll', 'µs', figures.idle_poll_us, atMost(20, ' µs')),
    line('C client: text of everything at -Os', 'KiB', text / KIB, atMost(100, ' KiB')),
  ]
}

export const bindings: Row = {
  name: 'bindings',
  async run(bench) {
    const daemon = await bench.ground.start('sallyport')
    const runtime = dirname(daemon.path)
    const c = await ofC(runtime, bench)
    const { call_us: call } = await play([process.execPath, '--conditions=sallyport-source', GAME], runtime, bench)
    await daemon.stop()
    return [...c, line('TypeScript client: CPU per call, lock-step', 'µs', call)]
  },
}
