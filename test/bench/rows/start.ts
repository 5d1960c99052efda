/** From the start of the program until it listens, and until a game has READY and its first answer, against `node -e 0`. */
import { BenchClient } from '../client.ts'
import { type Ground, isolatedEnvironment, type ServerName } from '../contestants/contestants.ts'
import { plainHandshake, setActivity } from '../frames.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import { type Cost, costOf } from '../program-run.ts'
import { type Figures, type Line, ratioAtMost, type Row, type Target } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

const US_PER_MS = 1000
const NAMES = ['node', 'packaged', 'sallyport', 'arrpc'] as const
type Name = (typeof NAMES)[number]

/** `first`: when a game had READY and the answer to SET_ACTIVITY, from the start; absent for `node -e 0`. */
interface Start extends Cost {
  readonly firstMs?: number
  readonly firstCpuMs?: number
}

export const nodeAlone = (ground: Ground): Promise<Cost> => {
  const cwd = ground.folder()
  return costOf({ command: process.execPath, args: ['-e', '0'], env: isolatedEnvironment(cwd), cwd })
}

async function startOnce(ground: Ground, name: ServerName): Promise<Start> {
  const from = performance.now()
  const server = await ground.start(name)
  const wallMs = performance.now() - from
  const cpuMs = cpuMicroseconds(server.pid) / US_PER_MS
  const client = await BenchClient.open(server.path, plainHandshake())
  await client.exchange(setActivity(0), 1)
  const firstMs = performance.now() - from
  const firstCpuMs = cpuMicroseconds(server.pid) / US_PER_MS
  client.close()
  await server.stop()
  return { wallMs, cpuMs, firstMs, firstCpuMs }
}

export const start: Row = {
  name: 'start',
  async run({ ground, effort }) {
    const measure = (name: Name): Promise<Start> => (name === 'node' ? nodeAlone(ground) : startOnce(ground, name))
    // The first start fills the caches of the file system and makes what is made once.
    for (const name of NAMES) await measure(name)
    const measured = await inTurns<Name, Start>(NAMES, effort.starts, measure)
    const each = (name: Name, figure: keyof Start): number[] => measured[name].flatMap((one) => one[figure] ?? [])
    const figures = (what: string, name: Name, figure: keyof Start, base: keyof Cost): Figures => ({
      what,
      unit: 'ms',
      floor: median(each('node', base)),
      sallyport: median(each(name, figure)),
      ratio: pairedRatio(each(name, figure), each('node', base)),
    })
    const line = (what: string, figure: keyof Start, base: keyof Cost, target: Target): Line => ({
      ...figures(what, 'packaged', figure, base),
      target,
    })
    return [
      { ...line('packaged, start to listening: wall', 'wallMs', 'wallMs', ratioAtMost(1.15)), note: 'the floor of these is `node -e 0`' },
      line('packaged, start to listening: CPU', 'cpuMs', 'cpuMs', ratioAtMost(1.2)),
      line('packaged, start, READY and first SET_ACTIVITY: wall', 'firstMs', 'wallMs', ratioAtMost(2.7)),
      {
        ...figures('packaged, start, READY and first SET_ACTIVITY: CPU', 'packaged', 'firstCpuMs', 'cpuMs'),
        whyNoTarget: 'the wall time has it',
      },
      {
        ...figures('in a clone, start to listening: wall', 'sallyport', 'wallMs', 'wallMs'),
        arrpc: median(each('arrpc', 'wallMs')),
        arrpcRatio: pairedRatio(each('arrpc', 'wallMs'), each('node', 'wallMs')),
        whyNoTarget: 'users have the executable, whose code is compiled before',
      },
    ]
  },
}
