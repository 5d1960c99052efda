/** Commands of the packaged command line, against `node -e 0`. */
import { isolatedEnvironment, packaged } from '../contestants/contestants.ts'
import { nodeAlone } from '../node-alone.ts'
import { type Cost, costOf } from '../program-run.ts'
import type { Line, Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { ratioAtMost } from '../targets.ts'

const NAMES = ['node', 'version', 'status'] as const
type Name = (typeof NAMES)[number]
const MOST: Readonly<Record<Exclude<Name, 'node'>, number>> = { version: 1.5, status: 2.5 }

export const commands: Row = {
  name: 'commands',
  async run({ ground, effort }) {
    const directory = ground.folder()
    const daemon = await ground.startIn('packaged', directory)
    const env = isolatedEnvironment(directory)
    const command = packaged()
    const run = { command, env, cwd: directory }
    const measure = (name: Name): Promise<Cost> => {
      if (name === 'node') return nodeAlone(ground)
      const where = name === 'status' ? ['--runtime-dir', directory, '--platform', `${directory}/profile.json`] : []
      return costOf({ ...run, args: [name, ...where] })
    }
    for (const name of NAMES) await measure(name)
    const measured = await inTurns<Name, Cost>(NAMES, effort.starts, measure)
    await daemon.stop()
    const figures = (name: Exclude<Name, 'node'>, figure: keyof Cost) => {
      const [floor, own] = [measured.node, measured[name]].map((costs) => costs.map((cost) => cost[figure])) as [number[], number[]]
      return { unit: 'ms', floor: median(floor), sallyport: median(own), ratio: pairedRatio(own, floor) } as const
    }
    return (['version', 'status'] as const).flatMap((name): readonly Line[] => [
      { what: `packaged, sallyport ${name}: wall`, ...figures(name, 'wallMs'), target: ratioAtMost(MOST[name]) },
      { what: `packaged, sallyport ${name}: CPU`, ...figures(name, 'cpuMs'), whyNoTarget: 'the wall time has it' },
    ])
  },
}
