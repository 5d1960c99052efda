/** `node -e 0`: the floor of starts, and the measure of the machine. */
import type { Ground } from './contestants/contestants.ts'
import { isolatedEnvironment } from './contestants/contestants.ts'
import { type Cost, costOf } from './program-run.ts'
import { median } from './statistics.ts'

const RUNS = 9

export const nodeAlone = (ground: Ground): Promise<Cost> => {
  const cwd = ground.folder()
  return costOf({ command: process.execPath, args: ['-e', '0'], env: isolatedEnvironment(cwd), cwd })
}

/** Its CPU, in ms: the median of some runs. */
export async function nodeCpuMs(ground: Ground): Promise<number> {
  const all: number[] = []
  for (let run = 0; run < RUNS; run++) all.push((await nodeAlone(ground)).cpuMs)
  return median(all)
}
