/** What a call costs the game itself, with each of our clients; and the size and the rest of the C library. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPrograms, isInstalled, OPTIMIZED } from '#test/support/c-build.ts'
import { buildCppPrograms } from '#test/support/cpp-build.ts'
import { buildShared, textBytes } from '#test/support/c-library.ts'
import type { Bench, Line, Row } from '../row.ts'
import { median } from '../statistics.ts'
import { atMost } from '../targets.ts'

const run = promisify(execFile)
const KIB = 1024
const GAME = join(import.meta.dirname, '../contestants/typescript-game.ts')

interface Figures {
  readonly call_us: number
  readonly allocations_per_call?: number
  readonly idle_poll_us?: number
}

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

const CALLS = { whyNoTarget: 'depends on the machine; compare runs on one' }

async function ofC(runtime: string, bench: Bench): Promise<readonly Line[]> {
  if (!(await isInstalled('gcc'))) return []
  const folder = bench.ground.folder()
  await buildPrograms(folder, { bench: 'tests/bench.c' }, OPTIMIZED)
  const figures = await play([join(folder, 'bench')], runtime, bench)
  const text = await textBytes(await buildShared(join(folder, 'shared')))
  return [
    { what: 'C client: CPU per call, lock-step', unit: 'µs', sallyport: figures.call_us, ...CALLS },
    {
      what: 'C client: allocations per call',
      unit: 'allocations',
      sallyport: figures.allocations_per_call,
      target: atMost(0, 'allocations'),
    },
    { what: 'C client: CPU of an idle poll', unit: 'µs', sallyport: figures.idle_poll_us, target: atMost(20, 'µs') },
    { what: 'C client: text of everything at -Os', unit: 'KiB', sallyport: text / KIB, target: atMost(100, 'KiB') },
  ]
}

async function ofCpp(runtime: string, bench: Bench): Promise<readonly Line[]> {
  if (!(await isInstalled('g++'))) return []
  const folder = bench.ground.folder()
  await buildCppPrograms(folder, { bench: 'tests/bench.cpp' }, OPTIMIZED)
  const figures = await play([join(folder, 'bench')], runtime, bench)
  return [
    { what: 'C++ client: CPU per call with its pauses, lock-step', unit: 'µs', sallyport: figures.call_us, ...CALLS },
    {
      what: 'C++ client: allocations per call, besides the C client',
      unit: 'allocations',
      sallyport: figures.allocations_per_call,
      whyNoTarget: 'the interface of the SDK copies texts and callbacks',
    },
    { what: 'C++ client: CPU of an idle RunCallbacks', unit: 'µs', sallyport: figures.idle_poll_us, target: atMost(20, 'µs') },
  ]
}

export const bindings: Row = {
  name: 'bindings',
  async run(bench) {
    const daemon = await bench.ground.start('sallyport')
    const runtime = dirname(daemon.path)
    const c = await ofC(runtime, bench)
    const cpp = await ofCpp(runtime, bench)
    const { call_us: call } = await play([process.execPath, '--conditions=sallyport-source', GAME], runtime, bench)
    await daemon.stop()
    return [...c, ...cpp, { what: 'TypeScript client: CPU per call, lock-step', unit: 'µs', sallyport: call, ...CALLS }]
  },
}
