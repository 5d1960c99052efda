/** From the start of the program until it listens, and until a game has READY and its first answer, against `node -e 0`. */
import { BenchClient } from '../client.ts'
import type { Ground, ServerName } from '../contestants/contestants.ts'
import { startCounted } from '../counted-start.ts'
import type { Figures } from '../figures.ts'
import { plainHandshake, setActivity } from '../frames.ts'
import { nodeAlone } from '../node-alone.ts'
import { familyMicroseconds, quietDown } from '../process-figures.ts'
import type { Cost } from '../program-run.ts'
import type { Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { exactly } from '../targets.ts'
import { untilWebPortsAreFree } from '../web-ports.ts'

const US_PER_MS = 1000
const NAMES = ['node', 'packaged', 'sallyport', 'arrpc'] as const
type Name = (typeof NAMES)[number]

/** `first`: when a game had READY and the answer to SET_ACTIVITY, from the start; absent for `node -e 0`. */
interface Start extends Cost {
  readonly firstMs?: number
  readonly firstCpuMs?: number
}

async function startOnce(ground: Ground, name: ServerName): Promise<Start> {
  await untilWebPortsAreFree(1)
  const from = performance.now()
  const server = await ground.start(name)
  const wallMs = performance.now() - from
  const cpuMs = familyMicroseconds(server.pid) / US_PER_MS
  const client = await BenchClient.open(server.path, plainHandshake())
  await client.exchange(setActivity(0), 1)
  const firstMs = performance.now() - from
  const firstCpuMs = familyMicroseconds(server.pid) / US_PER_MS
  client.close()
  await server.stop()
  return { wallMs, cpuMs, firstMs, firstCpuMs }
}

/** Until a game has READY and its first answer, and a moment after it. */
async function processesOfStart(ground: Ground): Promise<number> {
  const { server, processes } = await startCounted(ground, 'packaged', ground.folder())
  const client = await BenchClient.open(server.path, plainHandshake())
  await client.exchange(setActivity(0), 1)
  await quietDown(server.pid)
  const started = processes()
  client.close()
  await server.stop()
  return started
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
    const processes = await processesOfStart(ground)
    return [
      {
        ...figures('packaged, start to listening: wall', 'packaged', 'wallMs', 'wallMs'),
        aim: 'listening',
        note: 'the floor of these is `node -e 0`',
      },
      { ...figures('packaged, start to listening: CPU', 'packaged', 'cpuMs', 'cpuMs'), whyNoTarget: 'the wall time has it' },
      {
        ...figures('packaged, start, READY and first SET_ACTIVITY: wall', 'packaged', 'firstMs', 'wallMs'),
        aim: 'first answer',
      },
      {
        ...figures('packaged, start, READY and first SET_ACTIVITY: CPU', 'packaged', 'firstCpuMs', 'cpuMs'),
        whyNoTarget: 'the wall time has it',
      },
      {
        what: 'packaged, start, READY and first SET_ACTIVITY: processes started',
        unit: 'processes',
        sallyport: processes,
        target: exactly(0),
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
